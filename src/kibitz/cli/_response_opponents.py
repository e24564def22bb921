"""The opponent of `kibitz respond`: a strategy, a model or an agent, and the game in which it is met."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.cli._guests import guests
from kibitz.cli._options import is_given
from kibitz.cli._problem import game_missing, make_problem
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.policy import Policy
    from kibitz.responses.robust import Method
    from kibitz.responses.robust.roles import Roles
    from kibitz.solvers.problem import Problem
    from kibitz.strategy import FrequentistModel, Strategy

    Known = Strategy | FrequentistModel


class Against(NamedTuple):
    """The opponent: a strategy, or the counts of a model; over the problem's layout unless it has cards of its own."""

    problem: Problem
    known: Known | str


def load_known(opponent: str) -> Known | None:
    """What is in the folder of a strategy or model, without the settings of an agent; None for all other opponents."""
    from kibitz.plans import kind_of
    from kibitz.strategy import find_strategy, load_model, load_strategy

    folder = find_strategy(opponent.partition(",")[0])
    if kind_of(folder) == "model":
        return load_model(folder)
    return load_strategy(folder) if kind_of(folder) == "strategy" else None


def own_problem(known: Known) -> Problem:
    """The game, menus and cards of a strategy or model."""
    from kibitz.solvers.problem import problem_of
    from kibitz.strategy import FrequentistModel

    return problem_of(known.strategy if isinstance(known, FrequentistModel) else known)


def choose_problem(options: dict[str, Any], brought: dict[str, Known]) -> Problem:
    """The problem of the options; without --game that of the first of the folders `brought`, and the same of all."""
    if options["game"] is not None:
        return make_problem(*(options[name] for name in ("game", "menus", "suits", "cards", "boards", "seed")))
    if not brought:
        raise game_missing()
    first = next(iter(brought))
    asked = [name for name in ("menus", "cards", "suits", "boards") if is_given(name)]
    if asked:
        option = asked[0].replace("menus", "menu")
        raise KibitzError(f"--{option} without --game: {first} brings its own game, menu and cards")
    return own_problem(brought[first])


def load_opponent(opponent: str, options: dict[str, Any]) -> Against:
    """The opponent and the game; a folder brings its own game, menus and cards where none are given."""
    from kibitz.strategy import Strategy

    known = load_known(opponent)
    problem = choose_problem(options, {} if known is None else {opponent: known})
    is_agent = isinstance(known, Strategy) and "," in opponent  # whose settings count
    return Against(problem, opponent if known is None or is_agent else known)


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


def check_own_bets(opponent: str, against: Against, first: str = "") -> None:
    """Refuse a folder of another game or other menus; `first` is the one that brought the game."""
    problem, known = against
    if isinstance(known, str) or known.layout.tree.fingerprint == problem.tree.fingerprint:
        return
    own, whose = known.layout.tree, f" (that of {first})" if first else ""
    if own.game != problem.game:
        theirs, here = (
            game.name or f"a {game.betting.replace('nol', 'no-l')} game of {game.players} players"
            for game in (own.game, problem.game)
        )
        raise KibitzError(f"{opponent} plays {theirs}, not {here}{whose}")
    theirs, here = (" and ".join(dict.fromkeys(map(str, tree.menus))) for tree in (own, problem.tree))
    if not (theirs or here):
        raise KibitzError(
            f"{opponent} and {first} keep different betting that was seen: build one model of all these players, or "
            "models without --seen-tree"
        )
    seen = "(betting that was seen)"
    raise KibitzError(
        f"{opponent} has the menu {theirs or seen}, not {here or seen}{whose}: a response needs the opponent's own bets"
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
