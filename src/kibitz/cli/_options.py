"""Options that mean the same in every command."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

Command = Callable[..., Any]

MAX_HANDS = 10**9  # in one match: the chips of every hand are kept
MAX_DRAWS = 10**9  # of boards, flops or readings, which are all drawn before the first is looked at
SEEDS = click.IntRange(0, 2**64 - 1)  # words of 64 bits: a larger one would count as what it leaves modulo 2^64
DEALER_SEEDS = click.IntRange(0, 2**32 - 1)  # of the ACPC dealer's generator


class Finite(click.FloatRange):
    """A number in a range that has an end: neither nan, which no comparison refuses, nor an infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def all_of(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def seed_option(text: str, seeds: click.IntRange | None = None) -> Callable[[Command], Command]:
    """`--seed`, 0 unless given; `text` says what it seeds, `seeds` which are allowed."""
    kind = seeds or SEEDS
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


def given_command() -> str:
    """The command that runs, with what the user gave and nothing that is so by default, as a shell would read it."""
    context = click.get_current_context()
    words = ["kibitz", context.info_name or ""]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if context.get_parameter_source(parameter.name or "") is not ParameterSource.COMMANDLINE:
            continue
        if isinstance(parameter, click.Argument):
            words += map(str, value if isinstance(value, tuple) else (value,))
            continue
        name = max((parameter.opts if value is not False else parameter.secondary_opts) or parameter.opts, key=len)
        if isinstance(value, bool):
            words.append(name)
        else:
            words += [word for each in (value if isinstance(value, tuple) else (value,)) for word in (name, str(each))]
    return shlex.join(words)
