"""Reading hand histories: Kibitz against PokerKit on the same hands, in turns, the best of several rounds.

Nobody reads a hand twice: every turn goes on where the last one ended, in hands of a random player.
Ours reads PHH by a general reader in Python at first, and by machine code from the hand on from which that pays. The
rows keep the two apart; a ratio is wanted of machine code. One more row reads the whole Pluribus match in one pass as
a user would, whichever reader takes each hand, loading of the machine code included (numba itself is loaded before).
PokerKit's ACPC reader plays every hand out, its PHH loader takes the fields only and plays a hand when iterated.
So PHH has two kinds of rows: text to fields for the peer's `loads`, where ours checks whose turn it is besides, and
counts the chips where a hand tells its winnings; and the whole way to a hand checked against the rules for both.
The format's authors measure their own reader by `loads`, on texts in memory, of hands that they have published
(phh-std, benchmark.rst).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from unittest.mock import patch

from bench.phh_texts import MOSTLY_CALL, MOSTLY_FOLD, PLURIBUS, cash_texts, phh_texts, pluribus_texts, records
from bench.timing import rates
from kibitz.games import load_game
from kibitz.io.acpc import format_hand
from kibitz.io.acpc.log import read_hands_of_log
from kibitz.io.phh import read_phh, reading
from kibitz.io.phh.compiled import read_regular

TURNS = 20  # short ones: of many, some are not disturbed
OURS, PEER = 200, 50  # hands a turn
HANDS = TURNS * OURS + 1  # and one before the turns begin
MATCH = 7_310  # hands of the Pluribus match

Read = Callable[[int], object]


def run() -> list[dict[str, object]]:
    """Rows {name, ours, peer, ratio, unit, target}: hands read per second."""
    rows = []
    for kind in ("nolimit", "limit"):
        lines = [format_hand(record) for record in records(f"holdem-{kind}-2p", HANDS)]
        ours, peer = _ours_acpc(kind, iter(lines)), _peer_acpc(kind, iter(lines))
        rows.append(_row(f"read an ACPC log, {kind} (PokerKit from_acpc_protocol)", ours, peer, 20))
    mixes = {
        "that mostly fold": phh_texts(HANDS, MOSTLY_FOLD),
        "that mostly call": phh_texts(HANDS, MOSTLY_CALL),
        "of cash tables": [*cash_texts(HANDS)],
    }
    if PLURIBUS.exists():
        mixes["of the Pluribus match"] = pluribus_texts(HANDS)
        rows.append(_row_of_a_match(pluribus_texts(MATCH)))
    else:
        print(f"no {PLURIBUS.name} beside the project: its hands are left out")
    with patch.object(reading, "compiled_reader", lambda text: None):
        rows += _phh_rows("by the general reader", mixes, None)
    with patch.object(reading, "compiled_reader", lambda text: read_regular):
        rows += _phh_rows("by machine code", mixes, 10)
        for kind, texts in mixes.items():
            ours, peer = _ours_phh(iter(texts), checked=True), _peer_phh(iter(texts), played=True)
            rows.append(_row(f"read and check PHH hands, {kind} (PokerKit loads and plays)", ours, peer, 10))
    return rows


def _row_of_a_match(texts: list[str]) -> dict[str, object]:
    """All hands in one pass by a process in which other kernels have run, and which has read no hand before."""
    read_regular(texts[0], "")  # a kernel has run

    def ours(hands: int) -> object:
        for module in ("compiled", "_kernels"):
            sys.modules.pop(f"kibitz.io.phh.{module}", None)  # so that machine code is loaded anew
        with patch.multiple(reading, _read_regular=None, _hands=0):
            return _ours_phh(iter(texts), checked=False)(hands)

    peer = _peer_phh(cycle(texts), played=False)
    # Turns of like length are disturbed alike.
    best = rates({"ours": (ours, MATCH), "peer": (peer, MATCH // 10)}, TURNS)
    name = f"read the {MATCH:,} PHH hands of the Pluribus match in one pass (PokerKit loads only)"
    return {"name": name, **best, "ratio": best["ours"] / best["peer"], "unit": "hands/s", "target": 10}


def _row(name: str, ours: Read, peer: Read, target: float | None) -> dict[str, object]:
    best = rates({"ours": (ours, OURS), "peer": (peer, PEER)}, TURNS)
    return {"name": name, **best, "ratio": best["ours"] / best["peer"], "unit": "hands/s", "target": target}


def _phh_rows(how: str, mixes: dict[str, list[str]], target: float | None) -> list[dict[str, object]]:
    rows = []
    for kind, texts in mixes.items():
        ours, peer = _ours_phh(iter(texts), checked=False), _peer_phh(iter(texts), played=False)
        rows.append(_row(f"read PHH hands {how}, {kind} (PokerKit loads only)", ours, peer, target))
    return rows


def _ours_acpc(kind: str, lines: Iterator[str]) -> Read:
    game = load_game(f"holdem-{kind}-2p")

    def read(hands: int) -> object:
        return sum(1 for _ in read_hands_of_log(islice(lines, hands), "log", game))

    return read


def _peer_acpc(kind: str, lines: Iterator[str]) -> Read:
    import pokerkit

    if kind == "nolimit":
        game, stack = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100), 20_000
    else:
        game, stack = pokerkit.FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20), 10**6

    def read(hands: int) -> object:
        text = "\n".join(islice(lines, hands))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            count = sum(1 for _ in pokerkit.HandHistory.from_acpc_protocol(game, stack, text))
        assert count == hands, f"the peer reads {count} of {hands} hands"
        return count

    return read


def _ours_phh(texts: Iterator[str], checked: bool) -> Read:
    from kibitz.io.hand_check import check

    def read(hands: int) -> object:
        for text in islice(texts, hands):
            for record in read_phh(text, "hand.phh"):
                if checked:
                    assert not check(record)
        return None

    return read


def _peer_phh(texts: Iterator[str], played: bool) -> Read:
    import pokerkit

    def read(hands: int) -> object:
        for text in islice(texts, hands):
            hand = pokerkit.HandHistory.loads(text)
            if played:
                for _state in hand:
                    pass
        return None

    return read


if __name__ == "__main__":
    for row in run():
        print(row)
