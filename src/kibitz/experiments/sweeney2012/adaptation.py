"""Section 6.6.1: whether types of players are found, and whether an exploiter gains by knowing them."""

from __future__ import annotations

from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.experiments.claims import of_estimate
from kibitz.experiments.pictures import COLOURS, picture, pictures
from kibitz.experiments.published import (
    QUOTE,
    SUBSTITUTE,
    Cells,
    Effort,
    Experiment,
    Found,
    PublishedTable,
    experiment,
    unprinted,
)
from kibitz.experiments.sweeney2012.chapter_6 import REASON, notes_of
from kibitz.experiments.sweeney2012.making import SIZES
from kibitz.experiments.sweeney2012.measuring import Power, least_effect, matches_needed, played
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.experiments.sweeney2012.systems import ADDED, BY_NAME, LAYERED, adaptation_at, notes_if_not_run, study_of
from kibitz.learning.exploiters.measuring import WIDTH
from kibitz.statistics import Z_95

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]
BINS = [f"deals {first + 1}-{first + WIDTH}" for first in range(0, 120, WIDTH)]
CURVES = ("adaptive", "reset", "difference")
WEIGHED = "What the thesis makes of it (L1640) is weighed in the docs, Exploiters of a population."


def _draw_entropies(effort: Effort) -> str:
    curve = study_of(effort).entropies()
    with picture(3.2) as (axes, text):
        axes.plot(curve[:, 0], color=COLOURS[0], lw=1.3)
        low, high = (curve[:, 0] + side * Z_95 * curve[:, 1] for side in (-1, 1))
        axes.fill_between(range(len(curve)), low, high, color=COLOURS[0], alpha=0.2, lw=0)
        axes.set(xlabel="deals played", ylabel="entropy, bits", title="What is not known of a player's type", ylim=0)
    return text[0]


def _notes_on_names(effort: Effort) -> tuple[str, ...]:
    return (*notes_if_not_run(effort, BY_NAME), *notes_of(effort))


@experiment(TABLES["figure-6.4"], _notes_on_names, _draw_entropies)
def figure_6_4(effort: Effort) -> Cells:
    """The entropy of player types after so many deals of a match, and given the name."""
    study = study_of(effort)
    curve, named = study.entropies(), study.entropy_by_name()
    for mark in (0, 10, 20, 30, 60, 120):
        yield from _entropy_cells(f"after {mark} deals", *curve[mark].tolist())
    if named is not None:
        yield from _entropy_cells("given the name of the bot", *named)


def _entropy_cells(row: str, bits: float, error: float) -> Cells:
    yield row, "entropy", Found(bits, open=SUBSTITUTE, reason=REASON)
    yield row, "± 95 %", Found(Z_95 * error)


def figure_6_5(effort: Effort) -> Experiment:
    """Mean return by deal number against the model."""
    how = (
        f"{WIDTH * _modelled_matches(effort):,} deals a bin, where the thesis has 28.6 million a deal number. "
        "The thesis tells of some 0.09 chips from the start of a match to its end (L1631). Luck moves one curve as "
        "much; figure-6.6 takes it out by the same matches without memory.",
    )

    def draw() -> str:
        (curve,) = study_of(effort).adaptation(LAYERED)[:1, :-1]
        with picture(3.2) as (axes, text):
            _draw_curve(axes, curve, CURVES[0], COLOURS[0])
            axes.set(ylabel="won per hand, small blinds", title="PT-EL against its model")
        return text[0]

    def curves() -> Floats:
        return study_of(effort).adaptation(LAYERED)[:1]

    table = _curve_table("figure 6-5: PT-EL against its model", CURVES[:1])
    return Experiment(table, lambda: _curve_cells(curves()), (*how, *notes_of(effort)), draw)


def figure_6_6(effort: Effort) -> Experiment:
    """Mean return by deal number, adaptive and with filters reset each deal, on the same cards."""
    how = (
        f"{_modelled_matches(effort):,} matches with the same cards, with memory and without. The difference is what "
        "information about types is worth to this exploiter where its model is right. If types were found too late, it "
        f"would still grow at the end of a match. {WEIGHED}",
    )

    def curves() -> Floats:
        return study_of(effort).adaptation(LAYERED)

    table = _curve_table("figure 6-6: PT-EL against its model")
    notes = (*how, *notes_of(effort))
    return Experiment(
        table, lambda: _curve_cells(curves()), notes, lambda: _draw_curves(curves(), "Adaptation to the model")
    )


