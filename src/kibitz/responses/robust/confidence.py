"""How far a model of so many observations is believed: P_conf(n), from 0 to P_max.

Johanson and Bowling 2009. The linear function is the one that Bard 2016 uses throughout.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
MANY = 10.0  # observations that are believed in full
PRIOR = 10.0  # observations that count as much as the doubt: s in n / (n + s)

# Name -> share of P_max after n observations.
CONFIDENCES: dict[str, Callable[[Floats], Floats]] = {
    "linear": lambda n: np.minimum(1.0, n / MANY),
    "1-step": lambda n: np.where(n >= 1, 1.0, 0.0),
    "10-step": lambda n: np.where(n >= MANY, 1.0, 0.0),
    "bayes": lambda n: np.asarray(n / (n + PRIOR)),
}


def confidence(visits: Floats, function: str, p_max: float) -> Floats:
    """P_conf of information sets that were seen `visits` times, in the same shape.

    >>> confidence(np.array([0.0, 4.0, 25.0]), "linear", 0.5).tolist()
    [0.0, 0.2, 0.5]
    """
    if function not in CONFIDENCES:
        raise KibitzError(f"no confidence function {function!r}: one of {', '.join(CONFIDENCES)}")
    check_share(p_max, "P_max")
    return np.asarray(p_max * CONFIDENCES[function](visits))


def check_share(value: float, name: str) -> None:
    """Refuse what is no probability."""
    if not 0 <= value <= 1:
        raise KibitzError(f"{name} = {value:g}: it is a probability, from 0 to 1")
