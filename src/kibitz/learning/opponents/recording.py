"""Simulated hands as a table records them: what a model that is fitted to them should find again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kibitz.learning.histories import SHOWN, Hands, hide_folded
from kibitz.learning.histories.hands import HIDDEN, UNKNOWN
from kibitz.learning.model import Model
from kibitz.learning.player_types import LAYER, LAYER_SIZE, TypedModel, make_filters
from kibitz.learning.records import SEATS, make_work
from kibitz.learning.tables import TableRules
from kibitz.random import derive_seed

_STREAM = 9
_BOARD_CARDS = (0, 3, 4, 5)
_NONE = np.zeros(1, dtype=np.int64)
Work = npt.NDArray[np.void]
Play = Callable[[int, Work], int]


def record_hands(
    model: Model | TypedModel,
    players: int,
    matches: int,
    deals: int,
    seed: int = 0,
    rules: TableRules | None = None,
) -> Hands:
    """Matches of so many deals between players of `model`; cards are known only from showdowns.

    Where it has types, each player has one for a match, and his name is that of the type and a number.
    """
    rules = rules or TableRules()
    rng = np.random.Generator(np.random.PCG64(derive_seed(seed, _STREAM)))
    count, work = matches * deals, make_work()
    cards = np.full((count, 2 * SEATS + 5), UNKNOWN, dtype=np.uint8)
    active, actions, names = np.zeros(count, dtype=np.int64), [], list[str]()
    for match in range(matches):
        if isinstance(model, TypedModel):
            types = rng.choice(model.count, players, p=model.weights.initial[: model.count])
            play = _with_types(model, rules, players, types)
        else:
            types, play = np.zeros(players, dtype=np.int64), _without_types(model, rules, players)
        names += [f"type{types[p]}.{match}.{p}" for p in range(players)]
        for number in range(match * deals, (match + 1) * deals):
            dealt = rng.permutation(52)[: 2 * players + 5]
            work["cards"][0, : 2 * players], work["cards"][0, 2 * SEATS :] = dealt[: 2 * players], dealt[2 * players :]
            done = play(derive_seed(seed, _STREAM, number), work)
            actions.append(work["action"][0, :done].copy())
            _, active[number], stage, _, _ = work["counts"][0]
            seen = _BOARD_CARDS[stage]
            cards[number, : 2 * players] = dealt[: 2 * players]
            cards[number, 2 * SEATS : 2 * SEATS + seen] = dealt[2 * players :][:seen]
    match_of = np.repeat(np.arange(matches), deals)
    seen_cards = np.full((count, SEATS), HIDDEN, dtype=np.uint8)
    seen_cards[:, :players] = SHOWN
    numbers = np.full((count, SEATS), -1, dtype=np.int64)
    numbers[:, :players] = _who_sits(players, np.arange(count) % deals) + players * match_of[:, None]
    found = Hands(
        np.full(count, players), cards, seen_cards, np.cumsum([0, *map(len, actions)]), np.concatenate(actions), active,
        match_of, numbers, np.zeros(count, dtype=np.int64), (rules,), tuple(names),
        tuple(f"match {m}" for m in match_of),
    )  # fmt: skip
    return hide_folded(found)


def _who_sits(players: int, deal: npt.NDArray[np.int64] | int) -> npt.NDArray[np.int64]:
    """The players of the seats in a deal of a match: the button goes round."""
    return np.asarray((np.arange(players) - np.asarray(deal)[..., None]) % players)


def _without_types(model: Model, rules: TableRules, players: int) -> Play:
    from kibitz.learning import _kernels

    def play(key: int, work: Work) -> int:
        return _kernels.play_one(
            players, np.uint64(key), _NONE, 0, model.record, model.record, 0, False, rules.table,
            model.structure.mode, work,
        )  # fmt: skip

    return play


def _with_types(model: TypedModel, rules: TableRules, players: int, types: npt.NDArray[np.int64]) -> Play:
    from kibitz.learning.player_types import _kernels

    match, filters, layer = model.begin_match(), make_filters(), np.zeros(LAYER_SIZE).view(LAYER)
    match["drawn"][0, :players] = types
    deal = 0

    def play(key: int, work: Work) -> int:
        nonlocal deal
        match["player"][0, :players] = _who_sits(players, deal)
        deal += 1
        weights, kinds = model.base.record, model.record
        done: int = _kernels.play_typed_one(
            players, np.uint64(key), _NONE, 0, False, -1, weights, kinds, layer, weights, kinds, rules.table,
            model.base.structure.mode, work, match, filters,
        )  # fmt: skip
        return done

    return play
