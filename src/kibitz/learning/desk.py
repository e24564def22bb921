"""A table at which kernels play one deal at a time for Python: memory, rules, and the weights of those at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.learning.model import Floats, Model
from kibitz.learning.player_types import Match
from kibitz.learning.records import Game, make_work

Cards = npt.NDArray[np.uint8]


class Desk:
    """Plays deals, or asks what somebody would do; what was seen and decided stays in `work` until the next.

    model      what those play who learn or are asked
    observer   what everybody else plays, and is watched with; the same where none is given
    match      among players with types, whose memory goes from deal to deal
    """

    def __init__(
        self,
        model: Model,
        table: npt.NDArray[np.void],
        observer: Model | None = None,
        match: Match | None = None,
        memory: npt.NDArray[np.void] | None = None,
    ) -> None:
        self.model, self.memory = model, make_work() if memory is None else memory
        self.match: Any = match
        self.work: Any = self.memory[0]
        watching = (observer or model).record
        self.game = Game(model.record, watching, table, model.structure.mode, self.memory)
        self.work["separate"] = observer is not None and observer is not model

    def seat(self, players: int, cards: Cards | None = None, table: npt.NDArray[np.void] | None = None) -> None:
        """So many players sit down; cards : uint8[25], two for each and the board from 20 on."""
        self.work["players"] = players
        if cards is not None:
            self.work["cards"] = cards
        if table is not None:
            self.game = self.game._replace(table=table)

    def play(self, key: int, actions: Sequence[int] | npt.NDArray[np.int64] = (), learners: int = 0) -> int:
        """Play the deal, which begins with these actions, to its end; the number of decisions.

        key        uint64, from which actions are drawn
        learners   mask of seats that play the model, where the observer is another
        """
        from kibitz.learning import _kernels

        self._force(actions, learners, False)
        _kernels.play_one(np.uint64(key), self.game, self.match)
        return int(self.work["decisions"])

    def ask(self, actions: Sequence[int] | npt.NDArray[np.int64], holes: Cards, learners: int = -1) -> Floats:
        """What the player to act after these actions does with each of holes : uint8[n, 2], float64[3, n]."""
        from kibitz.learning import _kernels

        chances = np.zeros((3, len(holes)))
        self._force(actions, learners, True)
        _kernels.advise(holes, self.game, chances, self.match)
        return chances

    def _force(self, actions: Sequence[int] | npt.NDArray[np.int64], learners: int, asked: bool) -> None:
        work = self.work
        work["forced"][: len(actions)] = actions
        work["forced_count"], work["asked"] = len(actions), asked
        work["learners"], work["rivals"] = learners, 0
