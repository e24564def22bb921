"""Reading hand histories: Kibitz against PokerKit on the same text, in turns, the best of several rounds.

PokerKit's ACPC reader plays every hand out, its PHH loader takes the fields only and plays a hand when iterated.
So PHH has two rows: text to fields for the peer's `loads`, and the whole way to a hand checked against the rules.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

from bench.timing import rates
from kibitz.games import State, deal_hands, load_game
from kibitz.io.acpc import format_hand
from kibitz.io.acpc_log import read_hands_of_log
from kibitz.io.record import HandRecord

HANDS = 200  # in one text
OURS, PEER = 10_000, 200  # hands a turn

Read = Callable[[int], object]


def run() -> list[dict[str, object]]:
    """Rows {name, ours, peer, ratio, unit, target}: hands read per second."""
    rows = [
        _row(f"read an ACPC log, {kind} (PokerKit from_acpc_protocol)", _ours_acpc(kind), _peer_acpc(kind), 20)
        for kind in ("nolimit", "limit")
    ]
    texts = _phh_texts()
    ours, peer = _ours_phh(texts, checked=True), _peer_phh(texts, played=True)
    rows.append(_row("read and check PHH hands (PokerKit loads and plays)", ours, peer, 10))
    ours, peer = _ours_phh(texts, checked=False), _peer_phh(texts, played=False)
    rows.append(_row("read PHH hands (PokerKit loads, plays nothing)", ours, peer, None))
    return rows


def _row(name: str, ours: Read, peer: Read, target: float | None) -> dict[str, object]:
    best = rates({"ours": (ours, OURS), "peer": (peer, PEER)})
    return {"name": name, **best, "ratio": best["ours"] / best["peer"], "unit": "hands/s", "target": target}


def _records(kind: str) -> list[HandRecord]:
    """Heads-up hands from a seed in which both call most bets; raises come in turns."""
    game = load_game(f"holdem-{kind}-2p")
    records = []
    for number, deal in zip(range(HANDS), deal_hands(game, 1), strict=False):
        state, step = State.start(game, deal), number
        while not state.finished:
            legal = state.legal()
            wish = "cccrcfcrcc"[step % 10]
            if wish == "r" and legal.max_raise_to:
                wish = "r" if legal.limit else f"r{legal.min_raise_to}"
            state, step = state.apply(wish if wish in legal else "c"), step + 1
        shown = deal._replace(board=state.board)
        names = ("alpha", "beta") if number % 2 == 0 else ("beta", "alpha")
        records.append(HandRecord(game, str(number), state.history, shown, names, state.returns()))
    return records


def _ours_acpc(kind: str) -> Read:
    lines = [format_hand(record) + "\n" for record in _records(kind)]
    game = load_game(f"holdem-{kind}-2p")

    def read(hands: int) -> object:
        return sum(1 for _ in read_hands_of_log((lines * (hands // HANDS + 1))[:hands], "log", game))

    return read


def _peer_acpc(kind: str) -> Read:
    import pokerkit

    text = "\n".join(format_hand(record) for record in _records(kind))
    if kind == "nolimit":
        game, stack = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100), 20_000
    else:
        game, stack = pokerkit.FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20), 10**6

    def read(hands: int) -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            count = sum(1 for _ in pokerkit.HandHistory.from_acpc_protocol(game, stack, text))
        assert count == HANDS == PEER, f"the peer reads {count} of {HANDS} hands"
        return count

    return read


def _phh_texts() -> list[str]:
    """One `.phh` file a hand, under the rules that PHH takes for granted."""
    from kibitz.io.phh import write_phh

    records = _records("nolimit")
    game = replace(records[0].game, rules="tda", name="")
    return [write_phh(record._replace(game=game)) for record in records]


def _ours_phh(texts: list[str], checked: bool) -> Read:
    from kibitz.io.phh import read_phh
    from kibitz.io.replay import check

    def read(hands: int) -> object:
        for index in range(hands):
            for record in read_phh(texts[index % HANDS], "hand.phh"):
                if checked:
                    assert not check(record)
        return None

    return read


def _peer_phh(texts: list[str], played: bool) -> Read:
    import pokerkit

    def read(hands: int) -> object:
        for index in range(hands):
            hand = pokerkit.HandHistory.loads(texts[index % HANDS])
            if played:
                for _state in hand:
                    pass
        return None

    return read


if __name__ == "__main__":
    for row in run():
        print(row)
