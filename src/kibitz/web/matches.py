"""Matches and tournaments of the folder: what a form asks for, and what is there.

A series is a folder with the ledger of `kibitz match --out` or `kibitz tournament --out`. One that the page has begun
lies under `matches/`, with the form in `series.json`, so that it can be resumed.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any

from kibitz.agents.registry import AGENTS
from kibitz.amounts import counted
from kibitz.arena.ledger import GrowingLedger
from kibitz.arena.runs import LEDGER
from kibitz.arena.series import Series
from kibitz.errors import AgentError, KibitzError
from kibitz.files import read_json, write_text
from kibitz.games import Game, format_gamedef
from kibitz.web.choices import HOLDEM, agents_inside, chosen_game, game_choices
from kibitz.web.folder import existing, inside, listed
from kibitz.web.jobs import Jobs
from kibitz.web.refusals import ForeignError

TASK = "play-series"
HOME, SETUP = "matches", "series.json"
MOST_AGENTS = 20
MOST_DEALS = 100_000  # of a match
MOST_MATCHES = 100_000  # of all tables together
MOST_SEATS_OF_TOURNAMENTS = 3


@dataclass(frozen=True)
class Setup:
    """What is to be played; `agents` as they were chosen, `job` the worker that played it last."""

    kind: str
    players: int
    agents: tuple[str, ...]
    hands: int
    matches: int
    seed: int
    job: str = ""

    @property
    def game(self) -> Game:
        """The rules."""
        return chosen_game(self.kind, self.players)

    @property
    def title(self) -> str:
        """What it is called among the jobs."""
        if len(self.agents) == self.game.players:
            return f"Match of {', '.join(self.agents)}"
        return f"Tournament of {len(self.agents)} agents"

    def series(self, folder: Path) -> Series:
        """The series; AgentError for an agent that is neither built in nor inside `folder`."""
        offered = agents_inside(folder)
        for text in self.agents:
            if text not in AGENTS and text not in offered:
                raise AgentError(f"no agent {text!r}: it is neither built in nor inside the folder that is served")
        specs = tuple(text if text in AGENTS else str(existing(folder, text)) for text in self.agents)
        return Series(self.game, specs, self.hands, self.matches, self.seed)


def read_setup(form: dict[str, list[str]]) -> Setup:
    """What a form asks for; KibitzError where that cannot be played."""

    def number(name: str, low: int, high: int) -> int:
        text = form.get(name, [""])[0].strip().replace(",", "")
        if not (text.isascii() and text.isdecimal() and len(text) <= 10 and low <= int(text) <= high):
            raise KibitzError(f"{name} {text!r}: a number from {low:,} to {high:,} is wanted")
        return int(text)

    kind = form.get("game", [""])[0]
    players = {"kuhn-3p": 3}.get(kind, number("players", 2, 10) if kind.startswith("holdem") else 2)
    setup = Setup(
        kind,
        players,
        tuple(form.get("agent", [])),
        number("hands", 1, MOST_DEALS),
        number("rounds", 1, MOST_MATCHES),
        number("seed", 0, 2**32 - 1),
    )
    seats, chosen = setup.game.players, len(setup.agents)
    if not seats <= chosen <= MOST_AGENTS:
        raise KibitzError(f"{counted(chosen, 'agent')}: choose {seats} for a match, or up to {MOST_AGENTS}")
    if chosen > seats > MOST_SEATS_OF_TOURNAMENTS:
        raise KibitzError(f"{chosen} agents for {seats} seats: a tournament has tables of two or three")
    if (total := comb(chosen, seats) * setup.matches) > MOST_MATCHES:
        raise KibitzError(f"{total:,} matches: {MOST_MATCHES:,} are the most; take fewer agents or matches")
    return setup


def begin(folder: Path, jobs: Jobs, setup: Setup, visitor: str) -> str:
    """Start a series for a visitor in a new folder, whose name is given; everybody may watch it."""
    setup.series(folder)  # which refuses agents that are not offered
    name = f"{HOME}/{setup.kind}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    try:
        _start(folder, jobs, name, setup, visitor)
    except KibitzError:  # too many run: nothing is left behind
        shutil.rmtree(inside(folder, name))
        raise
    return name


def resume(folder: Path, jobs: Jobs, name: str, visitor: str) -> None:
    """Go on with a series that was stopped; KibitzError for one that runs, or that the page has not begun."""
    setup = load_setup(existing(folder, name))
    if setup is None:
        raise KibitzError(f"{name!r} was not begun on the page: resume it where it was begun, with --resume")
    if _job_state(jobs, setup.job)[0] == "running":
        raise KibitzError(f"{name!r} is being played")
    _start(folder, jobs, name, setup, visitor)


def stop(folder: Path, jobs: Jobs, name: str, visitor: str) -> None:
    """End the worker of a series; what its ledger holds stays. ForeignError for one of another visitor."""
    setup = load_setup(existing(folder, name))
    if setup is None or _job_state(jobs, setup.job)[0] != "running":
        return
    if jobs.get(setup.job).owner not in ("", visitor):
        raise ForeignError(f"{name!r} was started by another visitor: only they can stop it")
    jobs.cancel(setup.job)


def _start(folder: Path, jobs: Jobs, name: str, setup: Setup, visitor: str) -> None:
    place = inside(folder, name)
    write_text(place / SETUP, json.dumps(asdict(setup)))
    job = jobs.start(TASK, setup.title, {"name": name}, visitor)
    write_text(place / SETUP, json.dumps(asdict(replace(setup, job=job))))


def load_setup(place: Path) -> Setup | None:
    """The form behind a series in the folder `place`; None where there is none that can be read."""
    try:
        document = read_json(place / SETUP)
        setup = Setup(**document | {"agents": tuple(document["agents"])})
        texts, numbers = (setup.kind, setup.job, *setup.agents), (setup.players, setup.hands, setup.matches, setup.seed)
        sound = all(isinstance(each, str) for each in texts) and all(isinstance(each, int) for each in numbers)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return setup if sound else None


def state_of(jobs: Jobs, setup: Setup | None, done: int, total: int) -> tuple[str, str]:
    """`running`, `finished` or `stopped`, and why it was stopped where there is a reason."""
    state, reason = _job_state(jobs, setup.job) if setup is not None else ("", "")
    if state == "running":
        return state, ""
    if done == total:
        return "finished", ""
    return "stopped", reason if state == "failed" else ""


def _job_state(jobs: Jobs, job: str) -> tuple[str, str]:
    try:
        found = jobs.get(job)
    except KibitzError:
        return "", ""
    return found.state, found.error


@lru_cache(maxsize=64)
def game_title(game: Game) -> str:
    """What the games of the page are called; the name of another. A ledger keeps the rules of a game, not its name."""
    rules = format_gamedef(game)
    for kind, title in game_choices().items():
        with suppress(KibitzError):
            if format_gamedef(chosen_game(kind, game.players)) == rules:
                return f"{title}, {game.players} players" if kind in HOLDEM else title
    return game.name or f"a {'limit' if game.betting == 'limit' else 'no-limit'} game for {game.players}"


def list_series(folder: Path, jobs: Jobs) -> list[dict[str, Any]]:
    """The series of the folder, the newest first; folders whose ledger cannot be read are left out."""
    root, found = folder.resolve(), []
    ledgers = [f"{'*/' * depth}{LEDGER}" for depth in range(4)]
    setups = [f"{HOME}/*/{SETUP}"]
    for place in {(root / path).parent for path in listed(folder, *ledgers, *setups)}:
        try:
            found.append(_summary(jobs, place) | {"name": place.relative_to(root).as_posix()})
        except (KibitzError, OSError):
            continue
    return sorted(found, key=lambda each: (each["state"] == "running", each["changed"]), reverse=True)


def _summary(jobs: Jobs, place: Path) -> dict[str, Any]:
    setup = load_setup(place)
    if (place / LEDGER).is_file():
        ledger = GrowingLedger(place / LEDGER)
        done = sum(1 for _ in (place / LEDGER).open("rb")) - 1  # matches are looked at when the series is opened
        total, names, game = ledger.total, ledger.series.names, ledger.series.game
    elif setup is not None:
        done, names, game = 0, setup.agents, setup.game
        total = comb(len(names), game.players) * setup.matches
    else:
        raise KibitzError(f"{place} holds no series")
    changed = max(path.stat().st_mtime for path in (place / LEDGER, place / SETUP) if path.is_file())
    state, _reason = state_of(jobs, setup, done, total)
    return {
        "state": state, "done": done, "total": total, "agents": names, "game": game_title(game), "changed": changed,
    }  # fmt: skip
