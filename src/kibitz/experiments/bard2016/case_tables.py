"""Figures 6.2 and 6.3 in limit hold'em, the same against agents that nobody responded to, and opponents that change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from kibitz.experiments.bard2016.case_matches import EQUILIBRIUM, A, Entry, Foe, Study, held_out, mimic, study_at
from kibitz.experiments.bard2016.case_players import STATIC
from kibitz.experiments.bard2016.case_setting import CANDIDATES, CHANGING, TARGET, label_of
from kibitz.experiments.bard2016.printed import STATEMENTS, TABLES
from kibitz.experiments.claims import Claim, Claims, Interval, explain, judge, of_samples, statements
from kibitz.experiments.pictures import picture
from kibitz.experiments.published import (
    CONFIRMED,
    REFUTED,
    SUBSTITUTE,
    Cells,
    Effort,
    Experiment,
    Found,
    PublishedTable,
    unprinted,
)
from kibitz.policy.base import Floats

TITLE, UNIT = "limit hold'em", "mbb/hand"
COLUMNS = ("mean", "± 95 %", "chips", "± of chips")
SMALL, BIG = "small portfolio, Exp3G 0.025", "big portfolio, Exp3G 0.025"
UCB, IMAGINARY = "small portfolio, UCB1, tuned", "small portfolio, UCB1 by imaginary observations, tuned"
BEST, BEST_OF_ALL = "best response of the small portfolio to each", "best response of the big portfolio to each"
POOLED = "one response to all four"
SOURCES = {
    "figure-6.2-limit": "figure 6.2: implicit modelling against the four mimics of the small portfolio",
    "figure-6.3-limit": "figure 6.3: implicit modelling against the mimics of all members of pool A",
    "table-6.1-limit": "table 6.1: implicit modelling against the members of pool B, which nobody responded to",
}
LEARNING = (
    SMALL,
    *(f"small portfolio, {kind}, tuned" for kind in CANDIDATES),
    "small portfolio, UCB1 48",
    "small portfolio, Exp3G by importance sampling",
    BIG,
    "big portfolio, Exp3G, tuned",
)
FIXED = (*(f"response to {name} alone" for name in A), POOLED, EQUILIBRIUM, BEST, BEST_OF_ALL)
GAIN = 1.199  # at least, over every single response (L1295)
STATED = "section-6.1-limit"
PALETTE = (
    *("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#d9a441", "#6b8fb5"),
    *("#a23b5a", "#8aa399", "#b58463", "#4a4e69", "#c9ada7", "#8a6d3b"),
)
NOTHING = ("Not computed yet: the preset full does it.",)
OTHER = "opponents of our own, 5 buckets for all, an equilibrium of the same buckets: no reproduction of the figure"


opened = cache(study_at)  # one study for all tables of an effort


@cache
def load(effort: Effort) -> Study:
    """The study, computed where it is to be."""
    found = opened(effort)
    if found.ledger.is_open:
        found.run()
    return found


def shown(published: PublishedTable, make: Callable[[PublishedTable, Effort], Experiment]) -> Experiment:
    """An experiment of the study of an effort, where there is anything to show."""

    def at(effort: Effort) -> Experiment:
        ledger = opened(effort).ledger
        is_known = ledger.is_open or bool(ledger.found)
        return make(published, effort) if is_known else Experiment(published, None, NOTHING)

    return Experiment(published, None, scaled=at)


def foes_of(study: Study, figure: str) -> list[Foe]:
    """Who is played in a figure."""
    if figure == "table-6.1-limit":
        return held_out()
    names = study.chosen if figure == "figure-6.2-limit" else A
    return [Foe(mimic(name), (mimic(name),)) for name in names]


def sampled(study: Study, entry: Entry, foes: Sequence[Foe], what: int = 0) -> Floats:
    """What an agent wins: float64[opponents, matches]; what = 0 expected, 1 chips."""
    return np.array([study.won(entry, foe)[:, what] for foe in foes])


def fixed(study: Study, row: str, foes: Sequence[Foe]) -> Floats:
    """What a single strategy wins from each opponent, exactly: float64[opponents]; of `BEST` the best for each."""
    if row in (BEST, BEST_OF_ALL):
        names = study.experts("small" if row == BEST else "big")
        return np.asarray(np.max([_values(study, name, foes) for name in names], axis=0))
    name = {POOLED: f"to {STATIC}", EQUILIBRIUM: EQUILIBRIUM}.get(row)
    return _values(study, name or "to " + row.removeprefix("response to ").removesuffix(" alone"), foes)


def _values(study: Study, name: str, foes: Sequence[Foe]) -> Floats:
    """Of opponents that change every part counts by its hands."""
    found = []
    for foe in foes:
        ends = np.array([0, *foe.changes, study.setting.hands])
        shares = np.diff(np.minimum(ends, study.setting.hands)) / study.setting.hands
        found.append(sum(w * sum(study.value(name, part)) / 2 for w, part in zip(shares, foe.parts, strict=True)))
    return np.array(found)


def mean_of(study: Study, row: str, figure: str) -> Interval:
    """The mean over opponents. A match number, whose cards are those of all opponents, is one sample."""
    foes = foes_of(study, figure)
    if row in FIXED:
        return Interval.exactly(float(fixed(study, row, foes).mean()))
    return of_samples(sampled(study, study.entries()[row], foes).mean(axis=0))


def figure_at(figure: str, published: PublishedTable, effort: Effort) -> Experiment:
    """All agents against the opponents of a figure."""

    def find() -> Cells:
        study = load(effort)
        foes = foes_of(study, figure)
        for row in LEARNING:
            for column, bound, what in (("mean", "± 95 %", 0), ("chips", "± of chips", 1)):
                interval = of_samples(sampled(study, study.entries()[row], foes, what).mean(axis=0))
                yield row, column, Found(*interval)
                yield row, bound, Found(interval.high - interval.value)
        for row in FIXED:
            yield row, "mean", Found(float(fixed(study, row, foes).mean()))
            yield row, "± 95 %", Found(0.0)

    notes = notes_on(opened(effort))
    return Experiment(
        published, find, notes, lambda: draw(load(effort), figure), lambda: _values_of(load(effort), figure)
    )


def notes_on(study: Study) -> tuple[str, ...]:
    """How the numbers are found."""
    setting = study.setting
    matches, tuning, _changing = setting.matches
    return (
        f"All strategies have {setting.cards} cards, U = R = M, on {setting.boards:,} boards. Pools: "
        f"{setting.members} iterations. Responses: data-biased, to {setting.observed:,} hands of each member of pool A "
        f"observed by the probe; {setting.responses} iterations; P_max is chosen so that they lose about {TARGET:g} "
        f"{UNIT} to a best response in these buckets.",
        f"Learning agents: {matches} matches of {setting.hands:,} hands against each opponent. A hand counts by what "
        "the mixture that plays it wins on the average, given its weights and position; chips are shown beside it. The "
        "same cards are dealt to all agents and opponents, and 95 % intervals (Student's t) take a match number as one "
        "sample. Rows of single strategies are exact in the game of buckets.",
        f"Rewards are counted in big blinds. Every kind of bandit was tuned with the small portfolio on four other "
        f"opponents in {tuning} matches each, from five values: "
        + "; ".join(f"{kind}: {', '.join(map(label_of, each))}" for kind, each in CANDIDATES.items())
        + ".",
    )


def _values_of(study: Study, figure: str) -> dict[str, object]:
    """By opponent, what was chosen, and how good the responses are."""
    foes = foes_of(study, figure)
    by_opponent = {row: sampled(study, study.entries()[row], foes).mean(axis=1).round(2).tolist() for row in LEARNING}
    by_opponent |= {row: fixed(study, row, foes).round(2).tolist() for row in FIXED}
    told = ("P_max", "won from the opponent", "exploitability", "gap")
    responses = {
        name: dict(zip(told, study.ledger.get(f"response to {name}", list), strict=True)) for name in (*A, STATIC)
    }
    return {
        "made": study.ledger.made,
        "opponents": [foe.name for foe in foes],
        "by opponent": by_opponent,
        "small portfolio": study.chosen,
        "responses": responses,
        "chosen": {kind: label_of(study.tuned(kind)) for kind in CANDIDATES},
    }


def draw(study: Study, figure: str) -> str:
    """Stacked bars as in the thesis: the part of the mean that comes from each opponent."""
    foes = foes_of(study, figure)
    singles = [f"response to {name} alone" for name in study.chosen]
    bars = {row: fixed(study, row, foes) for row in (EQUILIBRIUM, *singles, POOLED, BEST)}
    bars |= {row: sampled(study, study.entries()[row], foes).mean(axis=1) for row in (UCB, IMAGINARY, BIG, SMALL)}
    halves = {row: mean_of(study, row, figure) for row in (UCB, IMAGINARY, BIG, SMALL)}
    arms = {row: each.high - each.value for row, each in halves.items()}
    return draw_bars(bars, arms, [foe.name.removeprefix("mimic of ").removeprefix("B: ") for foe in foes], UNIT)


def claims(study: Study) -> Claims:
    """What the thesis says, by row."""
    four, all_, out = SOURCES

    def above(one: str, other: str, figure: str) -> Claim:
        return Claim(mean_of(study, one, figure), mean_of(study, other, figure))

    def best_single() -> str:
        rows = [f"response to {name} alone" for name in study.chosen]
        return max(rows, key=lambda row: mean_of(study, row, four).value)

    def by_a_fifth() -> Claim:
        single = mean_of(study, best_single(), four).value
        least = single + (GAIN - 1) * abs(single)
        return Claim(mean_of(study, SMALL, four), Interval.exactly(least), best_single())

    return {
        "four mimics: beats every single response": lambda: above(SMALL, best_single(), four)._replace(
            note=f"the best is the {best_single()}"
        ),
        "four mimics: 19.9 % above every single response": by_a_fifth,
        "four mimics: beats one response to all four": partial(above, SMALL, POOLED, four),
        "four mimics: beats the equilibrium": partial(above, SMALL, EQUILIBRIUM, four),
        "four mimics: beats UCB1": partial(above, SMALL, UCB, four),
        "four mimics: beats UCB1 by imaginary observations": partial(above, SMALL, IMAGINARY, four),
        "four mimics: beats the big portfolio": partial(above, SMALL, BIG, four),
        "all mimics: beats the equilibrium": partial(above, SMALL, EQUILIBRIUM, all_),
        "all mimics: beats one response to all four": partial(above, SMALL, POOLED, all_),
        "all mimics: beats UCB1": partial(above, SMALL, UCB, all_),
        "all mimics: big beats one response to all four": partial(above, BIG, POOLED, all_),
        "all mimics: big beats UCB1": partial(above, BIG, UCB, all_),
        "held out: beats the equilibrium": partial(above, SMALL, EQUILIBRIUM, out),
        "held out: beats one response to all four": partial(above, SMALL, POOLED, out),
        "held out: beats the big portfolio": partial(above, SMALL, BIG, out),
    }


def alike(study: Study) -> Found:
    """Whether the two portfolios are within noise of each other against all mimics."""
    foes, entries = foes_of(study, "figure-6.3-limit"), study.entries()
    gain = of_samples((sampled(study, entries[SMALL], foes) - sampled(study, entries[BIG], foes)).mean(axis=0))
    verdict = CONFIRMED if gain.low <= 0 <= gain.high else REFUTED
    return Found(*gain, reason=f"small less big, on the same cards: {gain}", verdict=verdict)


def statements_at(published: PublishedTable, effort: Effort) -> Experiment:
    """What the thesis says of its figures, held against ours: confirmed where intervals do not meet."""

    def find() -> Cells:
        study = load(effort)
        yield from judge(TITLE, claims(study))
        yield "all mimics: small and big are alike", TITLE, alike(study)

    return Experiment(published, find, explain(STATEMENTS[STATED]))


def gains_at(published: PublishedTable, effort: Effort) -> Experiment:
    """Printed percentages and intervals beside ours."""

    def find() -> Cells:
        study = load(effort)
        four, all_, _out = SOURCES
        singles = [mean_of(study, f"response to {each} alone", four).value for each in study.chosen]
        for row, figure, base in (
            ("four mimics: % above the best single response", four, max(singles)),
            ("four mimics: % above the equilibrium", four, mean_of(study, EQUILIBRIUM, four).value),
            ("all mimics: % above the equilibrium", all_, mean_of(study, EQUILIBRIUM, all_).value),
        ):
            ours = [100 * (each - base) / abs(base) for each in mean_of(study, SMALL, figure)]
            reason = f"{mean_of(study, SMALL, figure)} against {base:.1f} {UNIT}; {OTHER}"
            yield row, "value", Found(ours[0], ours[1], ours[2], SUBSTITUTE, reason)
        counted = f"{study.count(0)} matches for each opponent, hands counted by their average; the thesis counts chips"
        for row, agent in (("the small portfolio", SMALL), ("UCB1", UCB)):
            found = mean_of(study, agent, four)
            half = Found(found.high - found.value, open=SUBSTITUTE, reason=counted)
            yield f"four mimics: ± of {row}, {UNIT}", "value", half

    return Experiment.of(published, find)


def changing_at(published: PublishedTable, effort: Effort) -> Experiment:
    """Plain and tracking bandits against opponents that change their style in mid-match."""

    def find() -> Cells:
        study = load(effort)
        won = {row: _changed(study, entry) for row, entry in study.changing_entries().items()}
        plain = won["Exp3G, tuned"][0]
        for row, (whole, chips, before, after) in won.items():
            interval, gain = of_samples(whole), of_samples(whole - plain)
            yield row, "before", Found(*of_samples(before))
            yield row, "after", Found(*of_samples(after))
            yield row, "whole match", Found(*interval)
            yield row, "± 95 %", Found(interval.high - interval.value)
            yield row, "gain", Found(*gain)
            yield row, "± of gain", Found(gain.high - gain.value)
            yield row, "chips", Found(*of_samples(chips))

    tried = "; ".join(f"{kind}: {', '.join(map(label_of, each))}" for kind, each in CHANGING.items())
    notes = (
        "Each mimic of the small portfolio becomes the next one at hand 1,500, and so does pool A's member that "
        "changes (tight-passive, then loose-aggressive). Experts are those of the small portfolio. Gains are over "
        "Exp3G, tuned, on the same cards.",
        f"Every kind had ten candidates, tried on four other opponents that change too: {tried}.",
    )
    return Experiment(published, find, notes, values=lambda: _values_of_changes(load(effort)))


def _changed(study: Study, entry: Entry) -> Floats:
    """Means over opponents that change: float64[4, matches], as `Study.won` has them."""
    return np.asarray(np.mean([study.won(entry, foe) for foe in study.changes], axis=0)).T


def _values_of_changes(study: Study) -> dict[str, object]:
    """By opponent, and what was chosen."""
    entries = study.changing_entries()
    return {
        "opponents": [foe.name for foe in study.changes],
        "by opponent": {
            row: [study.won(entry, foe).mean(axis=0).round(2).tolist() for foe in study.changes]
            for row, entry in entries.items()
        },
        "chosen": {row: label_of(entry.learning) for row, entry in entries.items()},
    }


def draw_bars(bars: dict[str, Floats], arms: dict[str, float], opponents: list[str], unit: str) -> str:
    """SVG text: a bar for each agent, from the top down.

    bars       name -> float64[opponents], what it wins from each; they are stacked as parts of the mean, losses to the
               left of zero
    arms       name -> half the 95 % interval of the mean, where there is one
    """
    names = list(bars)
    parts = np.array([bars[name] for name in names]) / len(opponents)  # float64[agents, opponents]
    with picture(1.2 + 0.34 * len(names), 8.4) as (axes, text):
        places = np.arange(len(names))
        for sign in (1.0, -1.0):
            ends = np.zeros(len(names))
            for number, opponent in enumerate(opponents):
                width = np.where(sign * parts[:, number] > 0, parts[:, number], 0.0)
                label = opponent if sign > 0 else None
                axes.barh(places, width, left=ends, color=PALETTE[number % len(PALETTE)], height=0.7, label=label)
                ends += width
        means = parts.sum(axis=1)
        axes.errorbar(
            means, places, xerr=[arms.get(name, 0.0) for name in names], fmt="D", ms=3.5, color="black", lw=1, capsize=2
        )
        axes.axvline(0, color="black", lw=0.8)
        axes.set_yticks(places, [f"{name}  {mean:.0f}" for name, mean in zip(names, means, strict=True)])
        axes.invert_yaxis()
        axes.set_xlabel(f"won, {unit}: parts of the mean by opponent; the mark is the mean with its 95 % interval")
        axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return text[0]


EXPERIMENTS: dict[str, Experiment] = {
    **{
        name: shown(
            unprinted(
                f"Bard 2016, {source}, in {TITLE}, {UNIT}", "agent", COLUMNS, (*LEARNING, *FIXED), 1, intervals=False
            ),
            partial(figure_at, name),
        )
        for name, source in SOURCES.items()
    },
    STATED: shown(
        statements(f"Bard 2016, section 6.1: statements, {TITLE}, {UNIT}", STATEMENTS[STATED], [TITLE]), statements_at
    ),
    "section-6.1-gains": shown(TABLES["section-6.1-gains"], gains_at),
    "section-7.2-limit": shown(TABLES["section-7.2-limit"], changing_at),
}
