"""Reading hand histories: Kibitz against PokerKit on the same hands, in turns, the best of several rounds.

Nobody reads a hand twice: every turn goes on where the last one ended, in hands of a random player.
Ours reads PHH by machine code once it has read HANDS_BEFORE hands (a warm-up reads one hand that often), the loading
left out. Until then, and so in every shorter collection, it is plain Python: those rows stand by themselves.
PokerKit's ACPC reader plays every hand out, its PHH loader takes the fields only and plays a hand when iterated.
So PHH has three kinds of rows: text to fields for the peer's `loads` (ours checks whose turn it is besides); the same
where the peer plays the hand, the only way in which it checks turns (and chips and pots besides); and the whole way to
a hand checked against the rules for both.
The format's authors measure their own reader by `loads`, on texts in memory, of hands that they have published
(phh-std, benchmark.rst), Pluribus's among them: 17 actions and 1.9 bets each. Those that mostly call have 48 and 11.
"""

from __future__ import annotations

import tarfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, repeat
from pathlib import Path

import numpy as np

from bench.timing import rates
from kibitz.games import State, deal_hands, load_game
from kibitz.io._phh_compiled import HANDS_BEFORE
from kibitz.io.acpc import format_hand
from kibitz.io.acpc_log import read_hands_of_log
from kibitz.io.record import HandRecord

TURNS = 20  # short ones: of many, some are not disturbed
OURS, PEER = 200, 50  # hands a turn
HANDS = TURNS * OURS + 1  # and one before the turns begin

# How long hands are decides how the readers compare, so both kinds are shown. Those who mostly fold come near the
# public Pluribus hands in boards, bets and shows per hand.
MOSTLY_FOLD, MOSTLY_CALL = "ffffffccrr", "fccccccrrr"
# The Pluribus hands themselves are no part of the project.
PLURIBUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "phh" / "pluribus-sessions.tar.xz"

Read = Callable[[int], object]


def run() -> list[dict[str, object]]:
    """Rows {name, ours, peer, ratio, unit, target}: hands read per second."""
    rows = []
    for kind in ("nolimit", "limit"):
        lines = [format_hand(record) for record in _records(f"holdem-{kind}-2p")]
        ours, peer = _ours_acpc(kind, iter(lines)), _peer_acpc(kind, iter(lines))
        rows.append(_row(f"read an ACPC log, {kind} (PokerKit from_acpc_protocol)", ours, peer, 20))
    mixes = {"that mostly fold": _phh_texts(MOSTLY_FOLD), "that mostly call": _phh_texts(MOSTLY_CALL)}
    if PLURIBUS.exists():
        mixes["of the Pluribus match"] = _pluribus_texts()
    else:
        print(f"no {PLURIBUS.name} beside the project: its hands are left out")
    rows += _phh_rows("the first", mixes)
    one = repeat(mixes["that mostly fold"][0], HANDS_BEFORE + 1)
    _ours_phh(one, checked=False)(HANDS_BEFORE + 1)  # the machine code is loaded
    rows += _phh_rows("many", mixes)
    texts = mixes["that mostly call"]
    ours, peer = _ours_phh(iter(texts), checked=False), _peer_phh(iter(texts), played=True)
    rows.append(
        _row("read many PHH hands that mostly call, turns checked (PokerKit loads and plays)", ours, peer, None)
    )
    texts = mixes["that mostly fold"]
    ours, peer = _ours_phh(iter(texts), checked=True), _peer_phh(iter(texts), played=True)
    rows.append(_row("read and check PHH hands (PokerKit loads and plays)", ours, peer, None))
    return rows


def _row(name: str, ours: Read, peer: Read, target: float | None) -> dict[str, object]:
    best = rates({"ours": (ours, OURS), "peer": (peer, PEER)}, TURNS)
    return {"name": name, **best, "ratio": best["ours"] / best["peer"], "unit": "hands/s", "target": target}


def _phh_rows(which: str, mixes: dict[str, list[str]]) -> list[dict[str, object]]:
    rows = []
    for kind, texts in mixes.items():
        ours, peer = _ours_phh(iter(texts), checked=False), _peer_phh(iter(texts), played=False)
        rows.append(_row(f"read {which} PHH hands, {kind} (PokerKit loads only)", ours, peer, 10))
    return rows


def _records(name: str, wishes: str = MOSTLY_FOLD) -> list[HandRecord]:
    """Hands of the game `name` from a seed, by players who draw their actions from `wishes`."""
    game = load_game(name)
    names = tuple([f"player{seat}" for seat in range(game.players)])
    rng = np.random.default_rng(1)
    records = []
    for number, deal in zip(range(HANDS), deal_hands(game, 1), strict=False):
        state = State.start(game, deal)
        while not state.finished:
            legal = state.legal()
            wish = wishes[rng.integers(len(wishes))]
            if wish == "r" and legal.max_raise_to and not legal.limit:
                wish += str(min(legal.min_raise_to + 25 * int(rng.integers(12)), legal.max_raise_to))
            state = state.apply(wish if wish in legal else "c")
        shown = deal._replace(board=state.board)
        seat = number % game.players  # the button moves on
        players = names[seat:] + names[:seat]
        records.append(HandRecord(game, str(number), state.history, shown, players, state.returns()))
    return records


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


def _phh_texts(wishes: str) -> list[str]:
    """One `.phh` file a hand, of six players as in published sessions, under the rules that PHH takes for granted."""
    from kibitz.io.phh import write_phh

    records = _records("holdem-nolimit-6p", wishes)
    game = replace(records[0].game, rules="tda", name="")
    return [write_phh(record._replace(game=game)) for record in records]


def _pluribus_texts() -> list[str]:
    """The `.phh` files of the match, as many as are read."""
    with tarfile.open(PLURIBUS) as archive:
        files = (archive.extractfile(member) for member in archive if member.isfile())
        return [file.read().decode() for file in islice(files, HANDS) if file is not None]


def _ours_phh(texts: Iterator[str], checked: bool) -> Read:
    from kibitz.io.phh import read_phh
    from kibitz.io.replay import check

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
