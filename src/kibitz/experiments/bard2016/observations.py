"""Figure 4.2: how many hands of an opponent, and how its model generalises them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kibitz.experiments.bard2016.fronts import problem, tilted
from kibitz.experiments.bard2016.printed import HANDS, TABLES
from kibitz.experiments.published import Effort, Experiment, Found
from kibitz.responses.robust import Method, Response, respond
from kibitz.responses.robust.fronts import Point, tune
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.roles import SmallRoles
from kibitz.responses.robust.seats import Opponent

SEEDS = {"smoke": 2, "short": 10, "full": 50}  # observations of each length
COLUMNS = {"smoke": 3, "short": 5, "full": 5}
TARGET = 0.1  # antes per hand, in the place of 100 mbb/hand


def figure_4_2(effort: Effort) -> Experiment:
    """Exploitation of a tilted equilibrium by data-biased responses that are all about as exploitable."""
    seeds, hands = SEEDS[effort.preset], HANDS[: COLUMNS[effort.preset]]

    def find() -> Iterator[tuple[str, str, Found]]:
        for number, row in enumerate(TABLES["figure-4.2"].rows):
            roles = SmallRoles(problem("leduc"), model="" if row == "all cards" else row)
            for step, column in enumerate(hands):
                effort.tell(row, number * len(hands) + step, len(TABLES["figure-4.2"].rows) * len(hands))
                won = np.array([_exploitation(roles, int(column), effort.seed + seed) for seed in range(seeds)])
                half = 1.96 * won.std(ddof=1) / np.sqrt(seeds)
                yield row, column, Found(float(won.mean()), float(won.mean() - half), float(won.mean() + half))

    notes = (
        f"Means over {seeds} observations by the probe with 95 % intervals; P_max by bisection, so that responses are "
        f"exploitable for at most {1000 * TARGET:g} milli-antes/hand (exact responses change by jumps).",
        "The thesis: with few hands coarser models win more, with many finer ones catch up.",
    )
    return Experiment(TABLES["figure-4.2"], find, notes)


def _exploitation(roles: SmallRoles, hands: int, seed: int) -> float:
    """Milli-antes won from the tilted opponent after so many observed hands."""
    truth = tilted("leduc")
    opponent = Opponent(truth, observe(problem("leduc").deal, truth, hands, seed))
    method = Method("dbr")

    def solve(method: Method) -> Point:
        found: Response = respond(roles, opponent, method)
        return Point(method.amount, found.objective, found.exploitation, found.exploitability, found.gap)

    most = solve(replace(method, amount=1.0))
    if most.exploitability <= TARGET:  # so little was seen that all of it may be believed
        return 1000 * most.exploitation
    return 1000 * list(tune(method, solve, TARGET))[-1].exploitation
