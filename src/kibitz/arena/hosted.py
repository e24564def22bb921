"""Agents from files in processes of their own: they see what their seat may see, and harm nobody but themselves.

>>> Hosting(time_limit=1.0).isolates("mine.py:Agent"), Hosting(time_limit=1.0).isolates("tight-passive")
(True, False)
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from kibitz.agents import Agent, load_agent
from kibitz.agents.base import Named
from kibitz.agents.connection import LONG_LINE, Connection
from kibitz.agents.faults import agent_name, call, exact_text, illegal_answer, note_process, printable
from kibitz.agents.registry import has_written
from kibitz.arena.chance import KEYED, Chance
from kibitz.arena.confinement import (
    END_SECONDS,
    EXCEEDED,
    LIMITS,
    SIGNALLED,
    Limits,
    confined,
    environment,
    guard,
)
from kibitz.arena.match import AgentSpec, make_agent
from kibitz.compiling import tell_with
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.random import is_secret

START_SECONDS = 60.0  # for loading a file and for `reset` where time is limited, or the limit if that is longer
LAST_SECONDS = 1.0  # for a process to end by itself when its connection has
LONGEST_REQUEST = 1 << 20  # bytes
MOST_LATE = 3  # answers in a row that come too late: the rest of the match is forfeited then
# The folders of modules go along: whoever started this program may have added some.
_COMMAND = (
    "import sys; sys.path[:] = {path!r}; from kibitz.arena.hosted import main; main({number}, {text!r}, {limits})"
)


@dataclass(frozen=True)
class Hosting:
    """Where agents play.

    isolate      agents from files (`mine.py:Agent`) in processes of their own, all others in this one
    time_limit   seconds that such an agent has for a decision; it is isolated then too. None for no limit.
    limits       of memory and processes of such an agent
    hidden       files that such an agent cannot read where there is a sandbox, whenever they are written
    """

    isolate: bool = False
    time_limit: float | None = None
    limits: Limits = LIMITS
    hidden: tuple[Path, ...] = ()

    def isolates(self, spec: AgentSpec) -> bool:
        """Whether the agent gets a process of its own."""
        if not self.isolate and self.time_limit is None:
            return False
        if not isinstance(spec, str):
            raise KibitzError(f"{spec!r} cannot be isolated or timed: give an agent from a file as file.py:Class")
        return has_written(spec)

    def isolates_any(self, specs: Iterable[AgentSpec]) -> bool:
        """Whether one of the agents gets a process of its own."""
        return bool([spec for spec in specs if self.isolates(spec)])

    def check_seed(self, specs: Iterable[AgentSpec], chance: Chance) -> None:
        """Refuse a seed that an agent in a process of its own could find by trying, and all cards with it."""
        if self.isolates_any(specs) and chance.kind == KEYED and not is_secret(chance.seed):
            raise KibitzError(
                f"an isolated agent can find seed {chance.seed} by trying, and all cards with it: leave the seed out "
                "or give 32 hexadecimal digits; the cards acpc, which can be found out, allow other seeds",
                settings=("seed", "cards"),
            )

    @contextmanager
    def made(self, spec: AgentSpec) -> Iterator[Agent]:
        """A new agent, whose process ends with the block if it has one."""
        if not self.isolates(spec):
            yield make_agent(spec)
            return
        agent = HostedAgent(str(spec), self)
        try:
            yield agent
        finally:
            agent.close()


TOGETHER = Hosting()  # all agents in one process, with all the time they want


class HostedAgent(Named):
    """The agent `text` in a process of its own, for one match.

    A decision that takes longer than `time_limit` seconds is forfeited, and the hand with it: from there on the agent
    checks where that is free and folds where it is not. It plays on from the next hand, once it has answered.

    name       of the agent
    forfeits   hands that it has forfeited
    """

    def __init__(self, text: str, hosting: Hosting) -> None:
        self.name = text
        self.forfeits = 0
        self._limit = hosting.time_limit
        self._hand = 0
        self._forfeited = -1  # the last hand that was
        self._late = 0  # answers in a row
        self._owed = 1  # answers that are still to come: the first is its name
        self._process, self._connection = _start(text, hosting)
        try:
            self.name = agent_name(self._begin("name", "was being loaded"), text)
        except BaseException:
            self.close()
            raise

    def reset(self, game: Game, seed: int) -> None:
        """A match begins."""
        self._send("reset", "at the start of a match", game, seed)
        self._begin("answer", "began a match")

    def act(self, state: State) -> str:
        """The agent's answer, or what forfeits the hand."""
        if self._forfeited != self._hand and self._connection is not None:
            answer = self._ask("act", f"in hand {self._hand}", state[1:])
            if answer is not None:
                return answer
        if self._forfeited != self._hand:
            self._forfeited = self._hand
            self.forfeits += 1
        return "f" if state.legal().fold and state.to_call else "c"

    def observe(self, state: State, position: int) -> None:
        """A hand is over."""
        if self._connection is not None:
            self._ask("observe", f"in hand {self._hand}", state[1:], position)
        self._hand += 1

    def close(self) -> None:
        """End the process, and those that it has started."""
        if self._connection is None:
            return
        self._connection.close()
        self._connection = None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_SECONDS if not self._owed else 0.0)
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2 * END_SECONDS)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _begin(self, word: str, what: str) -> str:
        """The answer to what comes before the first hand: nothing can be forfeited yet."""
        seconds = None if self._limit is None else max(self._limit, START_SECONDS)
        try:
            return self._receive(word, None if seconds is None else time.monotonic() + seconds, f"while it {what}")
        except TimeoutError:
            raise AgentError(f"{self.name} {what} for {seconds:g} s and was not ready") from None

    def _ask(self, word: str, when: str, *arguments: Any) -> str | None:
        """The answer of the agent; None if it comes too late."""
        deadline = None if self._limit is None else time.monotonic() + self._limit
        try:
            while self._owed:  # what came too late is of no use any more
                self._receive("answer", deadline, when)
            self._send(word, when, *arguments)
            answer = self._receive("answer", deadline, when)
        except TimeoutError:
            self._late += 1
            if self._late >= MOST_LATE:
                self.close()
            return None
        self._late = 0
        return answer

    def _send(self, word: str, when: str, *arguments: Any) -> None:
        assert self._connection is not None
        self._owed += 1
        with suppress(OSError):  # whoever is gone is missed when the answer does not come
            self._connection.send(base64.b64encode(pickle.dumps((word, when, *arguments))).decode())

    def _receive(self, word: str, deadline: float | None, when: str) -> str:
        """What stands in the next answer under `word`; AgentError if it says that the agent failed, or none comes."""
        assert self._connection is not None
        try:
            line = self._connection.receive(deadline)
        except TimeoutError:
            raise
        except OSError:
            raise AgentError(f"{self.name} ended its process {when} ({self._status()})") from None
        self._owed -= 1
        try:
            answer = dict(json.loads(line))
        except (ValueError, TypeError, RecursionError):  # an agent may have forged it: nothing is taken for granted
            answer = {}
        if "failed" in answer:
            raise AgentError(printable(str(answer["failed"])))
        if not isinstance(answer.get(word), str) or not answer[word].isprintable():
            raise AgentError(f"{self.name} sent {line[:60]!r} {when}, which is no answer")
        return str(answer[word])

    def _status(self) -> str:
        """How the process ended."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(LAST_SECONDS)
            if status == EXCEEDED:
                return "more memory, processes or threads than its limits allow"
            with suppress(ValueError):  # of a status that stands for no signal
                return f"signal {signal.Signals(-status if status < 0 else status - SIGNALLED).name}"
            return f"exit status {status}"
        return "it hung up"


def _start(text: str, hosting: Hosting) -> tuple[subprocess.Popen[bytes], Connection | None]:
    """A new process that plays `text`, and the connection to it."""
    if sys.platform == "win32":
        raise KibitzError("isolated agents need a POSIX system")
    ours, theirs = socket.socketpair()
    with theirs:
        command = _COMMAND.format(path=sys.path, number=theirs.fileno(), text=text, limits=tuple(hosting.limits))
        process = subprocess.Popen(
            confined([sys.executable, "-c", command], hosting.hidden),
            stdin=subprocess.DEVNULL,
            stdout=2,  # what an agent prints is no result
            stderr=2,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # out of reach of Ctrl-C, and to be ended with all that it starts
            env=environment(),
        )
    return process, Connection(ours, LONG_LINE)


# The other end: what runs in the process of an agent. Requests come as pickles, from the one who started it; answers go
# back as JSON, which can harm nobody.


def main(number: int, text: str, limits: tuple[int, int]) -> None:
    """Play the agent `text` for whoever holds the other end of the socket with the file descriptor `number`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started this process
    guard(Limits(*limits))
    note_process()
    tell_with(lambda _: None)  # that kernels cannot be kept is as it should be
    connection = Connection(socket.socket(fileno=number), LONGEST_REQUEST)
    requests: SimpleQueue[tuple[Any, ...] | None] = SimpleQueue()
    Thread(target=_read, args=(connection, requests), daemon=True).start()
    try:
        host = Host(text)
        _answer(connection, {"name": host.agent.name})
        while (request := requests.get()) is not None:
            _answer(connection, {"answer": host.serve(*request)})
    except KibitzError as error:
        _answer(connection, {"failed": str(error)})


