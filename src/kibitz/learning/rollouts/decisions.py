"""Decisions of simulated deals, chosen at random, and their rollouts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.model import Model
from kibitz.learning.records import make_work
from kibitz.learning.tables import TableRules, seat_chances
from kibitz.random import derive_seed

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BOARD = 20  # where the board begins among the cards of a deal
VISIBLE = (0, 3, 4, 5)  # cards of the board by stage


class Place(NamedTuple):
    """A decision: the number of its deal in the stream of a seed, and its number in the deal."""

    deal: int
    decision: int


class Situation(NamedTuple):
    """What the actor of a decision knows.

    cards    uint8[25]: hole cards by seat, of which only the actor's count, and from BOARD on the board
    actions  of the deal so far: 0 fold, 1 call, 2 raise
    legal    bool[3]
    chances  float64[3], the policy's
    """

    players: int
    actor: int
    stage: int
    cards: npt.NDArray[np.uint8]
    actions: Ints
    legal: npt.NDArray[np.bool_]
    chances: Floats


@dataclass(frozen=True, eq=False)
class Simulation:
    """Deals of a model that plays all seats.

    seats   number of players, or "irc" for the mix of the IRC database
    """

    model: Model
    rules: TableRules = field(default_factory=TableRules)
    seats: int | str = "irc"
    seed: int = 0

    @cached_property
    def work(self) -> Any:
        """Scratch memory of one deal."""
        return make_work()

    @property
    def _how(self) -> tuple[Any, ...]:
        """Rules, variants and memory, as kernels take them."""
        return self.rules.table, self.model.structure.mode, self.work

    @cached_property
    def _seats(self) -> Floats:
        return np.cumsum(seat_chances(self.seats))

    def play(self, deal: int) -> int:
        """Play a deal of the stream; what was decided is then in `work`. The number of decisions."""
        from kibitz.learning import _kernels

        rng = np.random.Generator(np.random.PCG64(derive_seed(self.seed, 1, deal)))
        players = int(np.searchsorted(self._seats, rng.random(), side="right"))
        dealt = rng.permutation(52)[: 2 * players + 5]
        cards = self.work["cards"][0]
        cards[: 2 * players], cards[BOARD:] = dealt[: 2 * players], dealt[2 * players :]
        weights, none = self.model.record, np.zeros(1, dtype=np.int64)
        key = np.uint64(derive_seed(self.seed, 2, deal))
        return int(_kernels.play_one(players, key, none, 0, weights, weights, 0, False, *self._how))

    def choose(self, count: int) -> list[Place]:
        """So many decisions, each equally likely among all those of as many deals; in the order of deals."""
        return choose_places(np.array([self.play(deal) for deal in range(count)]), count, self.seed)

    def situation(self, place: Place) -> Situation:
        """What the actor knows in a decision of the stream."""
        self.play(place.deal)
        work, d = self.work.view(np.recarray)[0], place.decision
        return Situation(
            players=int(work.counts[3]),
            actor=int(work.player[d]),
            stage=int(work.stage[d]),
            cards=work.cards.copy(),
            actions=work.action[:d].copy(),
            legal=work.chance[d] > 0,
            chances=work.chance[d].copy(),
        )

    def roll_out(
        self, situation: Situation, samples: int, key: int, first: int = 0, common: bool = True
    ) -> tuple[Floats, Floats]:
        """Values float64[samples, 3] of the options, nan where not legal, and ln p, float64[samples].

        Sample number j depends on `key` and j alone. common: later actions are drawn by the same numbers for all
        options, which makes their difference less noisy.
        """
        from kibitz.learning.rollouts import _kernels

        values, logs = np.empty((samples, 3)), np.empty(samples)
        forced = np.append(situation.actions, 0)
        self.work["cards"][0] = situation.cards
        weights = self.model.record
        _kernels.roll_out(
            np.uint64(key), first, situation.players, situation.actor, VISIBLE[situation.stage], forced,
            len(situation.actions), common, weights, weights, 0, False, *self._how, situation.legal, values, logs,
        )  # fmt: skip
        return values, logs


def choose_places(counts: Ints, count: int, seed: int) -> list[Place]:
    """So many decisions, each equally likely, of deals with counts : int64[deals] decisions; in the order of deals."""
    if count < 1:
        raise KibitzError(f"{count} decisions: at least one is needed")
    ends = np.cumsum(counts)
    rng = np.random.Generator(np.random.PCG64(derive_seed(seed, 3)))
    chosen = np.sort(rng.choice(ends[-1], count, replace=False))
    deals = np.searchsorted(ends, chosen, side="right")
    return [
        Place(int(deal), int(number - ends[deal] + counts[deal])) for deal, number in zip(deals, chosen, strict=True)
    ]
