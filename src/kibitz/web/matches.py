"""Matches and tournaments of the folder: what a form asks for, and what is there.

A series is a folder of `kibitz match --out` or `kibitz tournament --out`. Those that the page has begun lie under
`matches/`, and their jobs can be stopped and go on.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any

from kibitz.amounts import counted
from kibitz.arena.played import PLANS, Played
from kibitz.arena.playing import SeriesPlan
from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef, load_game
from kibitz.plans import MANIFEST
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.web import making
from kibitz.web.choices import HOLDEM, chosen_game, game_choices, game_name
from kibitz.web.folder import existing, inside, is_there, listed
from kibitz.web.forms import plan_from
from kibitz.web.jobs import Job, Jobs
from kibitz.web.refusals import ForeignError

HOME = "matches"
MOST_AGENTS = 20
MOST_DEALS = 100_000  # of a match
MOST_MATCHES = 100_000  # of all tables together


def begin(folder: Path, jobs: Jobs, form: dict[str, list[str]], visitor: str) -> str:
    """Start a series for a visitor in a new folder, whose name is given; everybody may watch it."""
    kind, players = (form.get(name, [""])[0].strip() for name in ("game", "players"))
    game = game_name(kind, int(players) if players.isascii() and players.isdecimal() and len(players) < 4 else 2)
    agents, seats = form.get("agents", []), load_game(game).players
    sent = {**form, "game": [game]}
    plan = plan_from(folder, "match" if len(agents) <= seats else "tournament", sent)
    assert isinstance(plan, SeriesPlan)
    _check(plan)
    return making.begin(folder, jobs, plan, sent, visitor, f"{HOME}/{game}")


def _check(plan: SeriesPlan) -> None:
    """Refuse what cannot be played, and more than a page should take on."""
    seats, chosen = plan.rules[0].players, len(plan.agents)
    if not seats <= chosen <= MOST_AGENTS:
        raise KibitzError(f"{counted(chosen, 'agent')}: choose {seats} for a match, or up to {MOST_AGENTS}")
    plan.check_seats(seats, plan.rules[1])
    if plan.hands > MOST_DEALS:
        raise KibitzError(f"{plan.hands:,} deals: {MOST_DEALS:,} are the most in a match")
    if (total := comb(chosen, seats) * plan.matches) > MOST_MATCHES:
        raise KibitzError(f"{total:,} matches: {MOST_MATCHES:,} are the most; take fewer agents or matches")


def job_of(jobs: Jobs, name: str) -> Job | None:
    """The job that plays the series in the folder `name`; None where the page has not begun it."""
    job = making.begun(jobs).get(name)
    return job if job is not None and job.arguments.get("plan") in PLANS else None


def resume(folder: Path, jobs: Jobs, name: str) -> None:
    """Go on with a series that was stopped; KibitzError for one that runs, or that the page has not begun."""
    job = job_of(jobs, name)
    if job is None:
        existing(folder, name)
        raise KibitzError(f"{name!r} was not begun on the page: resume it where it was begun, with --resume")
    if job.state == "running":
        raise KibitzError(f"{name!r} is being played")
    jobs.resume(job.id)


def stop(folder: Path, jobs: Jobs, name: str, visitor: str) -> None:
    """End the worker of a series; what has been played stays. ForeignError for one of another visitor."""
    job = job_of(jobs, name)
    if job is None or job.state != "running":
        existing(folder, name)
        return
    if job.owner not in ("", visitor):
        raise ForeignError(f"{name!r} was started by another visitor: only they can stop it")
    jobs.cancel(job.id)


def open_series(folder: Path, name: str) -> Played | None:
    """The series in the folder `name`; None where nothing has been kept there."""
    place = inside(folder, name)
    return Played(place) if any(is_there(place / each) for each in (MANIFEST, CHECKPOINT)) else None


def state_of(job: Job | None, played: Played | None) -> tuple[str, str]:
    """`running`, `finished` or `stopped`, and why it was stopped where there is a reason."""
    if job is not None and job.state == "running":
        return "running", ""
    if played is not None and played.is_whole:
        return "finished", ""
    return "stopped", job.error if job is not None and job.state == "failed" else ""


@lru_cache(maxsize=64)
def game_title(game: Game) -> str:
    """What the games of the page are called; the name of another. A folder keeps the rules of a game, not its name."""
    rules = format_gamedef(game)
    for kind, title in game_choices().items():
        with suppress(KibitzError):
            if format_gamedef(chosen_game(kind, game.players)) == rules:
                return f"{title}, {game.players} players" if kind in HOLDEM else title
    return game.name or f"a {'limit' if game.betting == 'limit' else 'no-limit'} game for {game.players}"


def list_series(folder: Path, jobs: Jobs) -> list[dict[str, Any]]:
    """The series of the folder, the newest first; folders with something else or something damaged are left out."""
    root, found, known = folder.resolve(), [], making.begun(jobs)
    kept = listed(folder, *(f"{'*/' * depth}{name}" for depth in range(4) for name in (MANIFEST, CHECKPOINT)))
    names = {Path(path).parent.as_posix() for path in kept}
    for name in names | {name for name, job in known.items() if job.arguments.get("plan") in PLANS}:
        with suppress(KibitzError, OSError):
            found.append(_summary(root, name, known.get(name)))
    return sorted(found, key=lambda each: (each["state"] == "running", each["changed"]), reverse=True)


def _summary(root: Path, name: str, job: Job | None) -> dict[str, Any]:
    played = open_series(root, name)
    told = {"name": name, "state": state_of(job, played)[0], "changed": 0.0 if job is None else job.started}
    if played is None:
        assert job is not None
        agents, game = job.arguments["sent"]["agents"], load_game(job.arguments["sent"]["game"][0])
        return told | {"agents": agents, "game": game_title(game), "done": 0, "total": 0}
    series, place = played.series, inside(root, name)
    changed = max((place / each).stat().st_mtime for each in (MANIFEST, CHECKPOINT) if is_there(place / each))
    counts = {"done": played.done, "total": played.total, "changed": changed}
    return told | counts | {"agents": series.names, "game": game_title(series.game)}
