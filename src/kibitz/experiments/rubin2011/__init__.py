"""Rubin and Watson 2011, Successful Performance via Decision Generalisation in No Limit Texas Hold'em (ICCBR)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.agents.registry import AGENTS
from kibitz.arena.bankroll import RunOff, instant_runoff
from kibitz.experiments.pictures import picture
from kibitz.experiments.published import (
    Cells,
    Effort,
    Experiment,
    Found,
    PublishedTable,
    by_effort,
    load_printed,
    unprinted,
)
from kibitz.experiments.rubin2011.fidelity import ABLATIONS
from kibitz.experiments.rubin2011.imitation import MAPPINGS, Imitation, preset_of
from kibitz.experiments.rubin2011.pluribus import HELD_OUT, imitate, read_hands
from kibitz.experiments.rubin2011.presets import EXPERT, IMITATION, PRESETS, load_players
from kibitz.modelling.cases import POLICIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Rubin and Watson 2011: SartreNL, imitation case by case"
OPTIONS = {
    "expert": "an agent by name, or the folder of a strategy",
    "rival": "one more opponent, such as the folder of another strategy",
    "pluribus": "a file of Pluribus's public hands",
}
_DOCUMENT = load_printed("kibitz.experiments.rubin2011")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
TABLE_6_INTERVALS: dict[str, list[int]] = _DOCUMENT["intervals"]  # half-widths, 95 %
NAMES = tuple(TABLES["table-6"].rows)  # the agents of the run-off division
COLOURS = {"imitation": "#3b7a57", "strength only": "#c05a1c"}  # the ways of answering


def run_off() -> RunOff:
    """The run-off of the rates of table 5; agents are numbered as in table 6."""
    places = [TABLES["table-5"].columns.index(name) for name in NAMES]
    return instant_runoff(np.array([[TABLES["table-5"].rows[name][place] for place in places] for name in NAMES]))


def cells_of_table_6() -> Cells:
    """The bankroll of everybody who is left in each round."""
    for column, each in zip(TABLES["table-6"].columns, run_off().rounds, strict=True):
        for agent, score in zip(each.alive, each.scores, strict=True):
            yield NAMES[agent], column, Found(score)


@lru_cache(maxsize=1)
def imitation_of(effort: Effort) -> Imitation:
    """All tables of an effort share one expert and its hands."""
    return Imitation(preset_of(effort), effort)


def fidelity(found: Mapping[str, Any]) -> Cells:
    """Agreement by hands learnt from."""
    for point in found["curve"]:
        for row in COLOURS:
            yield row, str(point["hands"]), _share(point[row][_target(found)])


def ablations(found: Mapping[str, Any]) -> Cells:
    """Agreement with features left out."""
    for row, each in found["ablations"].items():
        yield row, "agreement", _share(each[_target(found)])
        yield row, "fallbacks", Found(each["fallbacks"])


def loss(found: Mapping[str, Any]) -> Cells:
    """What the imitation wins from its expert."""
    for group in ("policies", "hands", "features"):
        for row, each in found[group].items():
            yield row if group != "hands" else f"{row} hands", "mbb/hand", _rate(each)


def mappings(found: Mapping[str, Any]) -> Cells:
    """What imitation and expert win from the field."""
    for column, others in {**found["imitation"], EXPERT: found["expert"]}.items():
        for row, each in others.items():
            yield row, column, _rate(each)


def run_offs(found: Mapping[str, Any]) -> Cells:
    """The run-off of our own agents."""
    for number, each in enumerate(found["rounds"]):
        for row, score in each["scores"].items():
            yield row, f"round {number}", Found(score)


def _target(found: Mapping[str, Any]) -> str:
    """What agreement is measured against: what is likely, or what was taken where the expert does not tell."""
    return "likely" if found["own_draw"] else "taken"


def _share(found: Mapping[str, float]) -> Found:
    return Found(found["share"], found["low"], found["high"])


def _rate(found: Mapping[str, float]) -> Found:
    mean, half = found["mean"], found["half_width"]
    return Found(mean, mean - half, mean + half)


def draw_fidelity(found: Mapping[str, Any]) -> str:
    """Agreement with 95 % intervals."""
    with picture(3.8, 5.5) as (axes, text):
        for name, colour in COLOURS.items():
            _draw(axes, {point["hands"]: _share(point[name][_target(found)]) for point in found["curve"]}, name, colour)
        if own := found["own_draw"]:
            axes.axhline(own["share"], color="#555555", ls="--", lw=1, label="the expert's own draw")
        word = "most likely action" if _target(found) == "likely" else "action"
        axes.set(ylabel="share of decisions", title=f"Agreement with the expert's {word}")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False)  # curves lie anywhere
    return text[0]


def draw_loss(found: Mapping[str, Any]) -> str:
    """What is won from the expert, by hands learnt from."""
    with picture(3.8, 5.5) as (axes, text):
        _draw(axes, {int(hands): _rate(each) for hands, each in found["hands"].items()}, "", "#2f5d9b")
        axes.axhline(0, color="#222222", lw=0.8)
        axes.set(ylabel="mbb/hand", title="Won from the expert, 95 % intervals")
    return text[0]


def _draw(axes: Axes, points: Mapping[int, Found], label: str, colour: str) -> None:
    """What was found by hands learnt from."""
    ours = [each.ours for each in points.values()]
    arms = np.array([[each.ours - each.low, each.high - each.ours] for each in points.values()]).T
    axes.errorbar(list(points), ours, arms, marker="o", ms=4, capsize=3, color=colour, label=label)
    axes.set(xscale="log", xlabel="hands learnt from")


# Name -> what it is about, heading and decimals of its table, part of the document, its cells and its picture.
_Draw = Callable[[Mapping[str, Any]], str]
_SUBSTITUTES: dict[str, tuple[str, str, int, str, Callable[[Mapping[str, Any]], Cells], _Draw | None]] = {
    "fidelity": ("agreement with the expert, by hands learnt from", "by", 3, "fidelity", fidelity, draw_fidelity),
    "ablations": ("agreement with features left out", "features", 3, "fidelity", ablations, None),
    "loss": ("what the imitation wins from its expert", "imitation", 0, "loss", loss, draw_loss),
    "mappings": ("what it wins when bets are read so, and the expert", "from", 0, "mappings", mappings, None),
    "run-off": ("a run-off of our own agents", "agent", 0, "run-off", run_offs, None),
}


def substitute(name: str, effort: Effort) -> Experiment:
    """A substitute at an effort. Where the expert is a folder that is not there, it says what is missing."""
    title, heading, decimals, part, cells, draw = _SUBSTITUTES[name]
    preset = preset_of(effort)
    points, ranked = tuple(map(str, preset.points)), (IMITATION, EXPERT, *preset.run_off)
    rivals = (player.name for player in load_players("the rival", effort.values_of("rival")))
    rows, columns = {
        "fidelity": (tuple(COLOURS), points),
        "ablations": (tuple(ABLATIONS), ("agreement", "fallbacks")),
        "loss": ((*POLICIES, *(f"{point} hands" for point in points), *ABLATIONS), ("mbb/hand",)),
        "mappings": ((*preset.field, *rivals, EXPERT), (*MAPPINGS, EXPERT)),
        "run-off": (ranked, tuple(f"round {number}" for number in range(len(ranked) - 1))),
    }[name]
    table = unprinted(f"Substitute: {title}", heading, columns, rows, decimals, intervals=False)
    if preset.expert not in AGENTS and not Path(preset.expert).is_dir():
        missing = (
            f"Not run: there is no {preset.expert}. kibitz train blueprint makes such strategies; name another by "
        )
        return Experiment(table, None, (f"{missing}--with expert=FOLDER.",))
    notes = (f"The expert is {preset.expert}; intervals are of 95 %.",)
    if preset == PRESETS["smoke"]:
        notes = ("The smallest preset, with a rule agent as the expert: it shows that all works, not how well.",)

    def found() -> dict[str, Any]:
        return imitation_of(effort).part(part)

    picture_of = None if draw is None else lambda: draw(found())
    return Experiment(table, lambda: cells(found()), notes, picture_of, found if name != "ablations" else None)


def pluribus(effort: Effort) -> Experiment:
    """Pluribus imitated from its public hands."""
    source = "Substitute: agreement with Pluribus after its own public hands, features left out"
    table = unprinted(source, "features", ("agreement", "fallbacks"), ABLATIONS, 3, intervals=False)
    logs = [Path(each) for each in effort.values_of("pluribus")]
    if not logs:
        return Experiment(table, None, ("Not run: give its public hands by --with pluribus=FILE.",))
    hands = read_hands(logs)  # what cannot be used is found before the long work
    document = lru_cache(maxsize=1)(partial(imitate, hands, preset_of(effort).strength))

    def find() -> Cells:
        for row, each in document()["agreement"].items():
            yield row, "agreement", _share(each["taken"])
            yield row, "fallbacks", Found(each["fallbacks"])

    notes = (
        f"Every {HELD_OUT}th hand is asked about, the others are learnt from; intervals of 95 % by hand.",
        f"{len(hands.bad):,} broken places were passed over" + (f": {hands.bad[0]} ..." if hands.bad else "."),
    )
    return Experiment(table, find, notes, values=document)


EXPERIMENTS: dict[str, Experiment] = {
    "table-5": Experiment.of(TABLES["table-5"]),
    "table-6": Experiment.of(
        TABLES["table-6"],
        cells_of_table_6,
        values=lambda: {
            "intervals": TABLE_6_INTERVALS,
            "ranking": [NAMES[agent] for agent in run_off().ranking],
            "dropped": [NAMES[each.dropped] for each in run_off().rounds],
        },
    ),
    **{name: by_effort(partial(substitute, name)) for name in _SUBSTITUTES},
    "pluribus": by_effort(pluribus),
}
