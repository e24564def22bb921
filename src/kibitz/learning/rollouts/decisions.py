"""Decisions of simulated deals, chosen at random, and their rollouts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.files import checksum
from kibitz.learning.desk import Desk
from kibitz.learning.exploiters.measuring import EVALUATION, Performance, measure_modelled
from kibitz.learning.exploiters.model import Contest, Guest
from kibitz.learning.model import Model
from kibitz.learning.tables import TableRules, rules_of_model, seat_chances
from kibitz.random import derive_seed

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BOARD = 20  # where the board begins among the cards of a deal


class Place(NamedTuple):
    """A decision: the number of its deal in the stream of a seed, and its number in the deal."""

    deal: int
    decision: int


class Situation(NamedTuple):
    """What the actor of a decision knows.

    cards     uint8[25]: hole cards by seat, of which only the actor's count, and from BOARD on the board
    actions   of the deal so far: 0 fold, 1 call, 2 raise
    legal     bool[3]
    chances   float64[3], the policy's
    sitting   int64[seats], who sits in each seat; carried, float64[players, types], what is believed of each player's
              type before the deal; of an exploiter in a match
    """

    players: int
    actor: int
    stage: int
    cards: npt.NDArray[np.uint8]
    actions: Ints
    legal: npt.NDArray[np.bool_]
    chances: Floats
    sitting: Ints | None = None
    carried: Floats | None = None


class Decisions(ABC):
    """Where decisions come from, and how they are rolled out: a dataclass with a desk, made when it is needed."""

    seed: int
    desk: Any

    @abstractmethod
    def counts(self, deals: int) -> Ints:
        """Decisions that may be chosen, in each of so many deals or more."""

    @abstractmethod
    def situation(self, place: Place) -> Situation:
        """What the actor knows in a decision."""

    def choose(self, count: int) -> list[Place]:
        """So many decisions, each equally likely among all there are; in the order of deals."""
        if count < 1:
            raise KibitzError(f"{count} decisions: at least one is needed")
        counts = self.counts(count)
        ends = np.cumsum(counts)
        rng = np.random.Generator(np.random.PCG64(derive_seed(self.seed, 3)))
        chosen = np.sort(rng.choice(ends[-1], count, replace=False))
        deals = np.searchsorted(ends, chosen, side="right")
        numbers = chosen - ends[deals] + counts[deals]
        return [Place(*each) for each in zip(deals.tolist(), numbers.tolist(), strict=True)]

    def roll_out(
        self, situation: Situation, samples: int, key: int, first: int = 0, common: bool = True
    ) -> tuple[Floats, Floats]:
        """Values float64[samples, 3] of the options, nan where not legal, and ln p, float64[samples].

        Sample number j depends on `key` and j alone. common: later actions are drawn by the same numbers for all
        options, which makes their difference less noisy. p is the chance of what the others did so far, with the cards
        and types drawn for them.
        """
        from kibitz.learning.rollouts import _kernels

        desk, found = self.desk, np.empty((samples, 4))
        desk.seat(situation.players, situation.cards)
        if desk.match is not None:
            memory = desk.match.memory
            memory["player"], memory["carried"] = situation.sitting, situation.carried
        _kernels.roll_out(np.uint64(key), first, common, situation, desk.game, desk.match, found)
        return found[:, :3], found[:, 3]

    def _situation(self, d: int) -> Situation:
        """The situation of decision d of the deal that was played last."""
        work = self.desk.work
        return Situation(
            players=int(work["players"]),
            actor=int(work["player"][d]),
            stage=int(work["stage"][d]),
            cards=work["cards"].copy(),
            actions=work["action"][:d].copy(),
            legal=np.array([work["can_fold"][d] != 0, True, work["options"][d] > 1]),
            chances=work["chance"][d].copy(),
        )


@dataclass(frozen=True, eq=False)
class Simulation(Decisions):
    """Deals of a model that plays all seats.

    seats   number of players, or "irc" for the mix of the IRC database
    """

    model: Model
    rules: TableRules = field(default_factory=TableRules)
    seats: int | str = "irc"
    seed: int = 0

    @cached_property
    def desk(self) -> Desk:
        return Desk(self.model, self.rules.table)

    def play(self, deal: int) -> int:
        """Play a deal of the stream; the number of decisions."""
        rng = np.random.Generator(np.random.PCG64(derive_seed(self.seed, 1, deal)))
        players = int(np.searchsorted(np.cumsum(seat_chances(self.seats)), rng.random(), side="right"))
        dealt = rng.permutation(52)[: 2 * players + 5]
        cards = np.zeros(BOARD + 5, dtype=np.uint8)
        cards[: 2 * players], cards[BOARD:] = dealt[: 2 * players], dealt[2 * players :]
        self.desk.seat(players, cards)
        return self.desk.play(derive_seed(self.seed, 2, deal))

    def counts(self, deals: int) -> Ints:
        return np.array([self.play(deal) for deal in range(deals)])

    def situation(self, place: Place) -> Situation:
        self.play(place.deal)
        return self._situation(place.decision)


@dataclass(frozen=True, eq=False)
class MatchSimulation(Decisions):
    """Matches of an exploiter whose opponents all play the model that it watches them with. Values are of the deal
    alone: what a decision teaches for later deals of the match does not count.

    threads   that play matches to choose decisions from; they change the speed alone
    """

    guest: Guest
    contest: Contest = field(default_factory=Contest)
    seed: int = 0
    threads: int = 1

    @cached_property
    def desk(self) -> Desk:
        return self.guest.desk(rules_of_model(self.guest.opponents.base).table, self.contest.players)

    def describe(self, settings: Any) -> dict[str, Any]:
        """All that decides the errors."""
        weights, opponents, forgetful = self.guest
        return {
            "kibitz": "rollout errors of an exploiter",
            "weights": [checksum(each) for each in (weights.policy.flat, weights.reading)],
            "against": opponents.describe(),
            "forgetful": forgetful,
            "matches": [self.contest.players, self.contest.length],
            "rules": asdict(rules_of_model(opponents.base)),
            **asdict(settings),
        }

    def counts(self, deals: int) -> Ints:
        """Those of the exploiter in as many matches: hardly two are chosen of one, and taken as independent."""
        return measure_modelled(self.guest, self.contest, deals, self.seed, self.threads).decisions.ravel()

    def situation(self, place: Place) -> Situation:
        from kibitz.learning.exploiters._kernels import play_matches

        (number, deal), desk, contest = divmod(place.deal, self.contest.length), self.desk, self.contest
        found = Performance.empty((1, deal + 1), contest.players, self.guest.opponents.count)
        play_matches(self.seed, EVALUATION + number, contest.length, desk.game, desk.match, None, found)
        work, (_, _, (memory,), filters) = desk.work, desk.match
        mine = work["learners"] >> work["player"][: work["decisions"]] & 1
        sitting, carried = memory["player"].copy(), memory["carried"].copy()
        carried[sitting[: contest.players]] = filters["start"][0, : contest.players]  # the deal is not over yet
        return self._situation(np.flatnonzero(mine)[place.decision])._replace(sitting=sitting, carried=carried)
