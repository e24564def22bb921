"""Simulated hands as a table records them: what a model that is fitted to them should find again."""

from __future__ import annotations

import numpy as np

from kibitz.games import Deal
from kibitz.io.record import HandRecord
from kibitz.learning.desk import Desk
from kibitz.learning.histories import Hand, Hands, gather, hide_folded
from kibitz.learning.model import Model
from kibitz.learning.player_types import TypedModel
from kibitz.learning.records import SEATS
from kibitz.learning.states import LETTERS
from kibitz.learning.tables import TableRules
from kibitz.random import derive_seed

_STREAM = 9


def record_hands(
    model: Model | TypedModel,
    players: int,
    matches: int,
    deals: int,
    seed: int = 0,
    rules: TableRules | None = None,
    hide: bool = True,
) -> Hands:
    """Matches of so many deals between players of `model`; to `hide` leaves only the cards that came to a showdown.

    Where it has types, each player has one for a match, and his name is that of the type and a number.
    """
    rng, rules, found = np.random.Generator(np.random.PCG64(derive_seed(seed, _STREAM))), rules or TableRules(), []
    game = rules.game(players)
    for match in range(matches):
        types, table = np.zeros(players, dtype=np.int64), rules.table
        if isinstance(model, TypedModel):
            types = rng.choice(model.count, players, p=model.weights.initial[: model.count])
            memory = model.begin_match()
            memory.memory["drawn"][0, :players] = types
            desk = Desk(model.base, table, match=memory)
        else:
            desk = Desk(model, table)
        names = [f"type{types[p]}.{match}.{p}" for p in range(players)]
        for deal in range(deals):
            seated = (np.arange(SEATS) - deal) % players  # the button goes round
            if desk.match:
                desk.match.memory["player"] = seated
            dealt, cards = rng.permutation(52), np.zeros(2 * SEATS + 5, dtype=np.uint8)
            cards[: 2 * players], cards[2 * SEATS :] = dealt[: 2 * players], dealt[2 * players : 2 * players + 5]
            desk.seat(players, cards)
            count = desk.play(derive_seed(seed, _STREAM, match * deals + deal))
            work, known = desk.work, cards.tolist()
            hole = tuple(tuple(known[2 * p : 2 * p + 2]) for p in range(players))
            board = tuple(known[2 * SEATS :][: game.board_ends[work["round"]]])
            history, sitting = (
                "".join(LETTERS[each] for each in work["action"][:count]),
                [names[p] for p in seated[:players]],
            )
            record = HandRecord(game, str(deal), history, Deal(hole, board), (*sitting,), source=f"match {match}")
            found.append(Hand(record, rules, ~int(work["active"])))
    hands = gather(found)
    return hide_folded(hands) if hide else hands
