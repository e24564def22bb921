"""The process of one agent from a file: what `arena.hosted` starts, and talks to over a socket.

Requests come as pickles, from the one who started this process; answers go back as JSON, which can harm nobody.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import signal
import socket
import time
from queue import SimpleQueue
from threading import Thread
from typing import Any

from kibitz.agents import Agent, load_agent
from kibitz.agents.connection import Connection
from kibitz.agents.faults import call, illegal_answer
from kibitz.errors import KibitzError
from kibitz.games import Game, State

LONGEST_REQUEST = 1 << 20  # bytes
LAST_SECONDS = 1.0  # between the end of the connection and that of the process, at most


def main(number: int, text: str) -> None:
    """Play the agent `text` for whoever holds the other end of the socket with the file descriptor `number`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started this process
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
        action = call(self.agent, when, self.agent.act, state)
        if type(action) is not str:  # anything else does not survive the journey as what it is
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
