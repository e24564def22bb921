"""Opponents of a response: a strategy, a model or an agent, and the game in which it is met."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.games import GAMES, load_game
from kibitz.plans import kind_of
from kibitz.plans.kinds import named
from kibitz.policy import Policy, policy_of
from kibitz.responses.robust.methods import Method
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.responses.robust.roles import Roles, check_suitable
from kibitz.solvers.plan import ProblemPlan
from kibitz.solvers.problem import Problem, problem_of
from kibitz.strategy import FrequentistModel, Strategy, find_strategy, load_model, load_strategy
from kibitz.training.memory import check_response_memory

Known = Strategy | FrequentistModel
UNIFORM = "uniform"  # the opponent all of whose actions are as likely
# Those who play stand further down the list of layers.
LOAD_AGENT, AGENT_OF_STRATEGY = "kibitz.agents:load_agent", "kibitz.agents.strategic:strategy_agent"


class Against(NamedTuple):
    """The opponent: a strategy, or the counts of a model; over the problem's layout unless it has cards of its own."""

    problem: Problem
    known: Known | str


def load_known(opponent: str) -> Known | None:
    """What is in the folder of a strategy or model, without the settings of an agent; None for all other opponents."""
    folder = find_strategy(opponent.partition(",")[0])
    if kind_of(folder) == "model":
        return load_model(folder)
    return load_strategy(folder) if kind_of(folder) == "strategy" else None


def own_problem(known: Known) -> Problem:
    """The game, menus and cards of a strategy or model."""
    return problem_of(known.strategy if isinstance(known, FrequentistModel) else known)


def choose_problem(asked: ProblemPlan, game: str | None, brought: dict[str, Known]) -> Problem:
    """The problem asked for in `game`; without one that of the first of the folders `brought`, and the same of all."""
    if game is not None:
        return asked.asked(load_game(game))
    if not brought:
        raise game_missing()
    first = next(iter(brought))
    for name in ("menus", "cards", "suits", "boards"):
        if getattr(asked, name) not in (None, ()):
            option = name.replace("menus", "menu")
            raise KibitzError(
                f"{option} without a game: {first} brings its own game, menu and cards", settings=(option, "game")
            )
    return own_problem(brought[first])


def game_missing() -> KibitzError:
    """No game, and nothing that says which is meant."""
    return KibitzError(
        f"give a game: an agent by name can play several ({', '.join(GAMES)}, or one in a file)", settings=("game",)
    )


def load_opponent(opponent: str, asked: ProblemPlan) -> Against:
    """The opponent and the game; a folder brings its own game, menus and cards where none are given."""
    known = load_known(opponent)
    problem = choose_problem(asked, asked.game, {} if known is None else {opponent: known})
    is_agent = isinstance(known, Strategy) and "," in opponent  # whose settings count
    return Against(problem, opponent if known is None or is_agent else known)


def check_game(opponent: str, against: Against, method: Method, others: tuple[str, ...]) -> None:
    """Refuse what is too large for this machine, and what `check_own_bets` refuses.

    others   cards of the opponent, "" where they are those of the problem
    """
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
            "models of the whole tree"
        )
    seen = "(betting that was seen)"
    raise KibitzError(
        f"{opponent} has the menu {theirs or seen}, not {here or seen}{whose}: a response needs the opponent's own bets"
    )


def in_game(against: Against, roles: Roles, seed: int) -> Known:
    """The opponent over the layout in which the response needs it."""
    known = against.known
    if isinstance(known, FrequentistModel):
        if known.layout.cards != roles.home.cards:
            theirs, here = known.manifest.get("cards", "all cards"), roles.home_problem().cards_name or "all cards"
            raise KibitzError(f"the model has {theirs}, not {here}: build one with the cards that the response needs")
        return known
    if isinstance(known, Strategy):
        if known.layout.cards == roles.home.cards:
            known.layout.check_same(roles.home)
            return known
        policy: Policy = policy_of(named(AGENT_OF_STRATEGY)(known))
        return opponent_strategy(policy, roles.home_problem(), seed)
    if known == UNIFORM:
        return Strategy.uniform(roles.home)
    return opponent_strategy(policy_of(named(LOAD_AGENT)(known)), roles.home_problem(), seed)


def home_of(against: Against, cards: str) -> Problem:
    """The problem with the cards that the opponent's model has, be they its own or `cards`; for sampled responses."""
    problem, known = against
    if cards and not problem.cards:
        raise KibitzError(
            f"cards of the model ({cards}) are for hold'em with three and more players, not for small games",
            settings=("model_cards",),
        )
    if isinstance(known, str):
        if cards in ("", problem.cards_name):
            return problem
        return Problem(problem.game, problem.menus, True, cards, problem.boards, problem.seed, problem.tree)
    own = own_problem(known)
    if cards and cards != own.cards_name:
        raise KibitzError(f"model with {cards}: the opponent has {own.cards_name or 'all cards distinct'}")
    return problem if known.layout.cards == problem.private.fingerprint else own


def at_home(against: Against, home: Problem, seed: int) -> Known:
    """The opponent over the layout of `home`."""
    if not isinstance(against.known, str):
        return against.known
    if against.known == UNIFORM:
        return Strategy.uniform(home.sampled.layout)
    return opponent_strategy(policy_of(named(LOAD_AGENT)(against.known)), home, seed)
