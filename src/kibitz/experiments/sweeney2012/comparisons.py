"""Which systems of table 6-2 differ, by Dunnett's C: as printed, from the printed numbers, and ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

from kibitz.experiments.published import SUBSTITUTE, Cells, Effort, Experiment, Found
from kibitz.experiments.sweeney2012.making import SELF_PLAY
from kibitz.experiments.sweeney2012.population import DEALS
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.experiments.sweeney2012.systems import Result, study_of
from kibitz.statistics import Group, dunnett_c

Wins = dict[str, list[str]]
PAIRS = "Self-play among ten systems (45 pairs), the others among nine (36 pairs)."


def table_6_2_significance(effort: Effort) -> Experiment:
    """Which of the printed means differ: all ten systems compared, then the nine without self-play."""

    def find() -> Cells:
        systems = {name: Group(row[4], row[5], int(row[3])) for name, row in TABLES["table-6.2"].rows.items()}
        over_self_play, among_others = _compare(systems)
        for name in TABLES["table-6.2-significance"].rows:
            yield name, "self-play", Found(float(SELF_PLAY in over_self_play[name]))
            yield name, "others", Found(float(len(among_others[name])), reason=", ".join(among_others[name]))

    notes = (
        "From the printed means, standard deviations and runs of table 6-2, the run of PT-EL being read as 53,760 "
        f"deals. {PAIRS} The same of our systems: table-6.2-significance-ours.",
    )
    return Experiment(TABLES["table-6.2-significance"], find, notes)


def table_6_2_significance_ours(effort: Effort) -> Experiment:
    """Which of our systems differ, beside which of the printed ones do."""
    source = "Sweeney 2012, section 6.6: systems that each one beats significantly (Dunnett's C, 5 %), beside ours"
    table = replace(TABLES["table-6.2-significance"], source=source)

    def find() -> Cells:
        study = study_of(effort)
        over_self_play, among_others = _compare({name: group_of(study.real(name)) for name in (SELF_PLAY, *table.rows)})
        for name in table.rows:
            worse = ", ".join(among_others[name]) or "none"
            yield name, "self-play", Found(float(SELF_PLAY in over_self_play[name]), open=SUBSTITUTE)
            yield name, "others", Found(float(len(among_others[name])), open=SUBSTITUTE, reason=f"better than {worse}")

    notes = (
        f"Our systems against the population of this package; printed is what Poker Academy gave. {PAIRS} "
        "Samples are matches: means and standard errors are those of table-6.2. All systems meet the same cards and "
        "bots, which Dunnett's C does not use: it takes means as independent.",
    )
    return Experiment(table, find, notes)


def group_of(found: Result) -> Group:
    """The matches of a system, which are independent of each other; its deals are not."""
    matches = round(found.deals / DEALS)
    return Group(found.mean, found.error * sqrt(matches), matches)


def _compare(systems: Mapping[str, Group]) -> tuple[Wins, Wins]:
    """The systems that each one is significantly better than: among all, and among all but self-play."""
    return _wins(systems), _wins({name: group for name, group in systems.items() if name != SELF_PLAY})


def _wins(groups: Mapping[str, Group]) -> Wins:
    names = [*groups]
    found: Wins = {name: [] for name in names}
    for each in dunnett_c([*groups.values()]):
        if each.significant:
            better, worse = (each.first, each.second) if each.difference > 0 else (each.second, each.first)
            found[names[better]].append(names[worse])
    return found
