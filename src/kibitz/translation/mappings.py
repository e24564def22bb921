"""Mappings: how likely a bet of x pots is translated to the smaller of its two neighbours on the menu.

Ganzfried and Sandholm 2013. Sizes are fractions of the pot, which is 1 before the bet; 0 is a check or a call. A bet x
between neighbours a <= x <= b is translated to a with probability f(x; a, b), else to b. Every function below takes
numbers or arrays that broadcast, with 0 <= a <= x <= b and a < b, and gives f.

>>> round(rand_psharmonic(0.25, 0.0, 1.0), 3)
0.6
>>> probabilities(0.7, [0.0, 0.5, 1.0, 20.0], "rand-psharmonic").round(3).tolist()
[0.0, 0.529, 0.471, 0.0]

The deterministic mappings read x as a below a threshold, the median of their randomised sisters, and as b from it on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.arguments import did_you_mean
from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
Mapping = Callable[[Any, Any, Any], Any]  # numbers give a number, arrays an array


class TranslationError(KibitzError):
    """A mapping, size or setting that does not exist or makes no sense."""


def det_arithmetic(x: Any, a: Any, b: Any) -> Any:
    """1 below the arithmetic mean (a + b) / 2. Tartanian1, 2007."""
    return (x < (a + b) / 2) * 1.0


def rand_arithmetic(x: Any, a: Any, b: Any) -> Any:
    """(b - x) / (b - a). AggroBot, 2006."""
    return (b - x) / (b - a)


def det_geometric(x: Any, a: Any, b: Any) -> Any:
    """1 where a / x > x / b, that is below the geometric mean. Tartanian2, 2008; SartreNL when it builds cases."""
    return (x * x < a * b) * 1.0


def rand_geometric_1(x: Any, a: Any, b: Any) -> Any:
    """a (b - x) / (a (b - x) + x (x - a)); 0 for a = 0. Sartre and Hyperborean."""
    near, far = a * (b - x), x * (x - a)
    return near / _not_zero(near + far)


def rand_geometric_2(x: Any, a: Any, b: Any) -> Any:
    """a (b + x) (b - x) / ((b - a) (x^2 + a b)); 0 for a = 0. Tartanian4, 2010."""
    return a * (b + x) * (b - x) / _not_zero((b - a) * (x * x + a * b))


def det_psharmonic(x: Any, a: Any, b: Any) -> Any:
    """1 below (a + b + 2ab) / (a + b + 2). Tartanian5, 2012."""
    return (x < (a + b + 2 * a * b) / (a + b + 2)) * 1.0


def rand_psharmonic(x: Any, a: Any, b: Any) -> Any:
    """(b - x) (1 + a) / ((b - a) (1 + x)): the pseudo-harmonic mapping of the paper.

    Whoever calls a with probability 1 / (1 + a) and b with 1 / (1 + b) then calls x with 1 / (1 + x).
    """
    return (b - x) * (1 + a) / ((b - a) * (1 + x))


def _not_zero(denominator: Any) -> Any:
    """1 instead of 0: what is 0 / 0 at a = x = 0, or where products of the smallest numbers vanish, becomes 0."""
    return denominator + (denominator == 0)


MAPPINGS: dict[str, Mapping] = {
    "det-arith": det_arithmetic,
    "rand-arith": rand_arithmetic,
    "det-geo": det_geometric,
    "rand-geo-1": rand_geometric_1,
    "rand-geo-2": rand_geometric_2,
    "det-psharmonic": det_psharmonic,
    "rand-psharmonic": rand_psharmonic,
}


def find_mapping(name: str) -> Mapping:
    """The mapping called `name`; the paper's own spelling (Rand-psHar) is understood too."""
    key = str(name).lower().replace("_", "-")
    key = f"{key}monic" if key.endswith("pshar") else key
    if key not in MAPPINGS:
        raise TranslationError(f"no mapping {name!r}{did_you_mean(key, MAPPINGS)}: there are {', '.join(MAPPINGS)}")
    return MAPPINGS[key]


def probabilities(x: npt.ArrayLike, sizes: Sequence[float] | Floats, mapping: str | Mapping) -> Floats:
    """How likely each of `sizes` is what the bets `x` are translated to: float64[*x.shape, len(sizes)].

    sizes   pot fractions in ascending order, 0 for a check or call where that is on the menu
    Bets below the first size are translated to the first, bets above the last as the last.
    """
    f = mapping if callable(mapping) else find_mapping(mapping)
    menu = _checked_sizes(sizes)
    bets = _numbers(x, "a bet is a number of pots, such as 0.7")
    if not np.isfinite(bets).all() or (bets < 0).any():
        raise TranslationError(f"a bet of {x!r} pots: a bet is at least 0")
    inside = np.clip(bets, menu[0], menu[-1])
    result = np.zeros((*bets.shape, len(menu)))
    if len(menu) == 1:
        return result + 1.0
    below = np.clip(np.searchsorted(menu, inside, side="right") - 1, 0, len(menu) - 2)
    share = f(inside, menu[below], menu[below + 1])
    # A bet that is on the menu is that bet, whatever the mapping does there (the geometric ones have f = 0 at a = 0).
    share = np.where(inside == menu[below], 1.0, np.where(inside == menu[below + 1], 0.0, share))
    np.put_along_axis(result, below[..., None], share[..., None], axis=-1)
    np.put_along_axis(result, below[..., None] + 1, 1.0 - share[..., None], axis=-1)
    return result


def translate(
    x: npt.ArrayLike, sizes: Sequence[float] | Floats, mapping: str | Mapping, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Which of `sizes` the bets `x` are translated to, drawn by `probabilities`: int64, one index per bet."""
    cumulative = np.cumsum(probabilities(x, sizes, mapping), axis=-1)
    drawn = generator.random(cumulative.shape[:-1])[..., None] * cumulative[..., -1:]
    return np.asarray((drawn >= cumulative).sum(axis=-1), dtype=np.int64)


def _checked_sizes(sizes: Sequence[float] | Floats) -> Floats:
    menu = _numbers(sizes, "sizes are a list of pot fractions, such as [0.5, 1]")
    if menu.ndim != 1 or not len(menu) or not np.isfinite(menu).all() or menu[0] < 0 or (np.diff(menu) <= 0).any():
        raise TranslationError(f"sizes {menu.tolist()}: pot fractions in ascending order, none below 0, at least one")
    return menu


def _numbers(given: object, wanted: str) -> Floats:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TranslationError(f"{given!r}: {wanted}") from None
