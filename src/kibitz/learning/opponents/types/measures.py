"""How well types fit recorded hands, and how soon they are known: likelihoods and entropies over held-out matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.learning.histories import Hands, keep_together
from kibitz.learning.histories.hands import Integers
from kibitz.learning.model import Floats
from kibitz.learning.opponents.measures import Fit, gather
from kibitz.learning.opponents.types.following import Followed, TypedReplay
from kibitz.learning.player_types import TypedModel
from kibitz.learning.records import SEATS
from kibitz.random import derive_seed

FILTERED, SMOOTHED = range(2)


@dataclass(frozen=True, eq=False)
class TypesFit:
    """The fit of a model with types to some matches.

    filtered   types as they were believed to be before each deal: what can be predicted
    smoothed   types as they are believed to be after the match, which knows of the actions that it is asked about
    initial    entropy in bits of the initial distribution of types; entropy : float64[deals], mean entropy of what is
               believed of a player after so many deals of his match, with its standard error over players, error
    by_name    mean entropy of the distribution of types of a name after its matches, weighted by their number
    """

    filtered: Fit
    smoothed: Fit
    initial: float
    entropy: Floats
    error: Floats
    by_name: float

    def describe(self) -> dict[str, Any]:
        """The numbers by name."""
        return {
            "filtered": self.filtered.describe(),
            "smoothed": self.smoothed.describe(),
            "entropy": {
                "initial": self.initial,
                "by_deal": self.entropy.tolist(),
                "error": self.error.tolist(),
                "by_name": self.by_name,
            },
        }


def bits(shares: Floats) -> Floats:
    """Entropy along the last axis, in bits."""
    return np.asarray(-np.sum(shares * np.log2(np.maximum(shares, 1e-300)), axis=-1))


def measure_types(model: TypedModel, hands: Hands, numbers: Integers, seed: int = 0, checked: int = 0) -> TypesFit:
    """The fit of `model` to the hands with these numbers, which are whole matches.

    checked   deals, spread over all, for which likelihoods are computed; 0 for all. Beliefs follow every deal.
    """
    replay = TypedReplay(hands, model.base.structure, model.count)
    units = keep_together(hands)[0][numbers]
    count = min(checked or len(numbers), len(numbers))
    chosen = set((np.arange(count) * len(numbers) // count).tolist())
    sums, used, matches = [], [], []
    for unit in np.unique(units):
        places = np.flatnonzero(units == unit)
        match = numbers[places].tolist()
        followed = replay.follow_match(match, model)
        matches.append((match, followed))
        for deal, place in enumerate(places.tolist()):
            if place in chosen:
                sums.append(_measure_deal(replay, match[deal], model, followed, deal, derive_seed(seed, match[deal])))
                used.append(match[deal])
    table = np.array(sums).transpose(1, 2, 0)
    fits = [gather(hands, np.array(used), table[kind]) for kind in (FILTERED, SMOOTHED)]
    entropy, error = _entropies(matches, hands)
    initial = float(bits(model.weights.initial[: model.count]))
    return TypesFit(fits[0], fits[1], initial, entropy, error, _entropy_by_name(matches))


def _measure_deal(
    replay: TypedReplay, hand: int, model: TypedModel, followed: Followed, deal: int, key: int
) -> list[tuple[float, float, float, float]]:
    """Decisions and nats of a deal as in `Fit`, filtered and smoothed."""
    hands, players = replay.hands, int(replay.hands.players[hand])
    seats = np.searchsorted(followed.names, hands.names[hand, :players])
    count = len(hands.actions_of(hand))
    start = followed.starts[deal, :players]
    replay.follow(hand, model, start)
    likely = replay.likelihoods(hand, model)[:players]
    uniform = -float(np.log(replay.chances(count)[1]).sum())
    found: list[tuple[float, float, float, float]] = []
    for kind, beliefs in enumerate((start, followed.final[seats])):
        types = draw_types(beliefs, derive_seed(key, kind))
        replay.give(types, model)
        replay.fill(hand, model.base.record, derive_seed(key, kind, 1))
        replay.act_out(hand, model)
        most = likely.max(axis=1)
        marginal = np.log(np.sum(beliefs * np.exp(likely - most[:, None]), axis=1)) + most
        found.append((count, uniform, float(replay.seat_nats(hand).sum()), -float(marginal.sum())))
    return found


def draw_types(beliefs: Floats, key: int) -> Integers:
    """A type from every row of beliefs : float64[n, types]."""
    drawn = np.random.Generator(np.random.PCG64(key)).random(len(beliefs))
    sums = np.cumsum(beliefs, axis=1)
    return np.asarray(np.minimum(np.sum(drawn[:, None] * sums[:, -1:] >= sums, axis=1), beliefs.shape[1] - 1))


def _entropies(matches: list[tuple[list[int], Followed]], hands: Hands) -> tuple[Floats, Floats]:
    """Mean entropy of what is believed of a seat after every deal number, and its standard error."""
    length = max(len(match) for match, _ in matches)
    sums = np.zeros((3, length))  # seats, their entropies, and squares
    for match, followed in matches:
        inside = np.arange(SEATS) < hands.players[match][:, None]
        each = np.where(inside, bits(followed.ends), 0.0)
        sums[:, : len(match)] += inside.sum(axis=1), each.sum(axis=1), (each**2).sum(axis=1)
    mean = sums[1] / sums[0]
    return mean, np.sqrt(np.maximum(sums[2] / sums[0] - mean**2, 0.0) / sums[0])


def _entropy_by_name(matches: list[tuple[list[int], Followed]]) -> float:
    """Mean entropy of a name's distribution of types, averaged over its matches before."""
    sums: dict[int, list[Any]] = {}
    for _, followed in matches:
        for name, final in zip(followed.names.tolist(), followed.final, strict=True):
            sums.setdefault(name, []).append(final)
    total = sum(map(len, sums.values()))
    return float(sum(len(each) * bits(np.mean(each, axis=0)) for each in sums.values()) / total)
