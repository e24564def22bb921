"""Plans of plans: cells on executors, kept, resumed, done again when their worker is lost."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.errors import KibitzError
from kibitz.parallel import InProcess, Processes, WorkerLostError
from kibitz.plans import HERE, Artefact, CellsPlan, Means, carry_out, open_artefact, setting
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

    def cells(self, means: Means) -> Mapping[str, Walked]:
        fatal = {1: self.fatal}
        return {f"walk-{n}": Walked(WalkPlan("here", steps=60, seed=n), fatal.get(n, "")) for n in range(self.walks)}

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        return Artefact("walks", made={"heights": [each["height"] for each in results.values()]})


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