class Host:
    """An agent, and the match that it plays."""

    def __init__(self, text: str) -> None:
        self.agent: Agent = load_agent(text)
        self._game: Game | None = None

    def serve(self, word: str, when: str, *arguments: Any) -> str:
        """What the agent answers, if anything; `word` is the method to call, `when` is for the error if it fails."""
        if word == "reset":
            self._game, seed = arguments
            call(self.agent, when, self.agent.reset, self._game, seed)
            return ""
        assert self._game is not None
        state = State(self._game, *arguments[0])
        if word == "observe":
            call(self.agent, when, self.agent.observe, state, arguments[1])
            return ""
        action = exact_text(call(self.agent, when, self.agent.act, state))
        if type(action) is not str:  # which does not survive the journey as what it is
            raise illegal_answer(self.agent, action, state)
        return action


def _read(connection: Connection, requests: SimpleQueue[tuple[Any, ...] | None]) -> None:
    """Pass requests on; this process ends with the connection, even if its agent never does."""
    try:
        while True:
            requests.put(pickle.loads(base64.b64decode(connection.receive())))
    except OSError:
        requests.put(None)
    time.sleep(LAST_SECONDS)
    os._exit(1)


def _answer(connection: Connection, answer: dict[str, str]) -> None:
    connection.send(json.dumps(answer))
