"""What was played of a series, read from its folder: when it is finished, or while another process plays it.

A finished series is an artefact with all matches in a file; of one that is being played the checkpoint tells. It is
replaced about once a second, always whole, so that whoever looks finds the same as a later `--resume` would.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

from kibitz.arena.playing import ABOUT, OUTCOMES, SERIES, DuplicatePlan, TournamentPlan, key_of, moments_of
from kibitz.arena.series import Key, Outcomes, Series
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.files import read_json, shown
from kibitz.games import parse_gamedef
from kibitz.plans import MANIFEST, kind_of, open_artefact, read_manifest
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.plans.cells import results_of
from kibitz.plans.checkpoints import read_checkpoint
from kibitz.random import parse_seed
from kibitz.statistics import Moments

PLANS = (DuplicatePlan.kind, TournamentPlan.kind)


class PlayedSeries(Series):
    """A series as its folder describes it: of its agents only the names are known."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents' names, as they were recorded."""
        return tuple(map(str, self.agents))


class Played:
    """The series in a folder and what has been played of it, which may become more.

    series     as the folder describes it
    done       matches that are finished
    is_whole   whether they are all, and what is made of them is there
    outcomes   of those matches, once they have been read by `refresh`
    """

    def __init__(self, folder: Path) -> None:
        """Read what is played; KibitzError where `folder` holds no series."""
        self.folder = folder
        self.outcomes: Outcomes = {}
        self._known: set[str] = set()
        self._stamp: object = None
        self._described, self.done = _description(folder)
        self.is_whole = _is_finished(folder)
        self.series = _series(folder, self._described)

    @property
    def total(self) -> int:
        """Matches of the whole series."""
        return comb(len(self.series.agents), self.series.game.players) * self.series.matches

    def refresh(self) -> bool:
        """Take what was finished since; whether there was anything. KibitzError where it is damaged."""
        if (stamp := _stamp(self.folder)) == self._stamp:
            return False
        described, results = _results(self.folder)
        if described != self._described or not isinstance(results, dict):
            raise KibitzError(f"{self.folder} holds another series than before")
        new = results.keys() - self._known
        for name in new:
            key, moments = _outcome(self.folder, name, results[name], self.series)
            self.outcomes[key] = moments
        self._known |= new
        self._stamp, self.done, self.is_whole = stamp, len(self.outcomes), _is_finished(self.folder)
        return bool(new)


def read_series(folder: Path) -> tuple[PlayedSeries, Outcomes]:
    """The series in `folder` and its matches; KibitzError where one is damaged or missing."""
    played = Played(folder)
    played.refresh()
    if played.done != played.total:
        raise KibitzError(
            f"{folder} holds {played.done} of {played.total} matches: resume the series to play the others"
        )
    return played.series, played.outcomes


def read_standings(folder: Path) -> Standings:
    """The results of the series in `folder`, if it is finished."""
    return Standings(*read_series(folder))


def _stamp(folder: Path) -> object:
    """Changes with what is kept in `folder`."""
    found = []
    for name in (MANIFEST, CHECKPOINT):
        with suppress(OSError):
            status = (folder / name).stat()
            found.append((name, status.st_mtime_ns, status.st_ino))
    return found


def _is_finished(folder: Path) -> bool:
    """Whether there is an artefact; an error that says what else there is comes from reading one."""
    return bool(kind_of(folder)) or not (folder / CHECKPOINT).is_file()


def _description(folder: Path) -> tuple[dict[str, Any], int]:
    """What is played, and how many matches are finished."""
    if _is_finished(folder):
        manifest = read_manifest(folder, SERIES)
        return manifest["about"], manifest["made"].get("done", 0)
    found = read_checkpoint(folder / CHECKPOINT, "header")
    return _about(folder, found.identity), found.done


def _results(folder: Path) -> tuple[dict[str, Any], Any]:
    """What is played, and the results of the cells by name."""
    try:
        if _is_finished(folder):
            return dict(open_artefact(folder, SERIES).about), read_json(folder / OUTCOMES)
        found = read_checkpoint(folder / CHECKPOINT, "results")
        return _about(folder, found.identity), results_of(found.arrays)
    except (OSError, ValueError, KeyError) as error:
        raise KibitzError(f"{folder}: its matches cannot be read: {error}") from None


def _about(folder: Path, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Of the identity of a plan what artefacts tell too."""
    if identity.get("plan") not in PLANS:
        raise KibitzError(f"{folder} holds a run of {shown(identity.get('plan'))}, not a match or tournament")
    return {name: identity.get(name) for name in ABOUT}


def _series(folder: Path, described: Mapping[str, Any]) -> PlayedSeries:
    try:
        game, names = parse_gamedef(described["game"]), tuple(map(str, described["names"]))
        hands, matches, seed = int(described["hands"]), int(described["matches"]), parse_seed(described["seed"])
        return PlayedSeries(game, names, hands, matches, seed, cards=described["cards"])
    except (KeyError, TypeError, ValueError, AttributeError, KibitzError) as error:
        raise KibitzError(f"{folder} does not describe a series: {error}") from None


def _outcome(folder: Path, name: str, result: Any, series: Series) -> tuple[Key, tuple[Moments, ...]]:
    """A match of the series and its moments; KibitzError unless it can be one."""
    players, hands = series.game.players, series.hands
    try:
        table, match = key_of(name)
    except ValueError:
        table, match = (), -1
    ascending = all(one < other for one, other in pairwise((-1, *table, len(series.agents))))
    if len(table) != players or not ascending or not 0 <= match < series.matches:
        raise KibitzError(f"{folder}: match {shown(name)} does not belong to this series")
    if not isinstance(result, list) or len(result) != players or not all(_fits(each, hands) for each in result):
        raise KibitzError(f"{folder}: match {name}: {shown(result)} are no results of {hands} deals")
    return (table, match), moments_of(result)


def _fits(sums: Any, hands: int) -> bool:
    """Whether these can be moments of `hands` samples: others have (count)(sum of squares) >= (sum)^2.

    A fourth number, if there is one, counts the hands that were forfeited.
    """
    if not isinstance(sums, list) or len(sums) not in (3, 4) or not all(type(value) is int for value in sums):
        return False
    return bool(sums[0] == hands and hands * sums[2] >= sums[1] ** 2 and min(sums[3:], default=0) >= 0)
