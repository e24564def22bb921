"""How well a model fits recorded hands: the mean negative log-likelihood of a decision, with intervals over matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from kibitz.learning.histories import SHOWN, Hands, Integers, keep_together
from kibitz.learning.model import Floats, Model, ModelError
from kibitz.learning.opponents.replaying import Followed, Replay, TypedReplay
from kibitz.learning.player_types import TypedModel
from kibitz.learning.records import SEATS
from kibitz.random import derive_seed
from kibitz.statistics import Estimate, weighted_half_width

UNIFORM, IMPUTED, MARGINAL = range(3)  # rows of `Fit.nats`


@dataclass(frozen=True, eq=False)
class Fit:
    """The fit of one model to some hands, by what is independent of each other: matches, or blocks of deals.

    nats : float64[3, u]   sums of -ln P(action): with all legal actions equally likely; with hidden cards drawn given
                           the actions, which is optimistic; and with the mean over hidden pairs, which is not
    """

    decisions: Floats  # [u], of each of u units
    nats: Floats
    unit: str  # what the units are

    @classmethod
    def of(cls, hands: Hands, numbers: Integers, sums: Floats) -> Fit:
        """From decisions and nats of single hands: float64[4, n]."""
        units, unit = keep_together(hands)
        found, places = np.unique(units[numbers], return_inverse=True)
        totals = np.array([np.bincount(places, weights=row, minlength=len(found)) for row in sums])
        return cls(totals[0], totals[1:], unit)

    def mean(self, kind: int, over: Floats | None = None) -> Estimate:
        """The mean per decision in nats, or as a share of what sums to `over`."""
        if over is None:
            return _ratio(self.nats[kind], self.decisions)
        return _ratio(self.nats[kind], over, "share")

    def gain_over(self, other: Fit, kind: int = MARGINAL) -> Estimate:
        """How many nats per decision less than `other` on the same hands, unit by unit."""
        return _ratio(other.nats[kind] - self.nats[kind], self.decisions)

    def describe(self) -> dict[str, Any]:
        """The three measures, nats, bits and share of the uniform entropy, each with imputed and with all cards."""
        found: dict[str, Any] = {"decisions": int(self.decisions.sum()), "units": len(self.decisions), "of": self.unit}
        for name, kind in (("imputed", IMPUTED), ("marginal", MARGINAL)):
            nats, share = self.mean(kind).to_dict(), self.mean(kind, self.nats[UNIFORM]).to_dict()
            bits = {key: value / log(2) for key, value in nats.items()}
            found[name] = {"nats": nats, "share": share, "bits": bits}
        return found


def _ratio(sums: Floats, weights: Floats, unit: str = "nats per decision") -> Estimate:
    """The ratio of sums over units with its interval."""
    half = weighted_half_width(sums / weights, weights)
    return Estimate(float(sums.sum() / weights.sum()), half, len(sums), unit)


def describe_fits(fits: Mapping[str, Fit]) -> dict[str, Any]:
    """Fits as a manifest says them, and beside them what equally likely actions come to."""
    first = next(iter(fits.values()))
    return {"fits": {name: each.describe() for name, each in fits.items()}, "uniform": first.mean(UNIFORM).to_dict()}


def spread(numbers: Integers, most: int) -> Integers:
    """So many of some numbers at most, taken from all over them."""
    count = min(len(numbers), most)
    return numbers[np.arange(count) * len(numbers) // count]


def measure_fit(model: Model, hands: Hands, numbers: Integers, seed: int = 0) -> Fit:
    """The fit of `model` to the hands with these numbers; hidden cards are drawn with `seed`."""
    replay, sums = Replay(hands, model), np.zeros((4, len(numbers)))
    for place, hand in enumerate(numbers.tolist()):
        if not replay.visit(hand, derive_seed(seed, hand), exact=True):
            raise ModelError(f"{hands.sources[hand]}: no hands without a common card were found for its hidden cards")
        nats = replay.nats()
        marginal = nats[hands.seen[hand] == SHOWN].sum() - replay.logs.sum()
        sums[:, place] = replay.work["decisions"], replay.uniform(), nats.sum(), marginal
    return Fit.of(hands, numbers, sums)


@dataclass(frozen=True, eq=False)
class TypesFit:
    """The fit of a model with types to some matches.

    entropy   of types in bits: of the `initial` distribution; mean of what is believed of a player after so many deals
              of his match (`by_deal`), with its standard `error` over players; and mean of the distribution of a name
              after its matches, weighted by their number (`by_name`)
    """

    filtered: Fit  # types as they were believed to be before each deal: what can be predicted
    smoothed: Fit  # and after the match, which knows of the actions that it is asked about
    entropy: dict[str, Any]


def measure_types(model: TypedModel, hands: Hands, numbers: Integers, seed: int = 0, checked: int = 0) -> TypesFit:
    """The fit of `model` to the hands with these numbers, which are whole matches.

    checked   deals, spread over all, for which likelihoods are computed; 0 for all. Beliefs follow every deal.
    """
    replay, units = TypedReplay(hands, model), keep_together(hands)[0][numbers]
    chosen = spread(numbers, checked or len(numbers))
    sums, used, matches = list[Any](), list[int](), list[tuple[Integers, Followed]]()
    for unit in np.unique(units):
        match = numbers[units == unit]
        followed = replay.follow_match(match.tolist())
        matches.append((hands.players[match], followed))
        for deal in np.flatnonzero(np.isin(match, chosen)):
            used.append(int(match[deal]))
            sums.append(_measure_deal(replay, used[-1], followed, followed.starts[deal], derive_seed(seed, used[-1])))
    fits = [Fit.of(hands, np.array(used), table) for table in np.array(sums).transpose(1, 2, 0)]
    return TypesFit(fits[0], fits[1], _entropies(matches) | {"initial": float(bits(model.weights.initial))})


def _measure_deal(replay: TypedReplay, hand: int, followed: Followed, start: Floats, key: int) -> list[list[float]]:
    """Decisions and nats of a deal as in `Fit`, filtered and smoothed."""
    players, found = int(replay.hands.players[hand]), []
    seats = np.searchsorted(followed.names, replay.hands.names[hand, :players])
    replay.follow(hand, start[:players])
    likely = replay.likelihoods(hand)[:players]
    most = likely.max(axis=1, keepdims=True)
    for kind, beliefs in enumerate((start[:players], followed.final[seats])):
        replay.give(draw_types(beliefs, derive_seed(key, kind)))
        replay.fill(hand, derive_seed(key, kind, 1))
        marginal = np.sum(np.log(np.sum(beliefs * np.exp(likely - most), axis=1))) + most.sum()
        found.append([replay.work["decisions"], replay.uniform(), replay.nats().sum(), -marginal])
    return found


def draw_types(beliefs: Floats, key: int) -> Integers:
    """A type from every row of beliefs : float64[n, types]."""
    drawn = np.random.Generator(np.random.PCG64(key)).random(len(beliefs))
    sums = np.cumsum(beliefs, axis=1)
    return np.asarray(np.minimum(np.sum(drawn[:, None] * sums[:, -1:] >= sums, axis=1), beliefs.shape[1] - 1))


def bits(shares: Floats) -> Floats:
    """Entropy along the last axis, in bits."""
    return np.asarray(-np.sum(shares * np.log2(np.maximum(shares, 1e-300)), axis=-1))


def _entropies(matches: list[tuple[Integers, Followed]]) -> dict[str, Any]:
    """What `TypesFit.entropy` says of matches, of which the players at the table are given deal by deal."""
    sums = np.zeros((3, max(len(players) for players, _ in matches)))  # seats, their entropies, and squares
    finals: dict[int, list[Floats]] = {}
    for players, followed in matches:
        each = np.where(inside := np.arange(SEATS) < players[:, None], bits(followed.ends), 0.0)
        sums[:, : len(players)] += inside.sum(axis=1), each.sum(axis=1), (each**2).sum(axis=1)
        for name, final in zip(followed.names.tolist(), followed.final, strict=True):
            finals.setdefault(name, []).append(final)
    mean = sums[1] / sums[0]
    error = np.sqrt(np.maximum(sums[2] / sums[0] - mean**2, 0.0) / sums[0])
    by_name = sum(len(each) * bits(np.mean(each, axis=0)) for each in finals.values()) / sum(map(len, finals.values()))
    return {"by_deal": mean.tolist(), "error": error.tolist(), "by_name": float(by_name)}
