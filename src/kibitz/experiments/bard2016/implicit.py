"""Figures 6.2 and 6.3, and opponents that change: implicit modelling in Leduc.

In the place of ACPC agents there are styles (`styles`), in the place of data-biased responses from logs restricted Nash
responses to the styles themselves. Every agent plays the same cards. Settings of bandits are chosen on other styles,
from as many values for each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from kibitz.agents.implicit.learning import Learning
from kibitz.experiments.bard2016 import styles
from kibitz.experiments.bard2016.case_setting import CANDIDATES, CHANGING, RATES, SCALES, THESIS
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.small_games import small_game
from kibitz.experiments.bard2016.styles import (
    GAME,
    MORE,
    TEST,
    TUNING,
    Contest,
    Player,
    Series,
    Style,
    half_width,
)
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import Cells, Effort, Experiment, Found
from kibitz.responses.robust.roles import make_roles
from kibitz.strategy import Strategy

# Preset -> matches against each opponent, hands of a match.
SIZES = {"smoke": (4, 600), "short": (40, 3000), "full": (400, 3000)}
FIRST = 50_000  # match numbers of the tuning matches begin here, so that their cards are others


def tuned(candidates: Sequence[Learning], contest: Contest) -> Learning:
    """The candidate that wins most on the tuning styles, with responses to them."""
    return max(candidates, key=lambda each: contest.series(Player(TUNING, each)).mean)


def tuned_to_changes(candidates: Sequence[Learning], contest: Contest) -> Learning:
    """The same against opponents that change."""
    return max(candidates, key=lambda each: sum(half.mean for half in contest.changing(Player(TUNING, each))))


@cache
def exact(response: Strategy, opponents: tuple[Style, ...]) -> tuple[float, ...]:
    """What a strategy wins from each opponent, exactly: milli-antes/hand, mean of both seats."""
    roles = make_roles(small_game(GAME))
    return tuple(500 * sum(roles.exploitation(response, styles.strategy_of(style))) for style in opponents)


class Field(NamedTuple):
    """What there is to compare: sampled series and exact means, by the name of the row."""

    sampled: dict[str, Series]
    fixed: dict[str, float]
    chosen: dict[str, Learning]


@cache
def field(preset: str, seed: int, is_big: bool) -> Field:
    """All agents against the styles of the small portfolio, or of the big one."""
    matches, hands = SIZES[preset]
    tuning = Contest(TUNING, matches, hands, seed, FIRST)
    contest = Contest(TEST + MORE if is_big else TEST, matches, hands, seed)
    chosen = {f"{kind}, tuned": tuned(candidates, tuning) for kind, candidates in CANDIDATES.items()}
    agents = {"small portfolio, Exp3G 0.025": Player(TEST, THESIS)}
    agents |= {f"small portfolio, {name}": Player(TEST, learning) for name, learning in chosen.items()}
    agents |= {
        "small portfolio, Exp3G by importance sampling": Player(TEST, replace(THESIS, estimator="importance")),
        "small portfolio, UCB1 13": Player(TEST, Learning(bandit="ucb1", scale=SCALES[-1])),
        "big portfolio, Exp3G 0.025": Player(TEST + MORE, THESIS),
    }
    sampled = {name: contest.series(each) for name, each in agents.items()}
    single = {style.name: exact(styles.response_to(style), contest.opponents) for style in TEST}
    fixed = {f"response to {name} alone": float(np.mean(won)) for name, won in single.items()}
    fixed["best response of the small portfolio to each"] = float(np.max(list(single.values()), axis=0).mean())
    fixed["one response to all four"] = float(np.mean(exact(styles.pooled_response(TEST), contest.opponents)))
    fixed["equilibrium"] = float(np.mean(exact(styles.equilibrium(), contest.opponents)))
    return Field(sampled, fixed, chosen)


def figure(table: str, is_big: bool, effort: Effort) -> Experiment:
    """All agents against the four styles of the small portfolio, or the twelve of the big one."""
    matches, hands = SIZES[effort.preset]

    def find() -> Cells:
        found = field(effort.preset, effort.seed, is_big)
        for name, series in found.sampled.items():
            yield name, "mean", series.found()
            yield name, "± 95 %", Found(half_width(series.won))
        for name, mean in found.fixed.items():
            yield name, "mean", Found(mean)
            yield name, "± 95 %", Found(0.0)

    count = len(TEST + MORE if is_big else TEST)
    notes = (
        f"Means over {count} opponents with {matches} matches of {hands:,} hands each, the same cards for all agents; "
        "95 % intervals by Student's t, opponents as strata. Rows of single strategies are exact.",
        "Rewards are counted in antes. Every kind of bandit was tuned on four other styles, from five values: rate "
        f"{', '.join(map(str, RATES))}; scale {', '.join(map(str, SCALES))}.",
    )

    def draw() -> str:
        return draw_bars({row: found for row, column, found in find() if column == "mean"})

    def values() -> dict[str, object]:
        chosen = field(effort.preset, effort.seed, is_big).chosen
        return {"chosen": {name: each.rate if each.bandit == "exp3g" else each.scale for name, each in chosen.items()}}

    return Experiment(TABLES[table], find, notes, draw, values)


def claims(effort: Effort) -> Experiment:
    """What the thesis says of figures 6.2 and 6.3: 1 where the difference is beyond its 95 % interval."""

    def find() -> Cells:
        small, big = (field(effort.preset, effort.seed, is_big) for is_big in (False, True))
        ours, across = small.sampled["small portfolio, Exp3G 0.025"], big.sampled["small portfolio, Exp3G 0.025"]
        single = max(mean for name, mean in small.fixed.items() if name.endswith("alone"))
        compared: dict[str, tuple[Series, Series | float]] = {
            "beats every single response": (ours, single),
            "beats one response to all four": (ours, small.fixed["one response to all four"]),
            "beats the equilibrium": (ours, small.fixed["equilibrium"]),
            "beats UCB1, tuned": (ours, small.sampled["small portfolio, UCB1, tuned"]),
            "beats the big portfolio": (ours, small.sampled["big portfolio, Exp3G 0.025"]),
            "all styles: beats the equilibrium": (across, big.fixed["equilibrium"]),
            "all styles: beats one response": (across, big.fixed["one response to all four"]),
            "all styles: beats UCB1, tuned": (across, big.sampled["small portfolio, UCB1, tuned"]),
        }
        for row, (one, other) in compared.items():
            difference = one.minus(other)
            yield row, "holds", one.above(other)
            yield row, "difference", difference.found()
            yield row, "± 95 %", Found(half_width(difference.won))

    return Experiment.of(TABLES["section-6.1"], find)


def changing_opponents(effort: Effort) -> Experiment:
    """Plain and tracking bandits against opponents that change their style in mid-match."""
    matches, hands = SIZES[effort.preset]

    def find() -> Cells:
        tuning = Contest(TUNING, matches, hands, effort.seed, FIRST)
        contest = Contest(TEST, matches, hands, effort.seed)
        agents = {"Exp3G 0.025": THESIS}
        for kind, candidates in CHANGING.items():
            agents[f"{kind}, tuned"] = tuned_to_changes(candidates, tuning)
        found = {name: contest.changing(Player(TEST, learning)) for name, learning in agents.items()}
        first, second = found["Exp3G, tuned"]
        plain = (first.won + second.won) / 2
        for name, (before, after) in found.items():
            yield name, "before", before.found()
            yield name, "after", after.found()
            whole = Series((before.won + after.won) / 2)
            gain = whole.won - plain
            yield name, "whole match", whole.found()
            yield name, "± 95 %", Found(half_width(whole.won))
            yield name, "gain", Found(float(gain.mean()))
            yield name, "± of gain", Found(half_width(gain))

    notes = (
        f"Each of the four styles becomes the next one after half of the match; {matches} matches of {hands:,} hands "
        "each, the same cards for all. Every kind had ten candidates, tried on other styles that change too: rates, or "
        f"rates {RATES[2]} and {RATES[3]} with five shares or discounts. Gains are over Exp3G, tuned.",
    )
    return Experiment(TABLES["section-7.2"], find, notes)


def draw_bars(means: dict[str, Found]) -> str:
    """A bar for each row with its interval, the longest on top; exact ones, which have none, in another colour."""
    ordered = sorted(means.items(), key=lambda item: item[1].ours)
    with picture(0.9 + 0.26 * len(ordered), 7.5) as (axes, text):
        for place, (_name, found) in enumerate(ordered):
            is_exact = np.isnan(found.low)
            axes.barh(place, found.ours, height=0.7, color=COLOURS[1 if is_exact else 0], alpha=0.85)
            if not is_exact:
                arms = [[found.ours - found.low], [found.high - found.ours]]
                axes.errorbar(found.ours, place, xerr=arms, color="#222222", capsize=2, lw=1)
        for label, colour in (("sampled, 95 % interval", COLOURS[0]), ("exact", COLOURS[1])):
            axes.barh(0, 0, color=colour, alpha=0.85, label=label)
        axes.legend(frameon=False, fontsize=8, loc="lower right")
        axes.set_yticks(range(len(ordered)), [name for name, _found in ordered])
        axes.set_xlabel("mean winnings, milli-antes/hand")
    return text[0]
