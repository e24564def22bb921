"""The substitutes as tables: nothing was printed, ours stand alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from math import nan
from pathlib import Path
from typing import Any

from kibitz.agents.registry import AGENTS
from kibitz.experiments.published import Effort, Experiment, Found, PublishedTable
from kibitz.experiments.rubin2011.fidelity import ABLATIONS
from kibitz.experiments.rubin2011.imitation import MAPPINGS, Imitation
from kibitz.experiments.rubin2011.presets import EXPERT, IMITATION, Preset, find_preset, load_players
from kibitz.experiments.rubin2011.report import draw_curve, target_of
from kibitz.modelling.cases import POLICIES

Cells = Iterator[tuple[str, str, Found]]
_ANSWERS = ("imitation", "strength only")


class Substitutes:
    """All tables of one preset; what several of them need is made once, when the first asks for it."""

    def __init__(self, preset: Preset, effort: Effort, rivals: Iterable[str] = ()) -> None:
        self._make = partial(Imitation, preset, effort, tuple(rivals))

    @cached_property
    def _imitation(self) -> Imitation:
        return self._make()

    def part(self, name: str) -> dict[str, Any]:
        """One part of the document."""
        return self._imitation.part(name)

    def fidelity(self) -> Cells:
        """Agreement by hands learnt from."""
        found = self.part("fidelity")
        for point in found["curve"]:
            for row in _ANSWERS:
                yield row, str(point["hands"]), _share(point[row][target_of(found)])

    def ablations(self) -> Cells:
        """Agreement with features left out."""
        found = self.part("fidelity")
        for row, each in found["ablations"].items():
            yield row, "agreement", _share(each[target_of(found)])
            yield row, "fallbacks", Found(each["fallbacks"])

    def loss(self) -> Cells:
        """What the imitation wins from its expert."""
        found = self.part("loss")
        for group in ("policies", "hands", "features"):
            for row, each in found[group].items():
                yield row if group != "hands" else f"{row} hands", "mbb/hand", _rate(each)

    def mappings(self) -> Cells:
        """What imitation and expert win from the field."""
        found = self.part("mappings")
        for column, others in {**found["imitation"], EXPERT: found["expert"]}.items():
            for row, each in others.items():
                yield row, column, _rate(each)

    def run_off(self) -> Cells:
        """The run-off."""
        for number, each in enumerate(self.part("run-off")["rounds"]):
            for row, score in each["scores"].items():
                yield row, f"round {number}", Found(score)

    def picture(self) -> str:
        """The curve as SVG text."""
        text = draw_curve(self.part("fidelity")).decode()
        return text[text.index("<svg") :]


def _share(found: dict[str, float]) -> Found:
    return Found(found["share"], found["low"], found["high"])


def _rate(found: dict[str, float]) -> Found:
    mean, half = found["mean"], found["half_width"]
    return Found(mean, mean - half, mean + half)


def _table(title: str, heading: str, rows: Iterable[str], columns: Iterable[str], decimals: int) -> PublishedTable:
    names = tuple(columns)
    figures = {row: (nan,) * len(names) for row in rows}
    return PublishedTable(f"Substitute: {title}", heading, names, figures, 0.0, decimals)


def substitutes(effort: Effort, expert: str = "", rivals: Iterable[str] = ()) -> dict[str, Experiment]:
    """The substitutes at an effort: see `kibitz.experiments.rubin2011.imitation.run`.

    Where the expert is a folder that is not there, the tables are declared and say what is missing.
    """
    preset = find_preset(effort.preset, expert)
    work = Substitutes(preset, effort, rivals)
    there = preset.expert in AGENTS or Path(preset.expert).is_dir()
    notes = _notes(effort.preset, preset, there)
    points = tuple(map(str, preset.points))
    played = (*POLICIES, *(f"{point} hands" for point in points), *ABLATIONS)
    ranked = (IMITATION, EXPERT, *preset.run_off)
    rounds = tuple(f"round {number}" for number in range(len(ranked) - 1))
    field = (*preset.field, *(player.name for player in load_players("the rival", rivals)), EXPERT)
    tables = {
        "fidelity": _table("agreement with the expert, by hands learnt from", "by", _ANSWERS, points, 3),
        "ablations": _table("agreement with features left out", "features", ABLATIONS, ("agreement", "fallbacks"), 3),
        "loss": _table("what the imitation wins from its expert", "imitation", played, ("mbb/hand",), 0),
        "mappings": _table("what it wins when bets are read so, and the expert", "from", field, (*MAPPINGS, EXPERT), 0),
        "run-off": _table("a run-off of our own agents", "agent", ranked, rounds, 0),
    }
    finds = {"fidelity": work.fidelity, "ablations": work.ablations, "loss": work.loss, "mappings": work.mappings,
             "run-off": work.run_off}  # fmt: skip
    return {
        name: Experiment(
            table,
            finds[name] if there else None,
            notes,
            picture=work.picture if there and name == "fidelity" else None,
            values=partial(work.part, name) if there and name != "ablations" else None,
        )
        for name, table in tables.items()
    }


def _notes(effort: str, preset: Preset, there: bool) -> tuple[str, ...]:
    if not there:
        return (
            f"Not run: there is no {preset.expert}. kibitz train makes such strategies; give another one to "
            f"python -m kibitz.experiments.rubin2011 {effort} --expert FOLDER.",
        )
    if effort == "smoke":
        return ("The smallest preset, with a rule agent as the expert: it shows that all works, not how well.",)
    return (f"The expert is {preset.expert}; intervals are of 95 %.",)
