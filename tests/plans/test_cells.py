"""Plans of plans: cells on executors, kept, resumed, done again when their worker is lost."""

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.parallel import InProcess, Processes, WorkerLostError
from kibitz.plans import (
    HERE,
    Artefact,
    CellsPlan,
    Means,
    carry_out,
    fingerprint_of,
    open_artefact,
    read_curve,
    setting,
)
from kibitz.plans.cells import results_of
from kibitz.plans.checkpoints import read_checkpoint
from plans.walking import WalkPlan


@dataclass(frozen=True)
class Walked:
    """One walk; where `fatal` is a file that is not there yet, its process ends without a word."""

    plan: WalkPlan
    fatal: str = ""

    def __call__(self) -> dict[str, Any]:
        if self.fatal and not (Path(self.fatal).exists() and self.fatal != os.devnull):
            Path(self.fatal).touch()
            os._exit(1)
        *_, last = carry_out(self.plan)
        return {"height": last.artefact.made["height"]}


@dataclass(frozen=True)
class WalksPlan(CellsPlan):
    """Walk several times."""

    kind: ClassVar[str] = "walks"

    walks: int = setting(4, "Number of walks", at_least=1)
    fatal: str = setting("", "File that a lost worker leaves", free=True)

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Walked]:
        fatal = {1: self.fatal}
        return {f"walk-{n}": Walked(WalkPlan("here", steps=60, seed=n), fatal.get(n, "")) for n in range(self.walks)}

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        return Artefact("walks", made={"heights": [each["height"] for each in results.values()]})


@dataclass(frozen=True)
class Raced:
    """Which of two walks got higher; where `lost` is a file that is not there yet, Ctrl-C or the end comes first."""

    heights: tuple[float, ...]
    lost: str
    by: int

    def __call__(self) -> dict[str, Any]:
        if self.lost and not Path(self.lost).exists():
            Path(self.lost).touch()
            os.kill(os.getpid(), self.by)
        return {"won": self.heights.index(max(self.heights))}


@dataclass(frozen=True)
class RacesPlan(CellsPlan):
    """Two walks, their race, and then the winner goes on in another place."""

    kind: ClassVar[str] = "races"

    lost: str = setting("", "File that a lost worker or an interruption leaves", free=True)
    by: int = setting(int(signal.SIGKILL), "Signal", free=True)

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Any]:
        told: dict[str, Any] = {name: WalkPlan(name, seed=n) for n, name in enumerate(("left", "right"))}
        if "left" in results and "right" in results:
            told["race"] = Raced((results["left"]["height"], results["right"]["height"]), self.lost, self.by)
        if "race" in results:
            told["on"] = WalkPlan("on", seed=10 + results["race"]["won"])
        return told

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        parts = ("left", "right", "on")
        return Artefact("races", made={"heights": [results[each]["height"] for each in parts]}, parts=parts)


def heights(*arguments: Any, **options: Any) -> list[float]:
    *_, last = carry_out(*arguments, **options)
    return last.artefact.made["heights"]


def test_the_result_does_not_depend_on_the_executor(tmp_path):
    here = heights(WalksPlan(), tmp_path / "here", means=Means(executor=InProcess()))
    there = heights(WalksPlan(), tmp_path / "there", means=Means(executor=Processes(2)))
    assert here == there
    assert len(set(here)) == 4
    files = [(tmp_path / place / "manifest.json").read_bytes() for place in ("here", "there")]
    assert files[0] == files[1]


def test_finished_cells_are_kept(tmp_path):
    reports = carry_out(WalksPlan(), tmp_path)
    first, _second = next(reports), next(reports)
    assert (first.done, first.goal, first.stage) == (1, 4, "walk-0")
    reports.close()
    rest = list(carry_out(WalksPlan(), tmp_path, resume=True))
    assert [each.stage for each in rest] == ["walk-2", "walk-3", ""]
    assert open_artefact(tmp_path).made["heights"] == heights(WalksPlan())


def test_cells_that_are_plans_leave_artefacts_and_later_ones_depend_on_them(tmp_path):
    reports = list(carry_out(RacesPlan(), tmp_path / "here"))
    assert [(each.stage, each.goal) for each in reports[:4]] == [("left", 2), ("right", 2), ("race", 3), ("on", 4)]
    assert heights(RacesPlan(), tmp_path / "there", means=Means(executor=Processes(2))) == heights(RacesPlan())
    here, there = open_artefact(tmp_path / "here"), open_artefact(tmp_path / "there")
    ends = [open_artefact(tmp_path / "here" / part).made["height"] for part in here.parts]
    assert ends == here.made["heights"] == there.made["heights"]
    assert fingerprint_of(tmp_path / "here") == fingerprint_of(tmp_path / "there")
    row = {"cell": "left", "height": ends[0], "version": __version__, "device": "cpu", "done": 100}
    assert read_curve(tmp_path / "here")[0] == row


