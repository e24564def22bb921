"""Who won: total bankroll, capped bankroll, bankroll instant run-off, and what the cap decides.

A field of n agents is one array of win rates. Heads-up it is `rates[a, b]`, what a wins from b; three-handed
it is `rates[a, b, c]`, what a wins at a table with b and c, symmetric in b and c. Entries in which an agent
meets itself are ignored, nan marks a table that was not played. Everything below works for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

FloatArray = npt.NDArray[np.float64]

ALWAYS_FOLD_CAP = 750.0  # mbb/hand, what always folding loses heads-up; the cap of the ACPC from 2013 on


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a run-off: who was in it, their bankrolls in the same order, and who left."""

    alive: tuple[int, ...]
    scores: tuple[float, ...]
    dropped: int


@dataclass(frozen=True, slots=True)
class RunOff:
    """The rounds of an instant run-off and the ranking they give, best first."""

    rounds: tuple[Round, ...]
    ranking: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CapSweep:
    """Bankrolls as a function of the cap: linear between the knots, constant after the last.

    knots     : float64[k]      0 and every distinct |rate|, ascending
    bankrolls : float64[k, n]   of each agent at each knot
    """

    knots: FloatArray
    bankrolls: FloatArray

    def at(self, cap: float) -> FloatArray:
        """Bankrolls under `cap`, float64[n]."""
        return np.array([np.interp(cap, self.knots, curve) for curve in self.bankrolls.T])


def total_bankroll(rates: npt.ArrayLike, cap: float | None = None) -> FloatArray:
    """Mean rate of each agent over its opponents (three-handed: over its pairs of opponents), float64[n].

    With a `cap`, rates are first clipped to ± cap, so what A cannot win B does not lose (Bard 2016, 6.2.1).
    """
    field = _field(rates)
    return mean_over_tables(clip_to_cap(field, cap), seats=field.ndim)


def ranking(scores: npt.ArrayLike) -> tuple[int, ...]:
    """Agents by falling score; equal scores keep the order in which the agents are listed."""
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    return tuple(int(agent) for agent in order)


def instant_runoff(rates: npt.ArrayLike) -> RunOff:
    """Drop the agent with the smallest bankroll among those left, again and again (Bard 2016, 6.2).

    Rates are not capped. Of agents level at the bottom the one with the smaller bankroll in the first round
    goes, and if they were level there too, the one listed last. A round needs as many agents as the game has
    seats; those left at the end (one, or two of a three-player game) are ranked by their last bankroll.
    """
    field = _field(rates)
    dropped, scores = runoff_rounds(field[np.newaxis], seats=field.ndim)
    rounds, alive = [], list(range(len(field)))
    for out, column in zip(dropped[0].tolist(), scores[0], strict=True):
        rounds.append(Round(tuple(alive), tuple(float(column[agent]) for agent in alive), out))
        alive.remove(out)
    last = scores[0, -1]
    alive.sort(key=lambda agent: -last[agent])  # stable, so equals stay as listed
    return RunOff(tuple(rounds), (*alive, *reversed([each.dropped for each in rounds])))


