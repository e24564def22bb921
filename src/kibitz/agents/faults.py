"""Agents that fail: whose fault an exception is, in a sentence by which the author of the agent finds it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from kibitz.errors import AgentError

Result = TypeVar("Result")

_OURS = {"kibitz", *sys.stdlib_module_names}
_authored: set[str] = set()  # modules that agents from files were written in


def note_authored(modules: Iterable[str]) -> None:
    """Remember the modules an agent from a file was written in: exceptions from there are not bugs of Kibitz."""
    _authored.update(module for module in modules if module.partition(".")[0] not in _OURS)


def call(agent: object, when: str, method: Callable[..., Result], *arguments: Any) -> Result:
    """What `method` of `agent` returns; AgentError if the agent's own file fails."""
    try:
        return method(*arguments)
    except (Exception, SystemExit) as error:
        blame(error, agent, when)
        raise


def blame(error: BaseException, agent: object, when: str) -> None:
    """Raise AgentError if `error` came out of an agent's own file; otherwise do nothing.

    To be called where the agent was called. An AgentError is what an agent says itself, and stays as it is.
    """
    if isinstance(error, AgentError):
        return
    place = place_of(error)
    if not place and _is_own_call(error) and type(agent).__module__ in _authored:  # methods with other arguments
        place = getattr(sys.modules.get(type(agent).__module__), "__file__", None) or type(agent).__module__
    if place:
        name = getattr(agent, "name", type(agent).__name__)
        raise AgentError(f"{name} failed {when}: {describe(error)} ({place})") from error


def describe(error: BaseException) -> str:
    """Kind and text of `error` on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def place_of(error: BaseException) -> str:
    """The last line of an agent's own file that `error` passed, and where it arose if deeper; empty without one."""
    own = place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        place = f"{frame.f_code.co_filename}:{line}"
        if frame.f_globals.get("__name__") in _authored:
            own = place
    return f"{own}, from {place}" if own and own != place else own


def _is_own_call(error: BaseException) -> bool:
    """Whether `error` arose in the very function that caught it, before anything it called had begun."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is None
