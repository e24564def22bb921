"""Options that mean the same in every command."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

import click
from click.core import ParameterSource

from kibitz.arena.chance import KEYED, KINDS
from kibitz.random import draw_seed, parse_seed

Command = Callable[..., Any]

MAX_HANDS = 10**9  # in one match: the chips of every hand are kept
MAX_DRAWS = 10**9  # of boards, flops or readings, which are all drawn before the first is looked at
DRAWN = "random"  # a seed


class Finite(click.FloatRange):
    """A number in a range that has an end: neither nan, which no comparison refuses, nor an infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class Share(click.types.FloatParamType):
    """A number that people also write as a percentage: 33% is 0.33."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = value.strip() if isinstance(value, str) else ""
        if not text.endswith("%"):
            return super().convert(value, param, ctx)
        try:
            return float(Decimal(text[:-1]) / 100)
        except InvalidOperation:
            self.fail(f"{value!r} is not a valid float or percentage.", param, ctx)


class Seed(click.IntRange):
    """A word of 64 bits: of a larger number only the remainder would count."""

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        seed = int(super().convert(value, param, ctx))
        if seed >= 1 << 64:
            self.fail(f"{seed} is too large: a seed is less than 2^64.", param, ctx)
        return seed


class MatchSeed(click.IntRange):
    """A seed of any size, as `kibitz.random.parse_seed` reads it."""

    name = "seed"

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return value if isinstance(value, int) else parse_seed(value)
        except ValueError:
            self.fail(f"{value!r} is neither a whole number from 0 nor 32 or more hexadecimal digits.", param, ctx)


class DealerSeed(MatchSeed):
    """The same, or the word for one that is drawn and that nobody can read on the command line."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return draw_seed() if value == DRAWN else super().convert(value, param, ctx)


def cards_option(default: str = KEYED) -> Callable[[Command], Command]:
    """`--cards`, where the cards come from."""
    return click.option(
        "--cards",
        type=click.Choice(KINDS),
        default=default,
        show_default=True,
        help="Cards from a keyed hash of the seed, or those of the ACPC dealer, which players can find out.",
    )


def seed_option(text: str, seeds: click.IntRange | None = None) -> Callable[[Command], Command]:
    """`--seed`, 0 unless given; `text` says what it seeds, `seeds` which are allowed."""
    kind = seeds or Seed()
    return click.option("--seed", default=0, show_default=True, type=kind, metavar="INTEGER", help=text)


def timeout_option(name: str, default: int, text: str) -> Callable[[Command], Command]:
    """How long something is waited for; `in_seconds` reads it."""
    kind = click.IntRange(-1, 10**9)
    return click.option(
        name, default=default, show_default=True, type=kind, help=f"{text}, in milliseconds; -1 for no limit."
    )


def in_seconds(timeout: int) -> float | None:
    """What a `timeout_option` says; None for ever."""
    return None if timeout < 0 else timeout / 1000


def is_given(option: str) -> bool:
    """Whether the user wrote the option, be it as it is by default."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE
