"""Responding to an opponent: what all plans of it have in common, and that of one response."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kibitz.errors import KibitzError
from kibitz.plans import HERE, Means, Run, on_threads, setting, settings_of
from kibitz.solvers.plan import ProblemPlan

if TYPE_CHECKING:
    from kibitz.responses.multiplayer import Sampling
    from kibitz.responses.robust import Method
    from kibitz.responses.robust.methods import Solving
    from kibitz.responses.robust.roles import Roles
    from kibitz.responses.robust.seats import Opponent
    from kibitz.solvers.problem import Problem
    from kibitz.training.opponents import Against

AMOUNTS = {"rnr": "p", "dbr": "p_max", "eps-safe": "epsilon"}  # the setting that says how far a model is believed
BELIEVED = 0.5  # p and p_max where neither they nor a target are given
TWO_ONLY = ("observe", "algorithm", "until", "curve", "target", "our_cards", "free_cards", "boards")
MORE_ONLY = ("hands", "profile", "storage")
TUNED = ("rnr", "dbr")  # settings that only some methods have, and those methods
METHODS_OF: dict[str, tuple[str, ...]] = {name: (method,) for method, name in AMOUNTS.items()}
METHODS_OF |= {"target": TUNED, "curve": TUNED, "observe": ("dbr",), "confidence": ("dbr",)}
ITERATIONS = "2,000; 100,000 with three or more players"
MILLI = "mbb or milli-antes/hand"


@dataclass(frozen=True, kw_only=True)
class Responding(ProblemPlan, ABC):
    """How opponents are responded to."""

    method: Literal["fbr", "rnr", "dbr", "eps-safe"] = setting("rnr", "Kind of response")
    p: float | None = setting(
        None, "Probability that the opponent plays the model (rnr)", at_least=0, at_most=1, unsaid=f"{BELIEVED}"
    )
    p_max: float | None = setting(
        None, "Largest probability, at any infoset, that it does so (dbr)", at_least=0, at_most=1, unsaid=f"{BELIEVED}"
    )
    target: float | None = setting(None, "Wanted exploitability of a response (rnr, dbr)", unit=MILLI, at_least=0)
    observe: int | None = setting(
        None, "Number of hands for which an opponent is observed that is not a model (dbr)", at_least=1, at_most=10**9
    )
    iterations: int | None = setting(None, "Number of iterations", at_least=1, free=True, unsaid=ITERATIONS)
    hands: int | None = setting(
        None, "Number of hands to measure each seat with (three or more players)", at_least=2, at_most=10**9,
        unsaid="1,000,000",
    )  # fmt: skip
    profile: Literal["average", "current"] | None = setting(
        None, "Strategy that a response plays (three or more players)", unsaid="average"
    )
    storage: Literal["double", "single", "half"] | None = setting(
        None, "Precision of the sums, 16, 8 or 4 bytes a pair (three or more players)", unsaid="double"
    )
    threads: int = on_threads()

    @property
    def how(self) -> Method:
        """The method; its amount is that of a response by itself, not of those of a front."""
        from kibitz.responses.robust import Method

        amount = getattr(self, AMOUNTS[self.method]) if self.method in AMOUNTS else 1.0
        return Method(self.method, BELIEVED if amount is None else amount)

    @property
    def sampling(self) -> Sampling:
        """How it is solved and measured with three and more players."""
        from kibitz.responses.multiplayer import Sampling

        said = {name: getattr(self, name) for name in ("iterations", *MORE_ONLY) if getattr(self, name) is not None}
        return Sampling(**said, seed=self.seed, threads=self.threads)

    def check(self, players: int) -> None:
        """Refuse settings that contradict each other or would do nothing."""
        given = {each.name for each in settings_of(type(self)) if getattr(self, each.name) != each.default}
        for name, methods in METHODS_OF.items():
            if name in given and self.method not in methods:
                raise KibitzError(f"{_flag(name)} is for {' and '.join(methods)}, not {self.method}")
        amounts = [name for name in (AMOUNTS.get(self.method), "target") if name in given]
        if "curve" in given and amounts:
            raise KibitzError(f"--curve runs through all values: leave out {_flag(amounts[0])}")
        if len(amounts) > 1:
            raise KibitzError(f"--target tunes {_flag(amounts[0])}: give one of them")
        for name in TWO_ONLY if players > 2 else MORE_ONLY:
            if name in given:
                which = "two" if players > 2 else "three or more"
                raise KibitzError(f"{_flag(name)} is for {which} players, not {players}")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


@dataclass(frozen=True)
class RespondPlan(Responding):
    """Compute a response to OPPONENT, one strategy per seat, and what it wins and risks.

    OPPONENT is uniform, an agent such as always-call or tight-passive, or the folder of a strategy, agent or model.

    fbr is the best response to it. rnr (restricted Nash response) assumes that it plays the model with probability P
    and is an adversary otherwise; dbr (data-biased response) trusts the model at each infoset as far as it has
    observations there; eps-safe is the best response among strategies that lose at most EPSILON to anyone. --target
    tunes P or P_MAX by bisection.

    Prints milli-antes or milli-big-blinds per hand, means of both seats. In hold'em, exploitability is that in the
    abstract game of the adversary. The folder --out is an agent; what the held opponent plays is in OUT/mimic.

    What is won from a model is split: observed, in hands in which the model has data for all of its decisions, and
    imputed, in the others, in which it calls where it has none.

    With three or more players, OPPONENT sits in all other seats. Responses are fbr, rnr or dbr by external sampling,
    and are measured in sampled hands; exploitability is not defined.
    """

    kind: ClassVar[str] = "exploit"

    opponent: str = setting(help="Who is responded to", argument=True, input="agent")
    our_cards: str = setting("", "Card abstraction of the response in a small game, such as 3-bucket")
    free_cards: str = setting("", "Card abstraction of the adversary", unsaid="--cards")
    model_cards: str = setting("", "Card abstraction of the model", unsaid="--cards")
    epsilon: float | None = setting(None, "Largest loss to a best response (eps-safe)", unit=MILLI, at_least=0)
    confidence: Literal["linear", "1-step", "10-step", "bayes"] | None = setting(
        None, "Confidence in a model by the number of observations (dbr)", unsaid="linear"
    )
    algorithm: Literal["auto", "lp", "cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+", "pcs"] | None = setting(
        None, "Algorithm", unsaid="auto"
    )
    until: float | None = setting(None, "Gap to the optimum at which to stop", unit=MILLI, above=0, free=True)
    curve: bool = setting(False, "Compute the Pareto front: exploitation against exploitability. With --out, plot it")

    @cached_property
    def against(self) -> Against:
        """The opponent, and the game in which it is met."""
        from kibitz.training.opponents import load_opponent

        return load_opponent(self.opponent, self)

    @property
    def problem(self) -> Problem:
        """The game with its menus and our cards."""
        return self.against.problem

    @property
    def milli(self) -> float:
        """Thousandths of the stake in a chip."""
        from kibitz.games.stakes import Stake

        return Stake.of(self.problem.game).milli_per_chip

    @property
    def how(self) -> Method:
        found = super().how  # its epsilon is in thousandths of the stake
        amount = found.amount / self.milli if self.method == "eps-safe" else found.amount
        return replace(found, amount=amount, confidence=self.confidence or "linear")

    def identity(self) -> dict[str, Any]:
        """The points of a front, and seats that are done, are those of so many iterations."""
        goes_on = self.problem.game.players == 2 and not self.curve and self.target is None
        return super().identity() | ({} if goes_on else {"iterations": self.iterations, "until": self.until})

    def begin(self, means: Means = HERE) -> Run:
        players = self.problem.game.players
        if self.method == "eps-safe" and self.epsilon is None:
            raise KibitzError("eps-safe needs --epsilon")
        self.check(players)
        if players > 2 and self.method == "eps-safe":
            raise KibitzError(f"eps-safe is for two players, not {players}: take fbr, rnr or dbr")
        return self._sampled(means) if players > 2 else self._robust(means)

    def _robust(self, means: Means) -> Run:
        """The run with two players."""
        from kibitz.responses.robust.respond import Run as Solution
        from kibitz.responses.robust.roles import make_roles
        from kibitz.responses.robust.runs import FrontRun, ResponseRun
        from kibitz.training.opponents import check_game

        problem, method = self.problem, self.how
        check_game(self.opponent, self.against, method, (self.free_cards, self.model_cards))
        problem.prepare(self.threads, means.tell)
        if problem.cards and self.our_cards:
            raise KibitzError(f"--our-cards {self.our_cards} is for small games: in hold'em give --cards")
        roles = make_roles(problem, self.our_cards, self.free_cards, self.model_cards)
        opponent, solving = self._opponent(roles), self._solving(roles)
        if not self.curve and self.target is None:
            return ResponseRun(Solution(roles, opponent, method, solving), means.folder)
        target = None if self.target is None else self.target / self.milli
        return FrontRun((roles, opponent, solving), method, target, means.folder)

    def _opponent(self, roles: Roles) -> Opponent:
        """The opponent by the cards of its model, with what was observed of it."""
        from kibitz.responses.robust.observing import observe
        from kibitz.responses.robust.respond import as_opponent
        from kibitz.training.opponents import in_game

        opponent = as_opponent(in_game(self.against, roles, self.seed))
        if self.observe is None:
            return opponent
        if opponent.model is not None:
            raise KibitzError("--observe is for opponents that play: a model has been observed already")
        counts = observe(roles.home_problem().deal, opponent.strategy, self.observe, self.seed)
        return opponent._replace(model=counts)

    def _solving(self, roles: Roles) -> Solving:
        from kibitz.responses.robust.methods import SAMPLED, Solving

        algorithm = self.algorithm or "auto"
        until = 0.0 if self.until is None else self.until / self.milli
        seed = self.seed if roles.needs_boards or algorithm == SAMPLED else 0
        return Solving(algorithm, self.iterations or Solving.iterations, until, self.threads, seed)

    def _sampled(self, means: Means) -> Run:
        """The run with three and more players."""
        from kibitz.responses.multiplayer.respond import restrict
        from kibitz.responses.multiplayer.runs import SampledRun
        from kibitz.training.memory import check_sampled_response_memory
        from kibitz.training.opponents import at_home, check_own_bets, home_of

        check_own_bets(self.opponent, self.against)
        problem, sampling = self.problem, self.sampling
        home = home_of(self.against, self.model_cards)
        if problem.menus:  # the tree of what was seen has none, and is there already
            check_sampled_response_memory(problem, sampling.storage, home.size.pairs)
        for each in {id(each): each for each in (problem, home)}.values():
            each.prepare(self.threads, means.tell)
        return SampledRun(restrict(problem, at_home(self.against, home, self.seed), self.how, home), sampling)