def test_cells_that_are_plans_go_on_where_they_were(tmp_path):
    begun = carry_out(WalkPlan("left"), tmp_path / "left")
    for _ in range(3):
        next(begun)
    begun.close()
    assert heights(RacesPlan(), tmp_path) == heights(RacesPlan())
    kept = (tmp_path / "right" / "manifest.json").stat().st_mtime_ns
    (tmp_path / "checkpoint.npz").unlink()  # as if it had been killed before it wrote one
    (tmp_path / "curve.jsonl").unlink()
    (tmp_path / "manifest.json").unlink()
    assert heights(RacesPlan(), tmp_path) == heights(RacesPlan())
    assert (tmp_path / "right" / "manifest.json").stat().st_mtime_ns == kept


def test_a_cell_of_another_plan_in_the_folder_is_refused(tmp_path):
    list(carry_out(WalkPlan("left", seed=7), tmp_path / "left"))
    with pytest.raises(KibitzError, match="its run has seed = 7, this plan has 0"):
        next(carry_out(RacesPlan(), tmp_path))


def test_a_lost_worker_of_a_later_cell(tmp_path):
    lost = RacesPlan(lost=str(tmp_path / "lost"))
    assert heights(lost, tmp_path / "out", means=Means(executor=Processes(2))) == heights(RacesPlan())
    assert (tmp_path / "lost").exists()


def test_an_interruption_within_a_cell_keeps_the_others(tmp_path):
    plan = RacesPlan(lost=str(tmp_path / "lost"), by=int(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        list(carry_out(plan, tmp_path / "out"))
    stages = [each.stage for each in carry_out(plan, tmp_path / "out", resume=True)]
    assert stages == ["race", "on", ""]
    assert open_artefact(tmp_path / "out").made["heights"] == heights(RacesPlan())


def test_a_lost_worker_costs_its_cell(tmp_path):
    lost = WalksPlan(fatal=str(tmp_path / "lost"))
    assert heights(lost, means=Means(executor=Processes(2))) == heights(WalksPlan())
    assert (tmp_path / "lost").exists()


def test_a_cell_whose_worker_is_lost_every_time_is_an_error():
    with pytest.raises(WorkerLostError, match=r"the worker of walk-[01] was lost 3 times"):
        heights(WalksPlan(fatal=os.devnull), means=Means(executor=Processes(2)))


def test_cells_of_another_plan_are_refused(tmp_path):
    reports = carry_out(WalksPlan(), tmp_path)
    next(reports)
    reports.close()
    with pytest.raises(KibitzError, match="walks = 4, this plan has 3"):
        next(carry_out(WalksPlan(3), tmp_path, resume=True))
    run = WalksPlan(1).begin(HERE)
    with pytest.raises(KibitzError, match="a cell 'walk-3', which this plan does not have"):
        run.restore(1, WalksRun.arrays_of({"walk-3": 1}))


class WalksRun:
    """What a checkpoint of cells holds."""

    @staticmethod
    def arrays_of(results: dict[str, Any]) -> dict[str, Any]:
        run = WalksPlan(4).begin(HERE)
        run.results = results
        return dict(run.arrays())


@dataclass(frozen=True)
class WatchedPlan(WalksPlan):
    """The same, with a file that is changed while it is made, for others who read along."""

    kind: ClassVar[str] = "watched"
    is_watched = True

    source: str = setting("", "File it is made from")

    def inputs(self) -> dict[str, Any]:
        return {"source": Path(self.source).read_text()}

    def executor(self) -> Processes:
        return Processes(2)

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Any]:
        return {f"name-{n}": os.getpid for n in range(self.walks)}

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        return Artefact("walks", made={"processes": sorted(set(results.values()))})


def test_who_reads_along_finds_a_checkpoint_from_the_start_of_what_was_there_then(tmp_path):
    source = tmp_path / "source"
    source.write_text("then")
    seen = []
    for report in carry_out(WatchedPlan(source=str(source)), tmp_path / "out", checkpoint_seconds=0):
        source.write_text("now")
        if report.artefact is None:
            found = read_checkpoint(tmp_path / "out" / "checkpoint.npz", "results")
            seen.append((found.identity["source"], found.done, len(results_of(found.arrays))))
    assert seen == [("then", done, done) for done in range(1, 5)]
    assert read_curve(tmp_path / "out")[0]["cell"] == "name-0"
    begun = carry_out(WatchedPlan(source=str(source)), tmp_path / "again", checkpoint_seconds=100)
    next(begun)
    assert read_checkpoint(tmp_path / "again" / "checkpoint.npz").done == 0
    begun.close()


def test_cells_are_done_where_it_suits_them_unless_somebody_says(tmp_path):
    source = tmp_path / "source"
    source.touch()
    plan = WatchedPlan(source=str(source))
    for means, is_here in ((Means(), False), (Means(executor=InProcess()), True)):
        *_, last = carry_out(plan, means=means)
        assert (last.artefact.made["processes"] == [os.getpid()]) == is_here
