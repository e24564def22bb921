"""Hands of a model against itself as a table records them: what an opponent model should find again."""

from __future__ import annotations

import numpy as np

from kibitz.learning.histories import SHOWN, Hands, hide_folded
from kibitz.learning.histories.hands import HIDDEN, UNKNOWN
from kibitz.learning.model import Model
from kibitz.learning.records import SEATS, make_work
from kibitz.learning.tables import TableRules
from kibitz.random import derive_seed

_STREAM = 9
_BOARD_CARDS = (0, 3, 4, 5)


def record_hands(
    model: Model, players: int, matches: int, deals: int, seed: int = 0, rules: TableRules | None = None
) -> Hands:
    """Matches of so many deals in which `model` sits in every seat; cards are known only from showdowns."""
    from kibitz.learning import _kernels

    rules, work, none = rules or TableRules(), make_work(), np.zeros(1, dtype=np.int64)
    count = matches * deals
    cards = np.full((count, 2 * SEATS + 5), UNKNOWN, dtype=np.uint8)
    active, actions = np.zeros(count, dtype=np.int64), []
    rng = np.random.Generator(np.random.PCG64(derive_seed(seed, _STREAM)))
    for number in range(count):
        dealt = rng.permutation(52)[: 2 * players + 5]
        work["cards"][0, : 2 * players], work["cards"][0, 2 * SEATS :] = dealt[: 2 * players], dealt[2 * players :]
        done = _kernels.play_one(
            players, np.uint64(derive_seed(seed, _STREAM, number)), none, 0, model.record, model.record, 0, False,
            rules.table, model.structure.mode, work,
        )  # fmt: skip
        actions.append(work["action"][0, :done].copy())
        _, active[number], stage, _, _ = work["counts"][0]
        cards[number, : 2 * players] = dealt[: 2 * players]
        cards[number, 2 * SEATS : 2 * SEATS + _BOARD_CARDS[stage]] = dealt[2 * players :][: _BOARD_CARDS[stage]]
    seen = np.full((count, SEATS), HIDDEN, dtype=np.uint8)
    seen[:, :players] = SHOWN
    names = np.full((count, SEATS), -1, dtype=np.int64)
    names[:, :players] = (np.arange(players) - np.arange(count)[:, None]) % players  # the button goes round
    match = np.repeat(np.arange(matches), deals)
    return hide_folded(
        Hands(
            np.full(count, players),
            cards,
            seen,
            np.cumsum([0, *map(len, actions)]),
            np.concatenate(actions),
            active,
            match,
            names + players * match[:, None] * (names >= 0),
            np.zeros(count, dtype=np.int64),
            (rules,),
            tuple(f"{m}.{p}" for m in range(matches) for p in range(players)),
            tuple(f"match {m}" for m in match),
        )
    )
