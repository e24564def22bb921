"""Ctrl-C ends a long computation after the piece of it that is under way; pieces change no result."""

import signal
import threading
import time

import pytest

from kibitz.equity import _kernels, compute_equity, exact, sampled

TIGHT = ["QQ+"] * 4 + ["QQ:0.2,KK,AA:0.5", "99-JJ"]  # which seldom fit together, and are weighted
LONG = {
    "count_pairs": (["22+,A2s+", "TT+,AKo"], {"method": "exact"}),
    "count_players": (["AA,KK", "QQ,JJ", "TT,99"], {"method": "exact", "board": "2c7d"}),
    "deal_samples": (["random", "22+"], {"method": "sample", "samples": 10**7}),
    "deal_weighted": (TIGHT, {"method": "sample", "samples": 10**7, "board": "Qh7h2s3c9c"}),
}
BEGUN, THREADS = 5, 2


@pytest.mark.parametrize("kernel", LONG)
def test_little_is_done_after_an_interrupt(kernel, monkeypatch):
    hands, options = LONG[kernel]
    work, calls = getattr(_kernels, kernel), []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == BEGUN:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        if len(calls) >= BEGUN:
            time.sleep(0.2)  # in which whoever waits for it hears of it
        return work(*arguments)

    monkeypatch.setattr(_kernels, kernel, interrupted)
    with pytest.raises(KeyboardInterrupt):
        compute_equity(hands, threads=THREADS, **options)
    assert len(calls) <= BEGUN + 4 * THREADS, "of thousands"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("hands", "options"),
    [
        (["AA:0.3,KK", "QQ,AKs:0.7"], {"method": "exact", "board": "2c7d"}),
        (["AA:0.3,KK", "QQ,AKs:0.7", "JJ"], {"method": "exact", "board": "2c7d9h"}),
        (["AA:0.3,KK", "QQ,AKs:0.7"], {"method": "sample", "samples": 3000}),
        (TIGHT, {"method": "sample", "samples": 3000, "board": "Qh7h2s3c9c"}),
    ],
)
def test_pieces_change_no_bit(hands, options, threads, monkeypatch):
    whole = compute_equity(hands, threads=threads, **options)
    monkeypatch.setattr(exact, "_PIECE_VALUES", 1)
    monkeypatch.setattr(sampled, "_FEWEST", 3)
    monkeypatch.setattr(sampled, "_PIECE_SECONDS", 0.0)
    assert compute_equity(hands, threads=threads, **options) == whole
