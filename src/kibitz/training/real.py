"""What a trained strategy is worth in the real game: a lower bound on its exploitability there, by local best response.

The exploitability that a run is measured by is that of its abstract game, where the responder has the same buckets and
bets. A real opponent sees its cards.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.files import locked
from kibitz.policy.card_states import card_states
from kibitz.policy.strategies import StrategyPolicy
from kibitz.progress import Progress, silent
from kibitz.responses.local import local_samples
from kibitz.responses.real.value import ExpectedValue
from kibitz.statistics import MILLI_BIG_BLINDS
from kibitz.strategy import Strategy, load_strategy, save_strategy
from kibitz.strategy.core import REAL
from kibitz.strategy.exploitability import Solved
from kibitz.training.campaign import PLOT, STRATEGY, is_measured, read_curve
from kibitz.training.run import plot_convergence

BOARDS = 300  # some seconds for a quick agent
SIZES, CALL_UNTIL = "fcpa", 2  # of the responder: on all boards of docs/background/holdem.md its bound is the highest


def with_real(strategy: Strategy, boards: int, seed: int, progress: Progress = silent) -> Strategy:
    """`strategy` with a local best response in its manifest, in mbb/hand: what it wins at least in the real game.

    boards   sampled with `seed`; on each, all hands and all betting are summed. 0 measures nothing
    """
    if not boards:
        return strategy
    game, samples = strategy.layout.tree.game, []
    policy = StrategyPolicy(strategy, card_states(strategy))
    for sample in local_samples(policy, game, boards, seed, SIZES, CALL_UNTIL):
        samples.append(sample)
        progress("local best response in the real game", len(samples), boards)
    found = ExpectedValue(np.array(samples), np.ones(boards), game.big_blind)
    half_width = found.mbb(found.half_width)
    real: dict[str, Any] = {
        "method": "local best response",
        "lower": found.mbb(found.chips),
        "half_width": half_width if isfinite(half_width) else None,
        "unit": MILLI_BIG_BLINDS,
        "boards": boards,
        "sizes": SIZES,
        "call_until": CALL_UNTIL,
        "seed": seed,
    }
    return Strategy(strategy.layout, strategy.values, {**strategy.manifest, REAL: real})


def measure_run(out: Path, boards: int, seed: int, progress: Progress = silent) -> Strategy:
    """The strategy of the finished run in `out`, measured in the real game unless it has been; the folder keeps it."""
    with locked(out):
        strategy = load_strategy(out / STRATEGY)
        if REAL in strategy.manifest or not boards:
            return strategy
        strategy = with_real(strategy, boards, seed, progress)
        if is_measured((curve := read_curve(out))[-1]):
            plot_convergence(curve, out / PLOT, Solved.of(strategy).of_which())
        save_strategy(strategy, out / STRATEGY, str(strategy.values.dtype))
        return strategy
