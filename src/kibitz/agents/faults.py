"""Agents that fail: whose fault an exception is, in a sentence by which the author of the agent finds it.

Threads that agents from files leave running are faults too: Python waits for them at its end, for ever if they never
end.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from opcode import opmap
from types import FrameType
from typing import Any, NoReturn, TypeVar

from kibitz.errors import AgentError
from kibitz.games import State

Result = TypeVar("Result")

GRACE_SECONDS = 1.0  # for threads that are about to end
LONGEST_NAME = 100  # letters
LONGEST = 1000  # letters of what an agent says that are repeated in an error

_OURS = {"kibitz", *sys.stdlib_module_names}
_authored: dict[str, str] = {}  # modules that agents from files were written in, and the last agent of each by name
_end_process = os._exit
_process = os.getpid()


def note_authored(modules: Iterable[str], name: str = "") -> None:
    """Remember the modules an agent from a file was written in: exceptions from there are not bugs of Kibitz.

    From then on `os._exit` in there is an exception too: it would end the match in silence.
    """
    os._exit = _exit
    for module in modules:
        if module.partition(".")[0] not in _OURS:
            _authored[module] = name or _authored.get(module, "")


def authored_names() -> list[str]:
    """The agents from files that were made so far, by name."""
    return sorted(set(filter(None, _authored.values())))


def author_of(frame: FrameType | None) -> tuple[str, str] | None:
    """The agent in whose file `frame`, or the nearest that called it, stands, by name, and the place; None without."""
    while frame is not None:
        module = frame.f_globals.get("__name__")
        if module in _authored:
            return _authored[module], f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return None


def call(agent: object, when: str, method: Callable[..., Result], *arguments: Any) -> Result:
    """What `method` of `agent` returns; AgentError if the agent's own file fails."""
    try:
        return method(*arguments)
    except BaseException as error:
        blame(error, agent, when)
        raise


def blame(error: BaseException, agent: object, when: str) -> None:
    """Raise AgentError if `error` came out of an agent's own file; otherwise do nothing.

    To be called where the agent was called. An AgentError is what an agent says itself, and stays as it is; so does
    Ctrl-C, which happens to be pressed while the agent is at work.
    """
    if isinstance(error, AgentError) or is_interrupt(error):
        return
    place = place_of(error)
    if not place and _is_own_call(error) and type(agent).__module__ in _authored:  # methods with other arguments
        place = getattr(sys.modules.get(type(agent).__module__), "__file__", None) or type(agent).__module__
    if place:
        raise AgentError(f"{_name(agent)} failed {when}: {describe(error)} ({place})") from error


def illegal_answer(agent: object, answer: object, state: State) -> AgentError:
    """The error of an agent that answers in `state` what is not legal there."""
    return AgentError(f"{_name(agent)} answered {printable(repr(answer))} in {state}: legal are {state.legal()}")


def exact_text(answer: object) -> object:
    """A text as nothing but a text: kinds of an agent's own may say what they like when they are compared."""
    return str.__str__(answer) if issubclass(type(answer), str) else answer


def agent_name(name: object, whose: object) -> str:
    """The name of an agent as nothing but a text; AgentError unless it can stand in a table."""
    name = exact_text(name)
    if type(name) is not str:
        raise AgentError(f"{whose} has the name {name!r}: a name is a text")
    if not name.isprintable():  # it would reach the terminal as it is
        raise AgentError(f"{whose} has the name {name!r}: a name has no line ends or control characters")
    if not name.strip() or len(name) > LONGEST_NAME:
        shown = f"{name[:20]!r}..." if name.strip() else repr(name[:20])
        raise AgentError(f"{whose} has the name {shown} of {len(name):,} letters: a name has 1 to {LONGEST_NAME}")
    return name


def describe(error: BaseException) -> str:
    """Kind and text of `error` on one line, as far as it has a text."""
    try:
        text = str(error)
    except Exception:  # of an agent's own kind
        text = ""
    return f"{type(error).__name__}: {printable(' '.join(text.split()))}".removesuffix(": ")


def is_interrupt(error: BaseException) -> bool:
    """Whether `error` is Ctrl-C, and not a KeyboardInterrupt that an agent's own file raises."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_globals.get("__name__") not in _authored:
        return True
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] != opmap["RAISE_VARARGS"]


def place_of(error: BaseException) -> str:
    """The last line of an agent's own file that `error` passed, and where it arose if deeper; empty without one."""
    own = place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code is _exit.__code__:
            break
        place = f"{frame.f_code.co_filename}:{line}"
        if frame.f_globals.get("__name__") in _authored:
            own = place
    return f"{own}, from {place}" if own and own != place else own


def _is_own_call(error: BaseException) -> bool:
    """Whether `error` arose in the very function that caught it, before anything it called had begun."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is None


def note_process() -> None:
    """Remember that agents play in this process, which was forked."""
    global _process
    _process = os.getpid()


def _exit(status: int) -> NoReturn:
    """`os._exit` for everybody but agents from files: there it is an exception, save in processes that they fork."""
    if os.getpid() == _process and author_of(sys._getframe(1)):
        raise SystemExit(f"os._exit({status!r})")
    _end_process(status)


def _name(agent: object) -> str:
    try:
        return str(getattr(agent, "name", type(agent).__name__))
    except Exception:  # a property, of an agent that has failed already
        return type(agent).__name__


def printable(text: str) -> str:
    """`text` as it may reach a terminal: no control characters, and not much of it."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:LONGEST])
    return shown if len(text) <= LONGEST else f"{shown}..."


@contextmanager
def no_threads_left() -> Iterator[None]:
    """AgentError, which names the agent, if a thread that was started in the block outlives it."""
    before = running()
    yield
    if not authored_names():
        return
    deadline = time.monotonic() + GRACE_SECONDS
    for thread in running() - before:
        thread.join(max(deadline - time.monotonic(), 0.0))
    for thread in running() - before:
        raise AgentError(_blamed(thread))


def running() -> set[threading.Thread]:
    """The threads that the end of the program would wait for, the main one aside.

    Those of a thread pool count only while they work for an agent: idle ones are told to end.
    """
    from concurrent.futures import thread as pools

    threads = set(threading.enumerate()) - {threading.main_thread(), threading.current_thread()}
    pooled = set(pools._threads_queues)
    return {thread for thread in threads if not thread.daemon and (thread not in pooled or _author(thread))}


def _author(thread: threading.Thread) -> tuple[str, str] | None:
    return author_of(sys._current_frames().get(thread.ident or 0))


def _blamed(thread: threading.Thread) -> str:
    name, place = _author(thread) or (" or ".join(authored_names()), "")
    where = f" at {place}" if place else ""
    return f"{name} left the thread {thread.name!r} running{where}: end it with the match, or start it with daemon=True"
