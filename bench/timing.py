"""Fair timing on a noisy machine: contestants take turns, and each keeps its best turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter


def rates(
    contestants: Mapping[str, tuple[Callable[[int], object], int]],
    turns: int = 5,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """Work per second of each contestant, name -> (function of an amount of work, that amount).

    clock   `time.process_time` where all work is done in one thread of this process: what others do on the machine
            then counts for nothing

    Every function runs once for nothing (compilers, caches), then all take turns, so that whatever else the machine
    does hits them alike.
    """
    for function, _amount in contestants.values():
        function(1)
    best = dict.fromkeys(contestants, 0.0)
    for _ in range(turns):
        for name, (function, amount) in contestants.items():
            start = clock()
            function(amount)
            best[name] = max(best[name], amount / (clock() - start))
    return best
