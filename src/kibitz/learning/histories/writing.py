"""Hands in arrays as records of hands, which every writer of `kibitz.io` takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.games import Deal, Game, State
from kibitz.io.hand_check import returns_by_rules
from kibitz.io.record import HandRecord
from kibitz.learning.histories.hands import SHOWN, Hands
from kibitz.learning.records import SEATS
from kibitz.learning.states import LETTERS


def to_records(hands: Hands, numbers: Iterable[int] | None = None) -> Iterator[HandRecord]:
    """The records of some hands, of all unless given; results follow from the rules, and are None where cards are
    hidden that they depend on.
    """
    games: dict[tuple[int, int], Game] = {}
    for number in range(len(hands)) if numbers is None else numbers:
        players, rules = int(hands.players[number]), int(hands.rule_numbers[number])
        if (players, rules) not in games:
            games[players, rules] = hands.rules[rules].game(players)
        game = games[players, rules]
        state = State.start(game).play("".join(LETTERS[action] for action in hands.actions_of(number)))
        cards, seen = hands.cards[number].tolist(), hands.seen[number]
        hole = tuple(tuple(cards[2 * p : 2 * p + 2]) if seen[p] == SHOWN else () for p in range(players))
        deal = Deal(hole, tuple(cards[2 * SEATS : 2 * SEATS + game.board_ends[state.round]]))
        names = tuple(hands.name_list[name] for name in hands.names[number, :players])
        record = HandRecord(game, str(number), state.history, deal, names, source=hands.sources[number])
        yield record._replace(returns=returns_by_rules(record))