def runoff_rounds(fields: FloatArray, seats: int) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Run-offs of many fields at once: who is dropped in each round, and the bankrolls then.

    fields  : float64[m, n, n] or [m, n, n, n]   rates, one field per row
    returns : int64[m, r] and float64[m, r, n]   r = n - seats + 1 rounds, nan for those already out
    """
    runs, agents = fields.shape[:2]
    alive = np.ones((runs, agents), dtype=np.bool_)
    dropped = np.empty((runs, agents - seats + 1), dtype=np.int64)
    scores = np.empty((*dropped.shape, agents))
    for number in range(dropped.shape[1]):
        score = np.where(alive, mean_over_tables(_among(fields, alive), seats), np.nan)
        if np.isnan(score[alive]).any():
            raise KibitzError(f"round {number} of the run-off: an agent has no results against those left")
        scores[:, number] = score
        dropped[:, number] = _worst(score, scores[:, 0])
        alive[np.arange(runs), dropped[:, number]] = False
    return dropped, scores


def cap_sweep(rates: npt.ArrayLike) -> CapSweep:
    """Capped bankrolls for every cap at once (Bard 2016, figures 6.4 and 6.5)."""
    field = _field(rates)
    # A clipped rate is sign(r) min(|r|, cap): it bends only where the cap meets |r|.
    sizes = np.abs(field[~np.isnan(field)])
    knots = np.unique(np.append(sizes, 0.0))
    curves = [mean_over_tables(clip_to_cap(field, cap), field.ndim) for cap in knots]
    return CapSweep(knots, np.array(curves))


def cap_crossings(rates: npt.ArrayLike, a: int, b: int) -> FloatArray:
    """Caps above 0 at which the lead between agents `a` and `b` changes hands, ascending.

    Where the two are level over a stretch of caps and then trade places, its first cap is given.
    """
    sweep = cap_sweep(rates)
    lead = sweep.bankrolls[:, a] - sweep.bankrolls[:, b]
    noise = 1e-12 * max(1.0, float(np.abs(sweep.bankrolls).max()))  # of the rounding of two means
    led = np.flatnonzero(np.abs(lead) > noise)
    crossings = []
    for before, after in pairwise(led):
        if lead[before] * lead[after] > 0:
            continue
        if after == before + 1:
            share = lead[before] / (lead[before] - lead[after])
            crossings.append(sweep.knots[before] + share * (sweep.knots[after] - sweep.knots[before]))
        else:
            crossings.append(sweep.knots[before + 1])
    return np.array(crossings, dtype=np.float64)


def clip_to_cap(rates: FloatArray, cap: float | None) -> FloatArray:
    """Rates clipped to ± cap; None and infinity leave them as they are."""
    if cap is None:
        return rates
    if not cap >= 0:
        raise KibitzError(f"a cap of {cap}: a cap is a rate of at least 0, or None for no cap")
    return np.clip(rates, -cap, cap)


def mean_over_tables(rates: FloatArray, seats: int) -> FloatArray:
    """Mean over the last `seats` - 1 axes of what was played; nan where nothing was. float64[..., n]."""
    axes = tuple(range(-seats + 1, 0))
    played = ~np.isnan(rates)
    tables = played.sum(axis=axes)
    totals = np.where(played, rates, 0.0).sum(axis=axes)
    means: FloatArray = np.divide(totals, tables, out=np.full(totals.shape, np.nan), where=tables > 0)
    return means


def without_self_play(rates: FloatArray, seats: int) -> FloatArray:
    """A copy of float64[..., n, n(, n)] with nan wherever an agent would meet itself."""
    agents = rates.shape[-1]
    grids = np.indices((agents,) * seats)
    meets_itself = np.zeros(grids.shape[1:], dtype=np.bool_)
    for seat in range(seats):
        for other in range(seat):
            meets_itself |= grids[seat] == grids[other]
    return np.where(meets_itself, np.nan, rates)


def _field(rates: npt.ArrayLike) -> FloatArray:
    """`rates` checked, as floats, self-play removed."""
    field = np.asarray(rates, dtype=np.float64)
    if field.ndim not in (2, 3) or len(set(field.shape)) != 1 or len(field) < field.ndim:
        raise KibitzError(f"rates of shape {field.shape}: need [n, n], n >= 2, or for three players [n, n, n], n >= 3")
    field = without_self_play(field, field.ndim)
    if np.isinf(field).any():
        raise KibitzError("an infinite rate: rates are finite, nan marks a table that was not played")
    silent = np.flatnonzero(np.isnan(mean_over_tables(field, field.ndim)))
    if silent.size:
        raise KibitzError(f"agents {silent.tolist()} have no results: each needs at least one table")
    return field


def _among(fields: FloatArray, alive: npt.NDArray[np.bool_]) -> FloatArray:
    """Rates at tables of the living, nan elsewhere."""
    if fields.ndim == 3:
        return np.where(alive[:, np.newaxis, :], fields, np.nan)
    return np.where(alive[:, np.newaxis, :, np.newaxis] & alive[:, np.newaxis, np.newaxis, :], fields, np.nan)


def _worst(scores: FloatArray, first_scores: FloatArray) -> npt.NDArray[np.int64]:
    """Per row, the smallest score; ties to the smaller first score, then to the highest index."""
    level = scores == np.nanmin(scores, axis=1, keepdims=True)
    first = np.where(level, first_scores, np.inf)
    level = first == first.min(axis=1, keepdims=True)
    return np.asarray(scores.shape[1] - 1 - np.argmax(level[:, ::-1], axis=1), dtype=np.int64)
