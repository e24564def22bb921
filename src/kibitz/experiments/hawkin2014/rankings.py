"""The most important bets, learnt on few cards and on more (section 7.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import nan
from typing import Any, NamedTuple

from kibitz.experiments.hawkin2014 import printed
from kibitz.experiments.hawkin2014.curves import CurvePoint
from kibitz.experiments.hawkin2014.efforts import SCALES, curve_before, describe, find_curve
from kibitz.experiments.hawkin2014.figures import last_point
from kibitz.experiments.hawkin2014.pictures import draw_ranking
from kibitz.experiments.hawkin2014.specs import SEATS, SPECS
from kibitz.experiments.published import Effort, Experiment, Found, PublishedTable

RUN, TOP = 5, 25
ABSENT = "not among our 200 most important bets, or no bet of our tree"
OTHER_CARDS = "other cards than IR-100 and IR-570, so that other sizes and ranks are right"
OTHER_MEANS = "k-means of our own features and starts, so other buckets; and sampled boards leave noise in small bets"
Cells = Iterator[tuple[str, str, Found]]


class Ranked(NamedTuple):
    """A bet: its place (from 1) and size on few cards and on more, nan where it is not among the kept ones."""

    sequence: str
    rank: float
    size: float
    larger_rank: float
    larger_size: float


def names_of(seat: int, effort: Effort) -> tuple[str, str]:
    """The curves held against each other: the thesis's where both were computed before."""
    for small, large in (SCALES["full"].ranked[:2], SCALES[effort.preset].ranked[:2]):
        names = f"{small}, {SEATS[seat]}", f"{large}, {SEATS[seat]}"
        if all(curve_before(SPECS[name], effort) is not None for name in names):
            return names
    return names


def compare(small: CurvePoint, large: CurvePoint) -> list[Ranked]:
    """The kept bets of the first, the most important first."""
    there = {each.sequence: (rank, each.size) for rank, each in enumerate(large.sizes, 1)}
    return [
        Ranked(each.sequence, rank, each.size, *there.get(each.sequence, (nan, nan)))
        for rank, each in enumerate(small.sizes, 1)
    ]


def found_ranking(seat: int, effort: Effort) -> list[Ranked]:
    """Ours, empty where a curve is not computed."""
    small, large = (find_curve(name, effort) for name in names_of(seat, effort))
    if small is None or large is None:
        return []
    return compare(last_point(small, RUN), last_point(large, RUN))


def _is_of_thesis(seat: int, effort: Effort) -> bool:
    """Whether the curves are of the thesis's cards."""
    return names_of(seat, effort)[0].startswith(SCALES["full"].ranked[0])


def _reason(seat: int, effort: Effort) -> str:
    """Why figures differ from the printed ones."""
    return OTHER_MEANS if _is_of_thesis(seat, effort) else OTHER_CARDS


def table(seat: int) -> Experiment:
    """Table 7.3 or 7.4."""
    published = (printed.TABLE_7_3, printed.TABLE_7_4)[seat]
    return Experiment(published, None, scaled=partial(_table_at, published, seat))


def _table_at(published: PublishedTable, seat: int, effort: Effort) -> Experiment:
    return Experiment(
        published,
        partial(_cells_of_table, published, seat, effort),
        (
            "Printed: after five runs. Ranks within half of the printed one and sizes within 0.1 count as reproduced.",
            *_notes((seat,), effort),
        ),
        picture=partial(_draw, seat, effort),
        values=partial(document, seat, effort),
    )


def _notes(seats: tuple[int, ...], effort: Effort) -> tuple[str, ...]:
    names = [name for seat in seats for name in names_of(seat, effort)]
    first = f"Ours: {' against '.join(names[:2])}, run {RUN} or the last there is."
    if not _is_of_thesis(seats[0], effort):
        first += " The thesis has IR-100 and IR-570."
    return first, *describe({name: curve_before(SPECS[name], effort) for name in names}, effort)


def _cells_of_table(published: PublishedTable, seat: int, effort: Effort) -> Cells:
    ours, reason = {each.sequence: each for each in found_ranking(seat, effort)}, _reason(seat, effort)
    for sequence in published.rows if ours else ():
        _sequence, *figures = ours.get(sequence, Ranked(sequence, nan, nan, nan, nan))
        for column, figure in zip(published.columns, figures, strict=True):
            yield sequence, column, Found(figure, reason=ABSENT if figure != figure else reason)


def _draw(seat: int, effort: Effort) -> str:
    rows = [(each.sequence, each.size, each.larger_size) for each in found_ranking(seat, effort)[:TOP]]
    return draw_ranking(rows, names_of(seat, effort)) if rows else ""


def section_7_3(effort: Effort) -> Experiment:
    """How far the 25 most important sizes move, and how many are no longer among 25."""
    return Experiment(printed.SECTION_7_3, partial(_cells_of_section, effort), _notes((0, 1), effort))


def _cells_of_section(effort: Effort) -> Cells:
    for seat, player in enumerate(printed.PLAYERS):
        top = found_ranking(seat, effort)[:TOP]
        moved: list[float] = [abs(each.size - each.larger_size) for each in top if each.larger_size == each.larger_size]
        if moved:
            reason = _reason(seat, effort)
            yield player, "mean difference", Found(sum(moved) / len(moved), reason=reason)
            left = sum(not each.larger_rank <= TOP for each in top)
            yield player, "left the 25", Found(float(left), reason=reason)


def document(seat: int, effort: Effort) -> dict[str, Any]:
    """Our own ranking, for JSON."""
    return {"ranking": [each._asdict() for each in found_ranking(seat, effort)]}
