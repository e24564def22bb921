"""The opponent of `kibitz respond`: a strategy, a model or an agent, and the game in which it is met."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.cli._guests import guests
from kibitz.cli._options import is_given
from kibitz.cli._problem import make_problem
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.policy import Policy
    from kibitz.responses.robust import Method
    from kibitz.responses.robust.roles import Roles
    from kibitz.solvers.problem import Problem
    from kibitz.strategy import FrequentistModel, Strategy


class Against(NamedTuple):
    """The opponent: a strategy, or the counts of a model; over the problem's layout unless it has cards of its own."""

    problem: Problem
    known: Strategy | FrequentistModel | str


def load_opponent(opponent: str, options: dict[str, Any]) -> Against:
    """The opponent and the game; a folder brings its own game, menus and cards where none are given."""
    from kibitz.modelling.frequentist import is_model, load_model
    from kibitz.solvers.problem import problem_of
    from kibitz.strategy import find_strategy, load_strategy
    from kibitz.strategy.files import MANIFEST

    folder = Path(opponent.partition(",")[0])
    known: Strategy | FrequentistModel | str = opponent
    if is_model(folder):
        known = load_model(folder)
        own = problem_of(known.strategy)
    elif (find_strategy(folder) / MANIFEST).is_file() and "," not in opponent:
        known = load_strategy(folder)
        own = problem_of(known)
    elif options["game"] is None:
        raise KibitzError(f"{opponent!r} is no folder that names a game: give the game with --game")
    named = [options[name] for name in ("game", "menus", "suits", "cards", "boards", "seed")]
    if options["game"] is None:
        asked = [name for name in ("menus", "cards", "suits", "boards") if is_given(name)]
        if not asked:
            return Against(own, known)
        option = asked[0].replace("menus", "menu")
        raise KibitzError(f"--{option} without --game: {opponent} brings its own game, menu and cards")
    return Against(make_problem(*named), known)


def check_game(opponent: str, against: Against, method: Method, others: tuple[str, ...]) -> None:
    """Refuse what is too large for this machine, and what `check_own_bets` refuses.

    others   cards of the opponent, "" where they are those of the problem
    """
    from dataclasses import replace

    from kibitz.responses.robust.roles import check_suitable
    from kibitz.training.memory import check_response_memory

    problem = against.problem
    check_suitable(problem)
    if problem.menus:  # the tree of what was seen has none, and is there already
        for theirs in ("", *others) if problem.cards else ("",):
            cards = (problem.notations[0], theirs) if theirs else problem.cards
            check_response_memory(replace(problem, cards=cards), method.bytes_per_pair)
    check_own_bets(opponent, against)


def check_own_bets(opponent: str, against: Against) -> None:
    """Refuse a folder of another game or other menus."""
    problem, known = against
    if isinstance(known, str):
        return
    own = known.layout.tree
    if own.fingerprint != problem.tree.fingerprint:
        if own.game != problem.game:
            raise KibitzError(f"{opponent} plays {own.game.name or 'another game'}, not {problem.game.name}")
        theirs, here = (" and ".join(dict.fromkeys(map(str, tree.menus))) for tree in (own, problem.tree))
        raise KibitzError(
            f"{opponent} has the menu {theirs or '(betting that was seen)'}, not {here}: a response needs the "
            "opponent's own bets"
        )


def in_game(against: Against, roles: Roles, seed: int) -> Strategy | FrequentistModel:
    """The opponent over the layout in which the response needs it."""
    from kibitz.agents import load_agent
    from kibitz.policy import policy_of
    from kibitz.responses.robust.opponents import opponent_strategy
    from kibitz.strategy import FrequentistModel, Strategy

    known = against.known
    if isinstance(known, FrequentistModel):
        if known.layout.cards != roles.home.cards:
            theirs, here = known.manifest.get("cards", "all cards"), roles.home_problem().cards_name or "all cards"
            raise KibitzError(f"the model has {theirs}, not {here}: build one with the cards that the response needs")
        return known
    if known == "uniform":
        return Strategy.uniform(roles.home)
    if isinstance(known, Strategy) and known.layout.cards == roles.home.cards:
        known.layout.check_same(roles.home)
        return known
    with guests():
        if isinstance(known, Strategy):
            from kibitz.agents.strategic import strategy_agent

            policy: Policy = strategy_agent(known).policy
        else:
            policy = policy_of(load_agent(known))
        return opponent_strategy(policy, roles.home_problem(), seed)
