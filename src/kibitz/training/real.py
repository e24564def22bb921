"""What a trained strategy is worth in the real game: a lower bound on its exploitability there, by local best response.

The exploitability that a run is measured by is that of its abstract game, where the responder has the same buckets and
bets. A real opponent sees its cards.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from kibitz.policy.card_states import card_states
from kibitz.policy.strategies import StrategyPolicy
from kibitz.progress import Progress, silent
from kibitz.responses.local import local_samples
from kibitz.responses.real.value import ExpectedValue
from kibitz.statistics import MILLI_BIG_BLINDS
from kibitz.strategy import Strategy

BOARDS = 300  # some seconds for a quick agent
SIZES, CALL_UNTIL = "fcpa", 2  # of the responder: on all boards of docs/background/holdem.md its bound is the highest


def measure_real(strategy: Strategy, boards: int, seed: int, progress: Progress = silent) -> dict[str, Any]:
    """What a local best response wins at least in the real game, in mbb/hand, as the manifest of an agent keeps it.

    boards   sampled with `seed`; on each, all hands and all betting are summed
    """
    game, samples = strategy.layout.tree.game, []
    policy = StrategyPolicy(strategy, card_states(strategy))
    for sample in local_samples(policy, game, boards, seed, SIZES, CALL_UNTIL):
        samples.append(sample)
        progress("local best response in the real game", len(samples), boards)
    found = ExpectedValue(np.array(samples), np.ones(boards), game.big_blind)
    half_width = found.mbb(found.half_width)
    return {
        "method": "local best response",
        "lower": found.mbb(found.chips),
        "half_width": half_width if isfinite(half_width) else None,
        "unit": MILLI_BIG_BLINDS,
        "boards": boards,
        "sizes": SIZES,
        "call_until": CALL_UNTIL,
        "seed": seed,
    }
