"""Self-play by policy gradient in Kuhn, Leduc and U[0,1]: does it converge, and does a lagging anchor help?

The thesis states the problem (sections 2.3.7 and 7.4) and prints no figures; all numbers here are ours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.experiments.claims import Claim, Interval, explain, of_samples, statements
from kibitz.experiments.ledger import open_ledger
from kibitz.experiments.pictures import COLOURS, figure_of
from kibitz.experiments.published import Cells, Effort, Experiment, Found, unprinted
from kibitz.files import svg_text
from kibitz.learning.small_games import Place, Point, SmallGame, SmallGamePlan, follow
from kibitz.responses.best_response import expected_values
from kibitz.solvers.sequence_lp import SequenceLP

Floats = npt.NDArray[np.float64]
TITLES = {"kuhn": "Kuhn", "leduc": "Leduc", "uniform": "U[0,1]"}
TILES = 18  # the cut-offs of the equilibrium lie on their edges
POINTS = 100
LAST = POINTS // 4  # points over which what a run has come to is averaged
# Steps of a run, and runs with different seeds.
STEPS = {"smoke": 300, "short": 20_000, "full": 100_000}
SEEDS = {"smoke": 2, "short": 5, "full": 10}
RATES = {"kuhn": 1.0, "leduc": 2.0, "uniform": 10.0}
PLAIN = {game: SmallGamePlan(game, rate=rate, pull=0.05, tiles=TILES) for game, rate in RATES.items()}
ANCHORED = {
    "kuhn": replace(PLAIN["kuhn"], anchor="strategy", pull=0.1, lag=0.01),
    "leduc": replace(PLAIN["leduc"], anchor="strategy", pull=1.0, lag=1e-4),
    "uniform": replace(PLAIN["uniform"], anchor="strategy", pull=0.3, lag=0.003),
}
BY_PARAMETERS = {
    "kuhn": replace(PLAIN["kuhn"], anchor="parameters", pull=0.02, lag=0.02),
    "leduc": replace(PLAIN["leduc"], anchor="parameters", pull=0.001, lag=3e-4),
    "uniform": replace(PLAIN["uniform"], anchor="parameters", pull=0.001, lag=0.001),
}
SAMPLED = {
    game: replace(each["kuhn"], method="reinforce", rate=0.2, batch=64)
    for game, each in (("plain", PLAIN), ("anchor", ANCHORED))
}
# Kuhn: betting the lowest card, calling with the middle one; then what is dominated.
PHASE: tuple[Place, Place] = (("", 0, "r"), ("r", 1, "c"))
DOMINATED: tuple[Place, ...] = (("r", 0, "c"), ("cr", 0, "c"), ("r", 2, "f"), ("cr", 2, "f"))
STATEMENTS = {
    "cycles": "plain self-play does not converge: it stays more exploitable than its own average strategy (2.3.7)",
    "anchor": "a lagging anchor makes the strategy less exploitable than plain self-play's (7.4)",
    "rationalisable": "plain self-play gives up dominated actions: they become rarer than at the start (2.3.7)",
}
COLUMNS = ("start", "strategy", "anchor", "average", "return")


class Variant(NamedTuple):
    """One kind of learner in one game, its runs and the value of the game to the first player."""

    game: str
    name: str
    plan: SmallGamePlan


VARIANTS = (
    *(Variant(game, "plain", PLAIN[game]) for game in TITLES),
    *(Variant(game, "anchor", ANCHORED[game]) for game in TITLES),
    *(Variant(game, "parameters", BY_PARAMETERS[game]) for game in TITLES),
    Variant("kuhn", "sampled", SAMPLED["plain"]),
    Variant("kuhn", "sampled anchor", SAMPLED["anchor"]),
)


def row_of(variant: Variant) -> str:
    """What a row of the table is called."""
    return f"{TITLES[variant.game]}, {variant.name}"


TABLE = unprinted(
    "Sweeney 2012, sections 2.3.7, 3.2, 7.4: self-play in small games, exploitability in chips per hand",
    "learner",
    COLUMNS,
    map(row_of, sorted(VARIANTS, key=lambda each: [*TITLES].index(each.game))),
    4,
)
CLAIMS = statements(
    "Sweeney 2012, sections 2.3.7 and 7.4: statements on self-play, exploitability in chips per hand",
    STATEMENTS,
    TITLES.values(),
    4,
)


@lru_cache(maxsize=64)
def runs_of(variant: Variant, effort: Effort) -> tuple[tuple[Point, ...], ...]:
    """The curves of all runs of a variant."""
    steps, watch = STEPS[effort.preset], (*PHASE, *DOMINATED) if variant.game == "kuhn" else ()
    described = {
        "steps": steps,
        "points": POINTS,
        "tiles": TILES,
        "learners": {row_of(each): each.plan.learning() for each in VARIANTS},
        "seed": effort.seed,
    }
    ledger = open_ledger("sweeney2012", "small-games", described, effort, is_open=True)
    seeds = range(effort.seed, effort.seed + SEEDS[effort.preset])
    jobs = {f"{row_of(variant)}, seed {seed}": partial(_run, variant, seed, steps, watch) for seed in seeds}
    found = (np.reshape(cell, (-1, 5 + len(watch))).tolist() for cell in ledger.measure(jobs, effort, row_of(variant)))
    return tuple(tuple(_point(*row) for row in rows) for rows in found)


def _point(iteration: float, current: float, anchor: float, average: float, value: float, *watched: float) -> Point:
    return Point(int(iteration), current, anchor, average, value, watched)


def _run(variant: Variant, seed: int, steps: int, watch: tuple[Place, ...]) -> list[float]:
    """The points of a run in a row."""
    plan = replace(variant.plan, seed=seed, steps=steps)
    return [float(number) for *row, watched in follow(plan, POINTS, watch) for number in (*row, *watched)]


@lru_cache(maxsize=8)
def game_value(game: str) -> float:
    """What the game is worth to the first player, by linear program."""
    vector = SmallGame.named(game, TILES).vector
    solver = SequenceLP(vector)
    solver.step()
    return expected_values(vector, solver.average_strategy())[0]


def runs_table(effort: Effort) -> Experiment:
    """Where each learner begins and what it comes to."""

    def find() -> Cells:
        for variant in VARIANTS:
            runs, value = runs_of(variant, effort), game_value(variant.game)
            found = {
                "start": of_samples([run[0].current for run in runs]),
                "strategy": of_samples([_come_to(run) for run in runs]),
                "average": of_samples([run[-1].average for run in runs]),
                "return": of_samples([np.mean([point.value for point in run]) - value for run in runs]),
            }
            if variant.plan.anchor != "none":
                found["anchor"] = of_samples([np.mean([point.anchor for point in run[-LAST:]]) for run in runs])
            for column, each in found.items():
                yield row_of(variant), column, Found(*each)

    return Experiment(TABLE, find, (*_notes(effort), *_columns()), lambda: draw(effort))


def claims_table(effort: Effort) -> Experiment:
    """What the thesis says of self-play, held against our runs."""

    def find() -> Cells:
        for game, title in TITLES.items():
            plain, anchored = (
                runs_of(Variant(game, name, each[game]), effort)
                for name, each in (("plain", PLAIN), ("anchor", ANCHORED))
            )
            strategy = of_samples([_come_to(run) for run in plain])
            yield "cycles", title, _claim(strategy, of_samples([run[-1].average for run in plain]))
            yield "anchor", title, _claim(strategy, of_samples([_come_to(run) for run in anchored]))
            if game == "kuhn":
                start, end = (
                    of_samples([np.mean(run[place].watched[len(PHASE) :]) for run in plain]) for place in (0, -1)
                )
                yield "rationalisable", title, _claim(start, end)

    return Experiment(CLAIMS, find, (*_notes(effort), *explain(STATEMENTS)))


def _come_to(run: tuple[Point, ...]) -> float:
    return float(np.mean([point.current for point in run[-LAST:]]))


def _claim(first: Interval, second: Interval) -> Found:
    found = Claim(first, second).found()
    return found._replace(reason=f"{first.value:.4f} against {second.value:.4f}")


def _notes(effort: Effort) -> tuple[str, ...]:
    return (
        f"{SEEDS[effort.preset]} runs of {STEPS[effort.preset]:,} steps each, ± by Student's t over runs. The thesis "
        "prints no figures and no rates; rates, pulls and lags are ours.",
    )


def _columns() -> tuple[str, ...]:
    return (
        "start: exploitability of the first strategy. strategy, anchor: mean over the last quarter of a run. average: "
        "of the mean strategy of the run. return: mean result of the first player over the run less the value of the "
        "game. Best responses to U[0,1] know their number exactly.",
        "anchor: the target is the result less pull times the Kullback-Leibler distance from the anchor; parameters: "
        "the logits are drawn to the anchor's. sampled: REINFORCE with 64 hands a step instead of the exact gradient.",
    )


def draw(effort: Effort) -> str:
    """Exploitability by step in every game, and the way through the square of two probabilities in Kuhn."""
    with figure_of(10.5, 5.6) as figure:
        panels = figure.subplots(2, 2).ravel()
        for axes, (game, title) in zip(panels, TITLES.items(), strict=False):
            for colour, (name, each) in zip(COLOURS, _kinds(), strict=False):
                run = runs_of(Variant(game, name, each[game]), effort)[0]
                steps = [point.iteration for point in run]
                axes.plot(steps, [point.current for point in run], color=colour, lw=1.2, label=name)
            axes.set(title=f"{title}: exploitability of the strategy", xlabel="steps", ylabel="chips per hand")
            axes.set_yscale("log")
            axes.grid(alpha=0.3)
            axes.legend(frameon=False)
        axes = panels[3]
        for colour, (name, each) in zip(COLOURS, _kinds()[:2], strict=False):
            way = [point.watched for point in _phase(each["kuhn"], effort)]
            axes.plot(*np.array(way).T, color=colour, lw=0.9, label=name)
        axes.set(
            title="Kuhn: where the strategies go",
            xlabel="first player bets the lowest card",
            ylabel="second calls with the middle card",
        )
        axes.grid(alpha=0.3)
        axes.legend(loc="center", framealpha=0.9)
        return svg_text(figure)


def _phase(plan: SmallGamePlan, effort: Effort) -> list[Point]:
    """The beginning of a run at every fifth step: later on, turns lie too close to be told apart."""
    steps = min(STEPS[effort.preset], 3_000)
    return [*follow(replace(plan, seed=effort.seed, steps=steps), steps // 5, PHASE)]


def _kinds() -> tuple[tuple[str, dict[str, SmallGamePlan]], ...]:
    return ("plain", PLAIN), ("anchor", ANCHORED), ("parameters", BY_PARAMETERS)
