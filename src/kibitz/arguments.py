"""What callers write, taken as it is meant or refused in one sentence: whole numbers, lists, names nearly right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from math import inf
from numbers import Integral, Real
from typing import Any

from kibitz.errors import KibitzError


def whole(value: object, what: str, least: int | None = None, hint: str = "") -> int:
    """`value` as an integer: Python's, NumPy's, or a float that is whole; else KibitzError, which names `what`.

    >>> whole(1e3, "hands", 1)
    1000
    """
    is_whole = isinstance(value, Integral) or (isinstance(value, Real) and float(value).is_integer())
    if not is_whole or isinstance(value, bool) or (least is not None and int(value) < least):  # type: ignore[call-overload]
        bound = "" if least is None else f", at least {least}"
        raise KibitzError(f"{what} = {value!r}: a whole number is needed{bound}{hint}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def positive(value: object, what: str) -> float:
    """`value` as a number above 0 that has an end; else KibitzError, which names `what`.

    >>> positive(1, "until")
    1.0
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < inf:
        raise KibitzError(f"{what} = {value!r}: a number above 0 is needed")
    return float(value)


def spread(given: tuple[Any, ...], *after: Any) -> tuple[Any, ...]:
    """What a call lists, one by one or as one list, and what follows: `after`, or what stands behind the list.

    >>> spread(("a", "b"), "game"), spread((["a", "b"], "leduc"), "game")
    ((('a', 'b'), 'game'), (('a', 'b'), 'leduc'))
    """
    if not given or isinstance(given[0], str | type) or not isinstance(given[0], Iterable):
        return (given, *after)
    listed, *more = given
    if len(more) > len(after):
        raise KibitzError(f"{more[-1]!r} behind a list and {len(after)} more arguments: too many")
    return (tuple(listed), *more, *after[len(more) :])


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Such as " (did you mean leduc?)": the closest of the `known` names, or those that contain `name`; or nothing.

    >>> did_you_mean("Leduk", ["kuhn", "leduc"])
    ' (did you mean leduc?)'
    """
    known, text = list(known), "-".join(str(name).lower().replace("_", " ").split())
    near = get_close_matches(text, known, n=1) or [each for each in known if len(text) > 2 and text in each][:3]
    return f" (did you mean {' or '.join(near)}?)" if near else ""
