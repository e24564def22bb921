"""Responding to an opponent: the plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kibitz.errors import KibitzError
from kibitz.plans import HERE, Means, Plan, Run, setting

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
MILLI = "mbb or milli-antes/hand"


@dataclass(frozen=True)
class RespondPlan(Plan):
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
    game: str | None = setting(
        None, "Game, by name or file", unsaid="that of OPPONENT, if it is a folder", input="game"
    )
    menus: tuple[str, ...] = setting(
        (), "Menu of bet sizes, such as fcpa or '0.5, 1, all-in'; once for all players, or once for each",
        option="menu", unsaid="full",
    )  # fmt: skip
    suits: Literal["merged", "kept"] | None = setting(
        None, "Whether hands that differ only by a permutation of suits are merged; merging is lossless",
        unsaid="merged",
    )  # fmt: skip
    cards: tuple[str, ...] = setting(
        (), "Card abstraction of hold'em, such as 5-bucket or IR-100; once for all players, or once for each",
        unsaid="none, all hands are distinct",
    )  # fmt: skip
    boards: int | None = setting(
        None, "Number of sampled boards for the joint bucket distribution (--cards); 0 for all",
        at_least=0, at_most=10**9, unsaid="10,000",
    )  # fmt: skip
    our_cards: str = setting("", "Card abstraction of the response in a small game, such as 3-bucket")
    free_cards: str = setting("", "Card abstraction of the adversary", unsaid="--cards")
    model_cards: str = setting("", "Card abstraction of the model", unsaid="--cards")
    method: Literal["fbr", "rnr", "dbr", "eps-safe"] = setting("rnr", "Kind of response")
    p: float | None = setting(
        None, "Probability that the opponent plays the model (rnr)", at_least=0, at_most=1, unsaid=f"{BELIEVED}"
    )
    p_max: float | None = setting(
        None, "Largest probability, at any infoset, that it does so (dbr)", at_least=0, at_most=1, unsaid=f"{BELIEVED}"
    )
    epsilon: float | None = setting(None, "Largest loss to a best response (eps-safe)", unit=MILLI, at_least=0)
    target: float | None = setting(None, "Wanted exploitability (rnr, dbr)", unit=MILLI, at_least=0)
    confidence: Literal["linear", "1-step", "10-step", "bayes"] | None = setting(
        None, "Confidence in a model by the number of observations (dbr)", unsaid="linear"
    )
    observe: int | None = setting(
        None, "Number of hands for which OPPONENT is observed (dbr)", at_least=1, at_most=10**9
    )
    algorithm: Literal["auto", "lp", "cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+", "pcs"] | None = setting(
        None, "Algorithm", unsaid="auto"
    )
    iterations: int | None = setting(
        None, "Number of iterations", at_least=1, free=True, unsaid="2,000; 100,000 with three or more players"
    )
    until: float | None = setting(None, "Gap to the optimum at which to stop", unit=MILLI, above=0, free=True)
    hands: int | None = setting(
        None, "Number of hands to measure each seat with (three or more players)", at_least=2, at_most=10**9,
        unsaid="1,000,000",
    )  # fmt: skip
    profile: Literal["average", "current"] | None = setting(
        None, "Strategy that the response plays (three or more players)", unsaid="average"
    )
    storage: Literal["double", "single", "half"] | None = setting(
        None, "Precision of the sums, 16, 8 or 4 bytes a pair (three or more players)", unsaid="double"
    )
    threads: int = setting(1, "Number of threads", at_least=1, free=True)
    seed: int = setting(
        0, "Seed for observed or sampled hands, sampled boards and card abstractions", at_least=0, at_most=2**64 - 1
    )
    curve: bool = setting(False, "Compute the Pareto front: exploitation against exploitability. With --out, plot it")

    @cached_property
    def against(self) -> Against:
        """The opponent, and the game in which it is met."""
        from kibitz.training.opponents import Asked, load_opponent

        return load_opponent(
            self.opponent, Asked(self.game, self.menus, self.suits, self.cards, self.boards, self.seed)
        )

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
        """The method; its amount is that of a response by itself, not of those of a front."""
        from kibitz.responses.robust import Method

        amount = getattr(self, AMOUNTS[self.method]) if self.method in AMOUNTS else 1.0
        if amount is None:
            amount = BELIEVED
        if self.method == "eps-safe":
            amount /= self.milli
        return Method(self.method, amount, self.confidence or "linear")

    @property
    def sampling(self) -> Sampling:
        """How it is solved and measured with three and more players."""
        from kibitz.responses.multiplayer import Sampling

        said = {name: getattr(self, name) for name in ("iterations", *MORE_ONLY) if getattr(self, name) is not None}
        return Sampling(**said, seed=self.seed, threads=self.threads)

    def identity(self) -> dict[str, Any]:
        """The points of a front, and seats that are done, are those of so many iterations."""
        goes_on = self.problem.game.players == 2 and not self.curve and self.target is None
        return super().identity() | ({} if goes_on else {"iterations": self.iterations, "until": self.until})

    def begin(self, means: Means = HERE) -> Run:
        self._check()
        players = self.problem.game.players
        for name in TWO_ONLY if players > 2 else MORE_ONLY:
            if getattr(self, name) not in (None, "", False):
                wanted = "two" if players > 2 else "three or more"
                raise KibitzError(f"--{name.replace('_', '-')} is for {wanted} players, not {players}")
        if players > 2 and self.method == "eps-safe":
            raise KibitzError(f"eps-safe is for two players, not {players}: take fbr, rnr or dbr")
        return self._sampled(means) if players > 2 else self._robust(means)

    def _check(self) -> None:
        """Refuse settings that contradict each other or would do nothing."""
        method, wanted = self.method, AMOUNTS.get(self.method, "")
        for name in AMOUNTS.values():
            if getattr(self, name) is not None and name != wanted:
                raise KibitzError(f"--{name.replace('_', '-')} is not for {method}")
        for name in ("target", "curve"):
            if getattr(self, name) not in (None, False) and method not in ("rnr", "dbr"):
                raise KibitzError(f"--{name} is for rnr and dbr, not {method}")
        for name in ("observe", "confidence"):
            if getattr(self, name) is not None and method != "dbr":
                raise KibitzError(f"--{name} is for dbr, not {method}")
        given = [name for name in (wanted, "target") if name and getattr(self, name) is not None]
        if self.curve and given:
            raise KibitzError(f"--curve runs through all values: leave out --{given[0].replace('_', '-')}")
        if len(given) > 1:
            raise KibitzError(f"--target tunes --{wanted.replace('_', '-')}: give one of them")
        if method == "eps-safe" and not given:
            raise KibitzError("eps-safe needs --epsilon")

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