def figure_6_7(effort: Effort) -> Experiment:
    """The same against the population."""
    how = (
        f"{played(ADDED[effort.preset].matches):,} matches with the same cards and bots, with memory and without; "
        "standard errors are over matches. What they can show is told by figure-6.7-power and figure-6.7-matches.",
        f"The difference is what information about types is worth against bots. {WEIGHED}",
    )

    def find() -> Cells:
        found = study_of(effort).adaptation_to_bots()
        return iter(()) if found is None else _curve_cells(found.curves)

    def draw() -> str:
        found = study_of(effort).adaptation_to_bots()
        if found is None:
            return _draw_curves(np.full((3, len(BINS) + 1, 2), nan), "Adaptation to the population: not run")
        return _draw_curves(found.curves, "Adaptation to the population")

    return Experiment(
        _curve_table("figure 6-7: PT-EL against the population"), find, (*how, *_notes_on_bots(effort)), draw
    )


def _modelled_matches(effort: Effort) -> int:
    """Matches against the model, with memory and without."""
    return played(SIZES[effort.preset].adapting)


def _notes_on_bots(effort: Effort) -> tuple[str, ...]:
    return (*notes_if_not_run(effort, adaptation_at(effort.preset)), *notes_of(effort))


def _curve_table(what: str, columns: tuple[str, ...] = CURVES) -> PublishedTable:
    return unprinted(f"Sweeney 2012, {what} by deal number, small blinds per hand", "deals", columns, (*BINS, "all"), 3)


def _curve_cells(curves: Floats) -> Cells:
    """Cells of curves : float64[curves, bins + 1, 2], the first ones of `CURVES`."""
    for place, row in enumerate((*BINS, "all")):
        for column, (mean, error) in zip(CURVES, curves[:, place], strict=False):
            yield row, column, Found(*of_estimate(mean, error))


def _draw_curves(curves: Floats, title: str) -> str:
    """Both curves, and beside them the difference, whose intervals are narrower."""
    with pictures(3.2, 2) as ((left, right), text):
        labels = ("adaptive", "reset each deal", "adaptive less reset")
        for points, label, colour, axes in zip(curves[:, :-1], labels, COLOURS, (left, left, right), strict=False):
            _draw_curve(axes, points, label, colour)
        right.axhline(0.0, color="0.4", lw=0.8)
        left.set(ylabel="won per hand, small blinds", title=title)
    return text[0]


def _draw_curve(axes: Axes, points: Floats, label: str, colour: str) -> None:
    """One curve of points : float64[bins, 2]."""
    where = np.arange(WIDTH / 2, 120, WIDTH)
    axes.errorbar(where, points[:, 0], Z_95 * points[:, 1], label=label, color=colour, capsize=2, lw=1.2)
    axes.set(xlabel="deal number", xlim=(0, 120))
    axes.legend(frameon=False)


DEVIATION = TABLES["figure-6.7-power"].rows["s.d. of a deal"][0]


@experiment(TABLES["figure-6.7-power"], _notes_on_bots)
def figure_6_7_power(effort: Effort) -> Cells:
    """What the thesis could see in figure 6-7, and what we can."""
    for row, value in _effects(TABLES["figure-6.7-matches"].rows["played"][0], DEVIATION).items():
        yield row, "thesis", QUOTE if row == "s.d. of a deal" else Found(value)
    found = study_of(effort).adaptation_to_bots()
    if found is not None:
        power = found.power
        for row, value in (_effects(power.matches, power.deviation) | _paired_effects(power)).items():
            yield row, "ours", Found(value)
        yield "rise from first to last bin", "ours", Found(*of_estimate(power.rise, power.rise_error))


@experiment(TABLES["figure-6.7-matches"], _notes_on_bots)
def figure_6_7_matches(effort: Effort) -> Cells:
    """How many matches it takes to see 0.09 chips in figure 6-7."""
    yield "played", "thesis", QUOTE
    yield "for 0.09 at a deal number", "thesis", Found(matches_needed(DEVIATION))
    found = study_of(effort).adaptation_to_bots()
    if found is not None:
        power = found.power
        yield "played", "ours", Found(power.matches)
        yield "for 0.09 at a deal number", "ours", Found(matches_needed(power.deviation))
        yield "for 0.09 in a bin, paired", "ours", Found(matches_needed(power.paired))
        yield "for a rise of 0.09", "ours", Found(matches_needed(power.rise_spread))


def _effects(matches: float, deviation: float) -> dict[str, float]:
    """What follows for a mean of one deal of every match."""
    return {
        "s.d. of a deal": deviation,
        "s.e. of a deal number": deviation / sqrt(matches),
        "least effect at a deal number": least_effect(deviation, matches),
    }


def _paired_effects(power: Power) -> dict[str, float]:
    """What follows for bins of deals, and for the rise from the first to the last."""
    return {
        "s.e. of a bin, paired": power.paired / sqrt(power.matches),
        "least effect in a bin, paired": least_effect(power.paired, power.matches),
        "least rise that can be seen": least_effect(power.rise_spread, power.matches),
    }
