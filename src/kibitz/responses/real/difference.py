"""How much more exploitable one strategy is than another, on the same flops.

Most of what a best response wins on a flop has to do with the flop. The difference of two strategies varies far less
from flop to flop than either, so its interval is much narrower than the two intervals suggest.
"""

from __future__ import annotations

from kibitz.errors import KibitzError
from kibitz.responses.real.boards import Flops
from kibitz.responses.real.preflop import deviation_of_mean
from kibitz.responses.real.response import RealExploitability, half_width_of_halves


def difference(one: RealExploitability, two: RealExploitability, flops: Flops) -> tuple[float, float]:
    """`lower` of `one` less that of `two`, both found on `flops`, and half its 95 % interval: chips per hand."""
    if flops.exact:
        return one.exploitability - two.exploitability, 0.0
    if any(len(seat.parts[0]) != len(flops) for each in (one, two) for seat in each.seats):
        raise KibitzError(f"the best responses were not found on these {len(flops)} flops")
    first, second = (sum(seat.parts for seat in each.seats) / 2 for each in (one, two))
    pairs = list(zip(first - second, flops.halves, strict=True))
    deviations = [deviation_of_mean(parts, told) for parts, told in pairs]
    return one.lower - two.lower, half_width_of_halves(deviations, [int(told.sum()) for _parts, told in pairs])
