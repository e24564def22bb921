"""The folder of a run: what was asked for, what is done, and what it cost; a run that was stopped goes on there.

Matches are played piece by piece, each piece written down when it is done.
"""

from __future__ import annotations

import json
import resource
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kibitz.arena.chance import ACPC
from kibitz.arena.duplicate import DuplicateMatch, hands_per_deal, play_duplicate
from kibitz.errors import KibitzError
from kibitz.files import parse_json, read_json, write_text
from kibitz.games import Game
from kibitz.games.stakes import Stake, win_rate
from kibitz.parallel import Executor
from kibitz.progress import Progress, silent
from kibitz.statistics import Estimate, Moments, merge


class Folder:
    """A folder for one run, described by `plan`; going on with another plan is an error."""

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        self.path = path
        _make_folder(path)
        plan = json.loads(json.dumps(plan))  # tuples become lists, as in the file
        before = self.read("plan")
        for key in plan if before is not None else ():
            if key not in before:
                raise KibitzError(
                    f"{path} does not say with which {key} it was begun, now it is {plan[key]!r}: choose another folder"
                )
            if before[key] != plan[key]:
                raise KibitzError(
                    f"{path} was begun with {key} = {before[key]!r}, now it is {plan[key]!r}: go on with the same "
                    "settings, or choose another folder"
                )
        self.write("plan", plan)

    def sub(self, name: str) -> Path:
        """A folder in it."""
        found = self.path / name
        found.mkdir(exist_ok=True)
        return found

    def read(self, name: str) -> Any:
        """The document `name`, None if it is not there yet."""
        path = self.path / f"{name}.json"
        if not path.exists():
            return None
        try:
            return read_json(path)
        except ValueError as error:
            raise KibitzError(f"{path} is not what this experiment writes: {error}; choose another folder") from None

    def write(self, name: str, document: Any) -> None:
        """Keep a document, whole or not at all."""
        self.write_text(f"{name}.json", json.dumps(document, indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Keep a text, whole or not at all."""
        write_text(self.path / name, text)

    @contextmanager
    def costing(self, stage: str) -> Iterator[None]:
        """Add what is done inside to the cost of a stage: seconds of all processors, and of the clock."""
        cpu, wall = _cpu_seconds(), perf_counter()
        try:
            yield
        finally:
            costs = self.read("cost") or {}
            spent = costs.get(stage, {"cpu": 0.0, "wall": 0.0})
            costs[stage] = {
                "cpu": round(spent["cpu"] + _cpu_seconds() - cpu, 2),
                "wall": round(spent["wall"] + perf_counter() - wall, 2),
            }
            self.write("cost", costs)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"cannot write {path}: {error.strerror}; choose another folder") from None


def _cpu_seconds() -> float:
    """Of this process and those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


Pair = tuple[str, str]  # two agents by name; the first one's result counts


class Plan(NamedTuple):
    """How much is played: duplicate deals of each pair, how many at a time, and from which seed."""

    game: Game
    deals: int
    piece: int
    seed: int

    @property
    def lengths(self) -> list[int]:
        """Deals of each piece."""
        return [min(self.piece, self.deals - start) for start in range(0, self.deals, self.piece)]


class Journal:
    """The finished pieces, one line each; a last line that was cut off is played again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[tuple[str, str, int], Moments] = {}
        if path.exists():
            whole = path.read_text()[: path.read_text().rfind("\n") + 1]
            write_text(path, whole)
            for line in whole.splitlines():
                one, other, number, *sums = parse_json(line)
                self._done[one, other, number] = Moments(*sums)

    def __contains__(self, key: tuple[str, str, int]) -> bool:
        return key in self._done

    def add(self, key: tuple[str, str, int], moments: Moments) -> None:
        """Write down a piece."""
        self._done[key] = moments
        with self._path.open("a") as out:
            out.write(json.dumps([*key, moments.count, moments.total, moments.squares]) + "\n")

    def total(self, pair: Pair, pieces: int) -> Moments:
        """All pieces of a pair."""
        return merge(self._done[*pair, number] for number in range(pieces))


def play_pairs(
    plan: Plan,
    agents: Mapping[str, str],
    pairs: Iterable[Pair],
    executor: Executor,
    journal: Journal,
    tell: Progress = silent,
) -> dict[Pair, Estimate]:
    """What the first of each pair wins, mbb/hand; what is in the journal is not played again.

    agents   what each name stands for, as `load_agent` takes it
    """
    wanted, lengths = list(dict.fromkeys(pairs)), plan.lengths
    keys = [(*pair, number) for pair in wanted for number in range(len(lengths))]
    missing = [key for key in keys if key not in journal]
    tasks = (
        DuplicateMatch(plan.game, (agents[one], agents[other]), lengths[number], plan.seed, number, cards=ACPC)
        for one, other, number in missing
    )
    for done, (key, moments) in enumerate(zip(missing, executor.map(play_duplicate, tasks), strict=True), 1):
        journal.add(key, moments[0])
        tell("matches", len(keys) - len(missing) + done, len(keys))
    stake, hands = Stake.of(plan.game), hands_per_deal(plan.game.players)
    return {pair: win_rate(journal.total(pair, len(lengths)), stake, hands) for pair in wanted}
