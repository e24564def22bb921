"""Chapter 5: rollout errors of an agent from self-play, its learning curve, and a best response to it.

The policy is our own: the thesis gives no learning rates, and its weights are not published. Printed figures stand
beside ours as a reference, not as a mark to be hit.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import nan

import numpy as np

from kibitz.experiments.claims import Claim, Claims, Interval, explain, judge, of_estimate, statements, weakest
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import SUBSTITUTE, Cells, Effort, Experiment, Found, unprinted
from kibitz.experiments.sweeney2012.printed import STATEMENTS, TABLES
from kibitz.experiments.sweeney2012.runs import (
    SEATS,
    SIZES,
    THESIS,
    ErrorsByStage,
    deal_sizes,
    exploited,
    rollouts,
    size_of,
)
from kibitz.learning.rollouts import STAGES, StageErrors
from kibitz.modelling.styles import StyleCounts
from kibitz.statistics import Z_95

PLACES: tuple[int | None, ...] = (0, 1, 2, 3, None)
COLUMNS = ("pre-flop", "flop", "turn", "river", "overall")
STYLES = {"VP$IP": "vpip", "Fold%": "fold", "Ww/oSD": "won_without_showdown", "W$SD": "won_at_showdown"}
CURVE_COLUMNS = ("sample error", "LFO error", "RI error")


def _reason(effort: Effort) -> str:
    return f"our own policy, {SIZES[effort.preset].marks[-1]:,} deals of self-play, not the 2008 entry"


def _notes(effort: Effort) -> tuple[str, ...]:
    return (
        "Learning rates, scales, baseline and seat mix are ours (the thesis gives none): the defaults of `kibitz train "
        f"self-play --players irc`, {SIZES[effort.preset].marks[-1]:,} deals, seed {effort.seed}.",
    )


def substitute(value: float, error: float, reason: str) -> Found:
    """A value beside a printed one, with its 95 % interval."""
    return Found(*of_estimate(value, error), SUBSTITUTE, reason)


def section_5_2(effort: Effort) -> Experiment:
    """How many decide how often in a deal, and how much their results vary."""
    size = SIZES[effort.preset]

    def find() -> Cells:
        seats, decisions, squares = deal_sizes(effort)
        found = (seats, decisions / seats, decisions, np.sqrt(squares / seats))
        for row, value in zip(TABLES["section-5.2"].rows, found, strict=True):
            yield row, "ours", Found(float(value), open=SUBSTITUTE, reason=_reason(effort))

    notes = (f"Means of {size.styles:,} deals without learning.",)
    return Experiment(TABLES["section-5.2"], find, (*notes, *_notes(effort)))


def table_5_1(effort: Effort) -> Experiment:
    """Rollout errors by stage."""
    size = SIZES[effort.preset]

    def find() -> Cells:
        yield from error_cells(rollouts(effort, size.marks[-1], size.table), _reason(effort))

    decisions, samples = size.table
    notes = (f"{decisions:,} decisions, {samples:,} samples each in 10 folds; ranges are 95 % intervals.",)
    return Experiment(TABLES["table-5.1"], find, (*notes, *_notes(effort)))


def table_5_1_thesis(effort: Effort) -> Experiment:
    """The same of a policy that has learned as the thesis prints it."""
    size, printed = size_of(effort, THESIS), TABLES["table-5.1"]
    published = replace(printed, source=f"{printed.source}; learned as printed (--preset thesis)")
    reason = f"learned as the thesis prints it, at rates of our own, {size.marks[-1]:,} deals"

    def find() -> Cells:
        yield from error_cells(rollouts(effort, size.marks[-1], size.curve, THESIS), reason)

    decisions, samples = size.curve
    notes = (
        f"{decisions:,} decisions, {samples:,} samples each in 10 folds; ranges are 95 % intervals.",
        "A fixed rate, a step after each deal, rewards in chips, features as printed, the learning of a card-type "
        "divided by its use. `kibitz.learning.presets` lists what stands in for what the thesis does not tell; seed "
        f"{effort.seed}.",
    )
    return Experiment(published, find, notes)


def error_cells(report: ErrorsByStage, reason: str) -> Cells:
    """The cells of tables 5-1 and 6-4."""
    for column, stage in zip(COLUMNS, PLACES, strict=True):
        found = report.of_stage(stage)
        share_error = np.sqrt(found.share * (1 - found.share) / report.of_stage().decisions)
        yield "share of decisions", column, substitute(found.share, float(share_error), reason)
        yield "sample error", column, substitute(found.sample, found.sample_error, reason)
        yield "LFO error", column, substitute(found.lfo, found.lfo_error, reason)
        yield "RI error", column, substitute(found.improvement, found.improvement_error, reason)
        yield "s.e. of RI", column, Found(found.improvement_error, open=SUBSTITUTE, reason=reason)


def figure_5_1(effort: Effort) -> Experiment:
    """The learning curve: rollout errors at marks of self-play."""
    size = SIZES[effort.preset]
    source = "Sweeney 2012, figure 5-1: learning curve, rollout errors in small blinds per decision"
    table = unprinted(source, "self-play", CURVE_COLUMNS, (f"{mark:,} deals" for mark in size.marks), 3)

    def find() -> Cells:
        for mark in size.marks:
            row, found = f"{mark:,} deals", rollouts(effort, mark, size.curve).of_stage()
            yield row, "sample error", Found(*of_estimate(found.sample, found.sample_error))
            yield row, "LFO error", Found(*of_estimate(found.lfo, found.lfo_error))
            yield row, "RI error", Found(*of_estimate(found.improvement, found.improvement_error))

    def draw() -> str:
        points = [(mark, rollouts(effort, mark, size.curve).of_stage()) for mark in size.marks]
        with picture(3.2) as (axes, text):
            marks = [mark / 1e6 for mark, _ in points]
            means = [found.improvement for _, found in points]
            bars = [Z_95 * found.improvement_error for _, found in points]
            axes.errorbar(marks, means, bars, color=COLOURS[0], capsize=3, marker="o", ms=4)
            axes.set(xlabel="million deals of self-play", ylabel="RI error, small blinds", title="Learning curve")
            axes.set_xscale("log")
        return text[0]

    decisions, samples = size.curve
    notes = (f"{decisions:,} decisions at each point, {samples:,} samples each; the figure's points are lost.",)
    return Experiment(table, find, (*notes, *_notes(effort)), draw)


def table_5_2(effort: Effort) -> Experiment:
    """A best response and its victim, by their styles; the picture is figure 5-2."""

    def find() -> Cells:
        found, reason = exploited(effort), _reason(effort)
        for row, each in zip(TABLES["table-5.2"].rows, (found.exploiter, found.against, found.self_play), strict=True):
            yield row, "mean", substitute(each.mean, each.sd / np.sqrt(each.hands), reason)
            yield row, "s.d.", Found(each.sd, open=SUBSTITUTE, reason=reason)
            yield from style_cells(row, each, reason)

    def draw() -> str:
        curve = exploited(effort).curve
        with picture(3.2) as (axes, text):
            hands = [each.deals / 1e6 for each in curve]
            means = np.array([each.mean for each in curve])
            errors = Z_95 * np.array([each.error for each in curve])
            axes.plot(hands, means, color=COLOURS[0], lw=1.3)
            axes.fill_between(hands, means - errors, means + errors, color=COLOURS[0], alpha=0.2, lw=0)
            axes.set(xlabel="million deals", ylabel="won per hand, small blinds", title="Best response as it learns")
        return text[0]

    size = SIZES[effort.preset]
    notes = (
        f"A best response learned from {size.response:,} deals against {SEATS - 1} copies (the thesis: 160 million); "
        f"styles from {size.styles:,} deals without learning. The picture is figure 5-2.",
    )
    return Experiment(TABLES["table-5.2"], find, (*notes, *_notes(effort)), draw)


def statements_5(effort: Effort) -> Experiment:
    """What the text says of these tables, held against our intervals."""
    source = "Sweeney 2012, chapter 5: statements on self-play, rollouts and the best response"
    table = statements(source, STATEMENTS, ("ours",), 3)
    return Experiment(table, lambda: judge("ours", _claims(effort), 3), (*_notes(effort), *explain(STATEMENTS)))


def _claims(effort: Effort) -> Claims:
    size, found = SIZES[effort.preset], exploited(effort)
    first = rollouts(effort, size.marks[0], size.first).of_stage()
    report = rollouts(effort, size.marks[-1], size.table)
    river, before = report.of_stage(3), report.of_stage(0)
    exploiter, alone, exactly = found.exploiter, found.self_play, Interval.exactly
    win = of_estimate(exploiter.mean, exploiter.sd / np.sqrt(exploiter.hands))
    return {
        "RI falls": Claim(improvement_of(first), improvement_of(report.of_stage())),
        "sample grows": _grows(report, "sample"),
        "RI grows": _grows(report, "improvement"),
        "river largest": Claim(improvement_of(river), exactly(0.0)),
        "pre-flop negative": Claim(exactly(0.0), improvement_of(before)),
        "exploited": Claim(win, exactly(0.0)),
        "far exploited": Claim(win, exactly(1.0)),
        "maniac": Claim(style(exploiter, "vpip"), exactly(0.9)),
        "aggressive": Claim(style(exploiter, "aggression"), exactly(4.0)),
        "spread": Claim(_spread(exploiter), _spread(alone)),
    }


def _grows(report: ErrorsByStage, name: str) -> Claim:
    """That each stage has more than the one before, where there are decisions of both."""
    found = [report.of_stage(stage) for stage in range(len(STAGES))]
    return weakest(Claim(_error(later, name), _error(sooner, name)) for sooner, later in pairwise(found))


def _error(found: StageErrors, name: str) -> Interval:
    return of_estimate(getattr(found, name), getattr(found, f"{name}_error"))


def improvement_of(found: StageErrors) -> Interval:
    """The RI error with its 95 % interval."""
    return _error(found, "improvement")


def style(found: StyleCounts, name: str) -> Interval:
    """One of the numbers by which a style is told; nothing where it is not known."""
    value, (low, high) = getattr(found, name), found.interval(name)
    return Interval(value, low, high) if np.isfinite(value) else Interval(nan, nan, nan)


def style_cells(row: str, found: StyleCounts, reason: str) -> Cells:
    """The cells of tables 5-2 and 6-3 that tell a style."""
    for column, name in STYLES.items():
        low, high = found.interval(name)
        yield row, column, Found(100 * getattr(found, name), 100 * low, 100 * high, SUBSTITUTE, reason)
    yield row, "AF", Found(found.aggression, *found.interval("aggression"), SUBSTITUTE, reason)


def _spread(found: StyleCounts) -> Interval:
    """A standard deviation, whose standard error is that of normal results."""
    return of_estimate(found.sd, found.sd / np.sqrt(2 * max(found.hands - 1, 1)))
