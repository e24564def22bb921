"""Sweeps: combinations of settings as cells, a table, a plot; on any executor, and on a cluster that loses a node."""

import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.parallel import Processes, Ray
from kibitz.plans import Means, carry_out, kind_of, open_artefact
from kibitz.plans.kinds import PLANS
from kibitz.plans.sweep import SweepPlan
from kibitz.plans.words import plan_from_words

WORDS = ("walk", "here", "--steps", "300")


@pytest.fixture(autouse=True)
def walks(monkeypatch):
    monkeypatch.setitem(PLANS, "walk", "plans.walking:WalkPlan")


def run(*words):
    return CliRunner().invoke(main, ["sweep", *map(str, words)])


def swept(out, means=None, **changes):
    plan = SweepPlan(WORDS, ("rate=0.25,0.5,1", "seed=0..3"), **changes)
    *_, last = carry_out(plan, out, means=means or Means())
    return last.artefact


def contents(folder: Path) -> dict[str, bytes]:
    """What every cell has left, and the table."""
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.glob("*/*.npy")}
    return found | {"table": (folder / "results.parquet").read_bytes()}


def test_a_plan_is_read_from_words():
    plan = plan_from_words((*WORDS, "--rate=2", "--weight", "1", "--weight", "0.5", "--backwards"))
    assert (plan.start, plan.steps, plan.rate, plan.weights, plan.backwards) == ("here", 300, 2.0, (1.0, 0.5), True)
    assert plan_from_words(plan.command().split()[1:]) == plan


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "'nothing' is not a plan"),
        (("wlak",), r"'wlak' is not a plan \(did you mean walk\?\)"),
        (("walk",), "walk needs start"),
        (("walk", "a", "b"), "'b' is one argument too many"),
        (("walk", "a", "--ratte", "1"), r"no option --ratte \(did you mean --rate\?\)"),
        (("walk", "a", "--rate"), "a value is missing after --rate"),
        (("walk", "a", "--rate", "1", "--rate", "2"), "rate is given twice"),
        (("walk", "a", "--rate", "0"), "rate is 0: a number above 0 is needed"),
    ],
)
def test_words_that_are_no_plan(words, message):
    with pytest.raises(KibitzError, match=message):
        plan_from_words(words)


def test_a_sweep_leaves_its_cells_a_table_and_a_plot(tmp_path):
    artefact = swept(tmp_path / "sweep")
    table = pl.read_parquet(tmp_path / "sweep" / "results.parquet")
    assert table.shape == (12, 4)
    assert table.columns == ["rate", "seed", "height", "done"]
    assert (tmp_path / "sweep" / "results.png").stat().st_size > 5_000
    for name, row in zip(artefact.parts, table.to_dicts(), strict=True):
        cell = open_artefact(tmp_path / "sweep" / name, "walk")
        assert cell.made["height"] == row["height"]
        assert cell.made["plan"]["rate"] == row["rate"]
    assert kind_of(tmp_path / "sweep") == "sweep"


def test_the_executor_does_not_matter(tmp_path):
    swept(tmp_path / "here")
    swept(tmp_path / "there", Means(executor=Processes(2)))
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_a_sweep_goes_on_where_it_was(tmp_path):
    swept(tmp_path / "straight")
    reports = carry_out(SweepPlan(WORDS, ("rate=0.25,0.5,1", "seed=0..3")), tmp_path / "sweep")
    for _ in range(5):
        next(reports)
    reports.close()
    begun = {path: path.stat().st_mtime_ns for path in tmp_path.glob("sweep/*/manifest.json")}
    assert len(begun) == 5
    list(carry_out(SweepPlan(WORDS, ("rate=0.25,0.5,1", "seed=0..3")), tmp_path / "sweep", resume=True))
    assert contents(tmp_path / "sweep") == contents(tmp_path / "straight")
    assert all(path.stat().st_mtime_ns == before for path, before in begun.items())


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ((), "a sweep over nothing"),
        (("rat=1",), r"walk has no setting 'rat' \(did you mean rate\?\)"),
        (("rate",), "a setting and its values once"),
        (("rate=1,1",), "values that differ"),
        (("rate=0",), "rate is 0"),
        (("rate=1", "rate=2"), "a setting and its values once"),
        (("steps=1..200000",), "200,000 combinations"),
    ],
)
def test_what_cannot_be_swept(over, message, tmp_path):
    with pytest.raises(KibitzError, match=message):
        next(carry_out(SweepPlan(WORDS, over), tmp_path / "sweep"))
    assert not (tmp_path / "sweep").exists()


def test_the_command(tmp_path):
    told = run(*WORDS, "--over", "rate=0.5,1", "--over", "seed=0..1", "--out", tmp_path / "sweep")
    assert told.exit_code == 0, told.output
    assert "4 cells of kibitz walk here --steps 300\n" in told.output
    assert "rate=0.5_seed=1  " in told.output
    rows = json.loads(run(*WORDS, "--over", "rate=0.5,1", "--json").stdout)
    assert [row["rate"] for row in rows] == [0.5, 1.0]
    assert run(*WORDS, "--over", "rate=1", "--measure", "weight").exit_code == 2
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "sweep")]).output
    assert "a sweep, made by Kibitz" in " ".join(shown.split())
    assert "rate 0.5, seed 1, height" in shown.replace("\n", " ")


@pytest.fixture
def cluster():
    """Two nodes on this machine, as `ray start` makes them."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    other = found.add_node(num_cpus=1)
    ray.init(address=found.address, log_to_driver=False)
    yield found, other
    ray.shutdown()
    found.shutdown()


@pytest.mark.slow
def test_a_cluster_that_loses_a_node_leaves_the_same_bytes(cluster, tmp_path, monkeypatch):
    machines, other = cluster
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    over = ("algorithm=cfr,cfr+,dcfr", "updates=alternating,simultaneous")
    plan = SweepPlan(("solve", "leduc", "--iterations", "5000"), over)
    list(carry_out(plan, tmp_path / "here"))
    reports = carry_out(plan, tmp_path / "there", means=Means(executor=Ray()))
    next(reports)
    machines.remove_node(other, allow_graceful=False)
    assert sum(report.row is not None for report in reports) == 5
    one, two = contents(tmp_path / "here"), contents(tmp_path / "there")
    assert one.keys() == two.keys()
    assert all(one[name] == two[name] for name in one)
