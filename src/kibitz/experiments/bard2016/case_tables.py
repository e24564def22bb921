"""Figures 6.2 and 6.3 in limit hold'em, the same against agents that nobody responded to, and opponents that change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from math import nan

import numpy as np

from kibitz.experiments.bard2016.case_drawing import draw_bars
from kibitz.experiments.bard2016.case_matches import EQUILIBRIUM, A, Entry, Foe, Study, held_out, mimic, study_at
from kibitz.experiments.bard2016.case_players import STATIC
from kibitz.experiments.bard2016.case_setting import CANDIDATES, CHANGING, TARGET, label_of
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.statements import Claims, Floats, cells_of_statements, explain, table_of_statements
from kibitz.experiments.claims import Claim, Interval, of_samples
from kibitz.experiments.published import (
    CONFIRMED,
    REFUTED,
    SUBSTITUTE,
    Effort,
    Experiment,
    Found,
    PublishedTable,
)

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
STATED = table_of_statements("section-6.1-limit", f"Bard 2016, section 6.1: statements, {TITLE}, {UNIT}", [TITLE])
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


def is_known(effort: Effort) -> bool:
    """Whether there is anything to show."""
    study = opened(effort)
    return study.ledger.is_open or bool(study.ledger.found)


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
        value = float(fixed(study, row, foes).mean())
        return Interval(value, value, value)
    return of_samples(sampled(study, study.entries()[row], foes).mean(axis=0))


def figure_at(figure: str, effort: Effort) -> Experiment:
    """All agents against the opponents of a figure."""
    if not is_known(effort):
        return Experiment(_table_of(figure), None, NOTHING)

    def find() -> Iterator[tuple[str, str, Found]]:
        study = load(effort)
        foes = foes_of(study, figure)
        for row in LEARNING:
            for column, what in (("mean", 0), ("chips", 1)):
                interval = of_samples(sampled(study, study.entries()[row], foes, what).mean(axis=0))
                yield row, column, Found(*interval)
                bound = "± 95 %" if not what else "± of chips"
                yield row, bound, Found(interval.high - interval.value)
        for row in FIXED:
            yield row, "mean", Found(float(fixed(study, row, foes).mean()))
            yield row, "± 95 %", Found(0.0)

    return Experiment(
        _table_of(figure),
        find,
        notes_on(opened(effort)),
        picture=lambda: draw(load(effort), figure),
        values=lambda: _values_of(load(effort), figure),
    )


def _table_of(figure: str) -> PublishedTable:
    """Of the figures nothing is printed but their captions."""
    rows = {row: (nan,) * len(COLUMNS) for row in (*LEARNING, *FIXED)}
    source = f"Bard 2016, {SOURCES[figure]}, in {TITLE}, {UNIT}"
    return PublishedTable(source, "agent", COLUMNS, rows, 0.0, 1)


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
        return Claim(mean_of(study, SMALL, four), Interval(least, least, least), best_single())

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


def statements_at(effort: Effort) -> Experiment:
    """What the thesis says of its figures, held against ours: confirmed where intervals do not meet."""
    if not is_known(effort):
        return Experiment(STATED, None, NOTHING)

    def find() -> Iterator[tuple[str, str, Found]]:
        study = load(effort)
        yield from cells_of_statements(TITLE, claims(study))
        yield "all mimics: small and big are alike", TITLE, alike(study)

    return Experiment(STATED, find, explain("section-6.1-limit"))


def gains_at(effort: Effort) -> Experiment:
    """Printed percentages and intervals beside ours."""
    name = "section-6.1-gains"
    if not is_known(effort):
        return Experiment(TABLES[name], None, NOTHING)

    def find() -> Iterator[tuple[str, str, Found]]:
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
            yield row, "value", Found(ours[0], ours[1], ours[2], open=SUBSTITUTE, reason=reason)
        for row, agent in (("the small portfolio", SMALL), ("UCB1", UCB)):
            found = mean_of(study, agent, four)
            reason = (
                f"{study.count(0)} matches for each opponent, hands counted by their average; the thesis counts chips"
            )
            half = found.high - found.value
            yield f"four mimics: ± of {row}, {UNIT}", "value", Found(half, open=SUBSTITUTE, reason=reason)

    return Experiment(
        TABLES[name], find, ("Printed: 'nearly double' is taken for 100 %, 'approximately 65 %' for 65.",)
    )


def changing_at(effort: Effort) -> Experiment:
    """Plain and tracking bandits against opponents that change their style in mid-match."""
    name = "section-7.2-limit"
    if not is_known(effort):
        return Experiment(TABLES[name], None, NOTHING)

    def find() -> Iterator[tuple[str, str, Found]]:
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
    return Experiment(TABLES[name], find, notes, values=lambda: _values_of_changes(load(effort)))


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


EXPERIMENTS: dict[str, Experiment] = {
    **{name: Experiment(_table_of(name), None, scaled=partial(figure_at, name)) for name in SOURCES},
    "section-6.1-limit": Experiment(STATED, None, scaled=statements_at),
    "section-6.1-gains": Experiment(TABLES["section-6.1-gains"], None, scaled=gains_at),
    "section-7.2-limit": Experiment(TABLES["section-7.2-limit"], None, scaled=changing_at),
}
