"""What takes seconds at its first use, done once in the background when the server is up.

It begins after a while: the first page needs none of it, and is not to share the interpreter with it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from kibitz.errors import KibitzError

SECONDS_BEFORE = 2.0
SECONDS_TO_LEAVE = 5.0  # of a step that compiles when the server ends
HAND, POLICY = "holdem-nolimit", "always-call"
RIVER = {
    "board": "Qs Jh 2h 8d 3c", "pot": "10", "oop_stack": "10", "ip_stack": "10",
    "oop": "AA,KK", "ip": "AA,KK", "oop_river": "1", "ip_river": "1",
}  # fmt: skip


class WarmUp:
    """A thread that goes through STEPS, and ends early when it is told to stop."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._stopped = folder, Event()
        self._thread = Thread(target=self._run, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin after a while."""
        self._thread.start()

    def stop(self) -> None:
        """Begin no further step."""
        self._stopped.set()
        self._thread.join(SECONDS_TO_LEAVE)

    def _run(self) -> None:
        self._stopped.wait(SECONDS_BEFORE)
        for step in STEPS:
            if self._stopped.is_set():
                return
            try:
                step(self._folder)
            except (KibitzError, OSError):  # whoever opens that page will be told why
                continue


def _play_a_hand(_folder: Path) -> None:
    """Equities, beliefs and the luck of a hand at the Table."""
    from kibitz.agents import load_agent
    from kibitz.arena.match import Match
    from kibitz.games import AcpcCards
    from kibitz.web.advice import panel
    from kibitz.web.choices import chosen_game
    from kibitz.web.luck import Luck

    agent = load_agent(POLICY)
    match = Match(chosen_game(HAND, 2), AcpcCards(0), [None, agent], [0, 0])
    while not match.advance().finished:
        if len(match.state.board) == 3:
            own = match.seats.index(0)
            panel(HAND, agent, match.view(0), own, 1 - own)
        match.play("c")
    Luck(("you", agent.name), [agent]).of([match.close_hand()])


def _look_at_a_spot(_folder: Path) -> None:
    """The size of a river, and one of its decisions."""
    from kibitz.spots import SpotCFR, SpotGame
    from kibitz.web.spots import decision_view, read_setup, size_view

    spot = read_setup(RIVER).spot
    size_view(spot)
    solver = SpotCFR(SpotGame(spot), threads=1)
    solver.step()
    decision_view(solver, "", "", "AA")


def _list_papers(folder: Path) -> None:
    from kibitz.web.papers import list_papers

    list_papers(folder)


def _load_columns(_folder: Path) -> None:
    """What files of cases are read with."""
    import polars  # noqa: F401


STEPS: tuple[Callable[[Path], None], ...] = (_play_a_hand, _list_papers, _load_columns, _look_at_a_spot)
