"""Settings: what a field of a plan must be, said once for commands, forms of the page, notebooks and manifests."""

from __future__ import annotations

import dataclasses
import math
import operator
import types
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union

from kibitz.errors import KibitzError
from kibitz.files import shown

REQUIRED = object()  # the default of a setting that has none
_KEY = "setting"
_NAMES = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text", Path: "a path"}
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def setting(
    default: Any = dataclasses.MISSING,
    help: str = "",
    *,
    unit: str = "",
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    argument: bool = False,
    option: str = "",
    unsaid: str = "",
    free: bool = False,
    input: str = "",
) -> Any:
    """A field of a plan; its annotation says the type: int, float, str, bool, Path, a Literal of choices, one of these
    or None, or a tuple of them.

    default            none if the field must be given
    help, unit         a noun phrase that names the thing, and what it is counted in
    at_least, at_most, above   the range of a number
    argument           the command takes it by its place, not as an option
    option             name of the option if not the field's, such as `menu`, given once for each of `menus`
    unsaid             what None stands for, in words
    free               may differ when a run is continued: how far it goes and what does not change its results
    input              a name of `kibitz.plans.kinds.INPUTS`: the value names something that counts by its content
    """
    limits = {"at_least": at_least, "at_most": at_most, "above": above}
    told = {"help": help, "unit": unit, **limits, "argument": argument, "option": option}
    told |= {"unsaid": unsaid, "free": free, "input": input}
    return dataclasses.field(default=default, metadata={_KEY: told})


def seed_for(what: str) -> Any:
    """A field for the seed of `what`: a word of 64 bits."""
    return setting(0, f"Seed for {what}", at_least=0, at_most=2**64 - 1)


def on_threads(default: int = 1, help: str = "Number of threads") -> Any:
    """A field for the number of threads, which may differ when a run is continued."""
    return setting(default, help, at_least=1, free=True)


@dataclass(frozen=True)
class Setting:
    """What a field of a plan must be.

    kind      int, float, str, bool or Path
    choices   the texts it may be, none if any
    optional  None stands for "not said"; many: a tuple of values
    """

    name: str
    kind: type
    choices: tuple[str, ...] = ()
    optional: bool = False
    many: bool = False
    default: Any = REQUIRED
    help: str = ""
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    argument: bool = False
    option: str = ""
    unsaid: str = ""
    free: bool = False
    input: str = ""

    @property
    def is_required(self) -> bool:
        """Whether it has to be given."""
        return self.default is REQUIRED

    @property
    def range(self) -> str:
        """The numbers it may be, in words; empty if any."""
        if self.at_least is not None and self.at_most is not None:
            return f"from {self.at_least:,} to {self.at_most:,}"
        parts = (("above", self.above), ("at least", self.at_least), ("at most", self.at_most))
        return ", ".join(f"{word} {number:,}" for word, number in parts if number is not None)

    @property
    def wanted(self) -> str:
        """What would be right, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        what = _NAMES[self.kind] + (f" of {self.unit}" if self.kind is int and self.unit else "")
        return what + (f" {self.range}" if self.range else "")

    @property
    def flag(self) -> str:
        """Its option on the command line."""
        return "--" + (self.option or self.name).replace("_", "-")

    def words(self, value: Any) -> list[str]:
        """What to type for `value` on the command line."""
        values = [str(each) for each in (value if isinstance(value, tuple) else (value,))]
        if self.argument:
            return values
        if self.kind is bool:
            return [self.flag]
        return [word for each in values for word in (self.flag, each)]

    def read(self, text: str) -> Any:
        """The value that `text` stands for, one of them if there may be many.

        Choices may have capitals, as papers write CFR+, and a share may be a percentage.
        """
        value: Any = text
        if self.choices:
            value = next((each for each in self.choices if each.lower() == text.strip().lower()), text)
        elif self.kind is bool:
            word = text.strip().lower()
            value = True if word in _YES else False if word in _NO else text
        elif self.kind in (int, float):
            number, is_share = text.strip().replace(",", ""), self.kind is float and self.at_most == 1
            if self.kind is float and self.unit.startswith("per cent"):
                number = number.removesuffix("%")
            try:
                value = float(Decimal(number[:-1]) / 100) if is_share and number.endswith("%") else self.kind(number)
            except (ValueError, InvalidOperation):
                raise self._error(text) from None
        try:
            return self._checked(value)
        except KibitzError:
            raise self._error(text) from None

    def check(self, value: Any) -> Any:
        """`value` as the plan keeps it; KibitzError with a sentence if it is of another type or out of range."""
        if value is None and self.optional:
            return None
        if not self.many:
            return self._checked(value)
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            value = (value,)
        return tuple(self._checked(each) for each in value)

    def _checked(self, value: Any) -> Any:
        if self.kind in (int, float):
            value = self._number(value)
        elif self.kind is Path and isinstance(value, str):
            value = Path(value)
        elif not isinstance(value, self.kind):
            raise self._error(value)
        if self.choices and value not in self.choices:
            raise self._error(value)
        return value

    def _number(self, value: Any) -> int | float:
        """A number of the kind; NumPy's are taken, truth values are not."""
        if isinstance(value, bool | str):
            raise self._error(value)
        try:
            number = operator.index(value) if self.kind is int else float(value)
        except (TypeError, ValueError, OverflowError):
            raise self._error(value) from None
        low, high, above = self.at_least, self.at_most, self.above
        is_within = (low is None or number >= low) and (high is None or number <= high)
        if not is_within or (above is not None and not number > above):
            raise self._error(value)
        if self.kind is float and not math.isfinite(number):
            raise self._error(value)
        return number

    def _error(self, value: Any) -> KibitzError:
        said = value if isinstance(value, str) and value else shown(value)
        return KibitzError(f"{self.name} is {said}: {self.wanted} is needed", settings=(self.option or self.name,))


@cache
def settings_of(plan: type) -> tuple[Setting, ...]:
    """The settings of a kind of plan, in the order of its fields."""
    hints = typing.get_type_hints(plan)
    return tuple(_setting_of(field, hints[field.name]) for field in dataclasses.fields(plan) if _KEY in field.metadata)


def _setting_of(field: dataclasses.Field[Any], hint: Any) -> Setting:
    hint, optional = _without_none(hint)
    many = typing.get_origin(hint) is tuple
    if many:
        hint = typing.get_args(hint)[0]
    choices = typing.get_args(hint) if typing.get_origin(hint) is Literal else ()
    kind = type(choices[0]) if choices else hint
    if kind not in _NAMES:
        raise TypeError(f"{field.name}: a setting cannot be {hint}")
    default = REQUIRED if field.default is dataclasses.MISSING else field.default
    return Setting(field.name, kind, choices, optional, many, default, **field.metadata[_KEY])


def _without_none(hint: Any) -> tuple[Any, bool]:
    """The type without None, and whether None was allowed."""
    if typing.get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    (inner,) = (each for each in typing.get_args(hint) if each is not types.NoneType)
    return inner, True
