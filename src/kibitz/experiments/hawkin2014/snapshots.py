"""Where the sizes of one run stand after so many deals (tables 5.1 and 5.2), by sampling as in the thesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import nan
from time import perf_counter

from kibitz.bet_sizing import SizeRange
from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.sampled import SampledBets
from kibitz.errors import KibitzError
from kibitz.experiments.hawkin2014 import printed
from kibitz.experiments.hawkin2014.curves import TOP, Curve, CurvePoint, Sized, load_curve, save_curve
from kibitz.experiments.hawkin2014.efforts import SCALES, curve_before, describe, find_curve, prepared, stored_curve
from kibitz.experiments.hawkin2014.specs import SPECS, CurveSpec
from kibitz.experiments.published import Effort, Experiment, Found, PublishedTable
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint

MILLION = 1_000_000
SPEC = CurveSpec("BETS [0.8,1] by deals, P1", "bets", (SizeRange(0.8, 1.0),), 0)
WHOLE = "RE [0.8,1], P1"  # its first run is BETS from the same range
EDGES = (0.82, 0.98)
CHUNK = 100_000  # deals between two words of progress
Cells = Iterator[tuple[str, str, Found]]


@cache
def find_snapshots(effort: Effort) -> Curve:
    """The sizes after the millions of deals of the preset; the number of a point is that of its millions."""
    scale = SCALES[effort.preset]
    before = stored_curve(SPEC.slug) if effort.preset != "smoke" else None
    made = {
        "form": "sampled",
        "rule": "every",
        "cards": scale.cards_of(SPEC),
        "boards": 0,
        "seed": effort.seed,
        "machine": "cpu",
    }
    if before is not None and before.made == made and all(before.at(each) for each in scale.snapshots):
        return before
    return compute_snapshots(Curve(SPEC, made), scale.snapshots, effort)


def compute_snapshots(curve: Curve, millions: Sequence[int], effort: Effort, million: int = MILLION) -> Curve:
    """Learn on, and look at the sizes on the way; with a folder, what is there is gone on with."""
    if not millions:
        return curve
    folder = effort.folder / effort.preset / SPEC.slug if effort.folder is not None else None
    problem = prepared(curve.made["cards"], SCALES[effort.preset].boards, effort)
    made = SPEC.transformation(problem.game)
    # Equation 4.10: with 4.11 rare bets would be where they began, see the notes of the table.
    solver = SampledBets(made.build(), problem.sampled_deal, effort.seed, rule="every")
    if folder is not None and (folder / "curve.json").exists():
        kept = load_curve(folder / "curve.json")
        if kept.made != curve.made:
            raise KibitzError(f"{folder}: made with {kept.made}, here it is {curve.made}: choose another folder")
        curve = kept
        load_checkpoint(folder / "checkpoint.npz", solver, curve.made)
    for each in millions:
        begun = perf_counter()
        if curve.at(each) is None:
            while solver.iteration < each * million:
                solver.step(min(CHUNK, each * million - solver.iteration))
                effort.tell(f"{SPEC.name}: {each}m", solver.iteration, each * million)
            found = BetAbstraction(made, solver.tree, solver.sizes(), solver.importance())
            point = _point(each, solver.iteration, found, round(perf_counter() - begun, 2))
            curve = replace(curve, points=(*curve.points, point))
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                save_checkpoint(folder / "checkpoint.npz", solver, curve.made)
                save_curve(curve, folder / "curve.json")
    return curve


def _point(number: int, iterations: int, found: BetAbstraction, seconds: float) -> CurvePoint:
    sizes = tuple(Sized(row["bet"], row["size"], row["importance"]) for row in found.table(TOP))
    counts = (len(found.tree.sizers), found.tree.extras, len(found.tree.shape), 0)
    return CurvePoint(number, iterations, *counts, nan, nan, nan, nan, seconds, sizes)


def table(published: PublishedTable, most: int) -> Experiment:
    """Table 5.1 (all bets) or 5.2 (the `most` important ones)."""
    return Experiment(published, None, scaled=partial(_table_at, published, most))


def _table_at(published: PublishedTable, most: int, effort: Effort) -> Experiment:
    lengths = SCALES[effort.preset].snapshots
    sampled = f"after {', '.join(map(str, lengths))} million" if lengths else "not by this preset"
    return Experiment(
        published,
        partial(_cells, published, most, effort),
        (
            f"Rows by deals: one deal an iteration, as in the thesis, {sampled}. The deals are others than its own: "
            f"{published.tolerance} bets more or less count as reproduced.",
            f'"{printed.VECTOR}" is the full-width solver at the end of its run: it has no length in deals, and is '
            "what the others should come to.",
            "The thesis does not say where sizes begin; here it is the middle, as regret matching has it. By equation "
            "4.11 rare bets hardly move in 10^6 deals: begun at the low end, 159 of 160 are there still (printed 152), "
            "begun in the middle 2. With 4.10 it is 94 or 95 either way. So the thesis seems to begin at the low end.",
            *describe({WHOLE: curve_before(SPECS[WHOLE], effort)}, effort),
        ),
    )


def counts(point: CurvePoint, most: int) -> tuple[int, int, int]:
    """How many sizes of the `most` important bets are up to 0.82, between, and from 0.98 on."""
    sizes = [each.size for each in point.sizes[:most]]
    low, high = sum(size <= EDGES[0] for size in sizes), sum(size >= EDGES[1] for size in sizes)
    return low, len(sizes) - low - high, high


def _cells(published: PublishedTable, most: int, effort: Effort) -> Cells:
    whole = find_curve(WHOLE, effort)
    points = {f"{point.run}m": point for point in find_snapshots(effort).points}
    if whole is not None:
        points[printed.VECTOR] = whole.points[0]
    for row, point in points.items():
        for column, count in zip(published.columns, counts(point, most), strict=True):
            yield row, column, Found(float(count), reason="other deals, other cards")
