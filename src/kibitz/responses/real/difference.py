"""How much more exploitable one strategy is than another, on the same flops.

Most of what a best response wins on a flop has to do with the flop. The difference of two strategies varies far less
from flop to flop than either, so its interval is much narrower than the two intervals suggest.
"""

from __future__ import annotations

from kibitz.errors import KibitzError
from kibitz.responses.real.boards import Flops
from kibitz.responses.real.preflop import deviation_of_mean
from kibitz.responses.real.response import Told, half_width_of_halves

__all__ = ["Told", "difference"]


def difference(one: Told, two: Told, flops: Flops) -> tuple[float, float]:
    """`lower` of `one` less that of `two`, both found on the sample `flops`, and half its 95 % interval."""
    if flops.exact or any(each.parts.shape != flops.halves.shape for each in (one, two)):
        raise KibitzError(f"the best responses were not found on these {len(flops)} flops")
    pairs = list(zip(one.parts - two.parts, flops.halves, strict=True))
    deviations = [deviation_of_mean(parts, told) for parts, told in pairs]
    return one.lower - two.lower, half_width_of_halves(deviations, [int(told.sum()) for _parts, told in pairs])
