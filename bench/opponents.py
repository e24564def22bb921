"""Fitting models to records of six players, most of whose cards are hidden, on one core: decisions per second.

Records are matches of a population of bots. There is no peer; what is wanted is stated.
"""

from __future__ import annotations

from functools import cache

from bench.learning import model
from bench.timing import rates
from kibitz.learning.histories import hide_folded
from kibitz.learning.opponents import Fitting, OpponentFit, measure_fit
from kibitz.learning.opponents.types import TypeFit, TypeFitting
from kibitz.learning.player_types import TypedModel
from kibitz.learning.population import Play, load_population, play_hands

MATCHES, DEALS = 20, 120


@cache
def hands():
    return hide_folded(play_hands(load_population("calibrated"), MATCHES, Play(seed=4, deals=DEALS)))


@cache
def decisions() -> int:
    """Of the deals that are fitted to in an epoch, the same in both fits."""
    fit = mean_fit()
    return sum(len(hands().actions_of(hand)) for hand in fit.parts.fitted.tolist())


@cache
def mean_fit() -> OpponentFit:
    return OpponentFit(model(), hands(), Fitting(epochs=10**6, checked=1))


@cache
def type_fit() -> TypeFit:
    return TypeFit(TypedModel.random(model(), 8, 1, 0.1), hands(), TypeFitting(epochs=10**6, checked=1))


def fit_mean(_amount: int) -> None:
    """An epoch of the opponent model: cards drawn by rejection, policy and observer learn."""
    mean_fit().train_epoch()


def fit_types(_amount: int) -> None:
    """An epoch of eight player types, both passes over every match."""
    type_fit().train_epoch()


def measure(amount: int) -> None:
    """The marginal likelihood: all pairs of every hidden hand."""
    measure_fit(model(), hands(), mean_fit().parts.held_out[:amount])


def run() -> list[dict]:
    """Rows of name, ours, peer (decisions or hands per second), ratio and target."""
    held_out = len(mean_fit().parts.held_out)
    measured = rates(
        {
            "mean": (fit_mean, decisions()),
            "types": (fit_types, decisions()),
            "marginal": (measure, held_out),
        }
    )
    rows = []
    for name, ours, wanted, unit, target in (
        ("opponent model fitted to hidden cards v 20,000 wanted", "mean", 20_000, "decisions/s", 1),
        ("eight player types fitted, two passes v 20,000 wanted", "types", 20_000, "decisions/s", None),
        ("marginal likelihood over all pairs", "marginal", None, "hands/s", None),
    ):
        ratio = None if wanted is None else measured[ours] / wanted
        rows.append(
            {"name": name, "ours": measured[ours], "peer": wanted, "ratio": ratio, "unit": unit, "target": target}
        )
    return rows
