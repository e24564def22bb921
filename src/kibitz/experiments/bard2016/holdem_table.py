"""Table 4.2 in limit hold'em, and what the thesis says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from kibitz.experiments.bard2016.holdem_games import Games, Pairing, Setting, best_device
from kibitz.experiments.bard2016.holdem_measures import HoldemMeasures
from kibitz.experiments.bard2016.printed import STATEMENTS, TABLES
from kibitz.experiments.claims import Claim, Claims, Interval, explain, judge, statements, weakest
from kibitz.experiments.ledger import open_ledger, work_folder
from kibitz.experiments.published import OVERLAP, Cells, Effort, Experiment, Found

NAME, STATED = "table-4.2", "table-4.2-statements"
TITLE = "limit hold'em"
NOTHING = Interval.exactly(0.0)
OTHER = "buckets and equilibria of our own: an abstract game has many, which lose differently to a real best response"
OPPONENTS = ("12-5", "12-8", "12-12", "8-5", "8-8", "8-12", "5-5", "5-8", "5-12")  # of the means in print
SAFER = (
    ("5-8", "8-8"),
    ("8-8", "8-5"),
    ("5-8", "5-5"),
    ("8-8", "5-5"),
    ("12-12", "8-8"),
    ("8-12", "8-8"),
    ("5-12", "12-12"),
    ("8-12", "12-12"),
    ("5-8", "12-12"),
)
SMOKE = Setting((5,), 2, 50, 2, 20, 0)
FULL = Setting((5, 8, 12), 1_000, 100_000, 5, 10_000, 36)


def measures(effort: Effort) -> HoldemMeasures:
    """The figures of an effort: smoke computes tiny games, short shows what comes with the package, full computes."""
    setting = SMOKE if effort.preset == "smoke" else FULL
    ledger = open_ledger("bard2016", NAME, setting.describe(), effort, is_open=effort.preset != "short")
    if not ledger.is_open:
        return HoldemMeasures(setting, ledger)
    device = best_device(effort.threads)
    if not ledger.found:
        ledger.made["machine"] = device.name
    folder = work_folder(effort, effort.preset, "games")
    return HoldemMeasures(setting, ledger, Games(setting, folder, device, effort.tell))


def table_at(effort: Effort) -> Experiment:
    """The values of strategies against each other, their means and their exploitability."""
    found = measures(effort)
    setting, made = found.setting, found.ledger.made

    def values() -> Iterator[tuple[str, str, Interval]]:
        known = [each for each in setting.pairings if found.knows(each)]
        for row in known:
            yield from ((str(row), str(column), found.value(row, column)) for column in known)
            if len(known) == len(OPPONENTS):
                yield str(row), "mean", found.mean(row)
            if setting.flops and found.knows_response(row):
                yield str(row), "exploitability", found.exploitability(row)

    def find() -> Cells:
        return ((row, column, Found(*each, open=OVERLAP, reason=OTHER)) for row, column, each in values())

    notes = (
        f"Solved by {setting.iterations:,} iterations of discounted CFR on {setting.boards:,} boards. "
        f"Machine: {made['machine']}.",
        f"Values: all hands and all betting on {setting.batches} x {setting.batch:,} other boards, 95 % intervals by "
        "batches; the intervals of means are those of their nine values added.",
        f"Exploitability: exact best responses on {setting.flops} flops drawn at random; the value is a lower bound on "
        "average, the upper end of the interval reaches to the biased estimate on all flops.",
        "Games with 12 buckets are computed on a GPU only; U-FULL would take many days.",
    )
    return Experiment(TABLES[NAME], find, notes, values=lambda: {"made": made})


def claims(found: HoldemMeasures) -> Claims:
    """What the thesis says of these nine strategies; nothing of those that were not solved."""

    def about(*names: str, make: Callable[..., Claim | None]) -> Callable[[], Claim | None]:
        pairings = [Pairing.parse(name) for name in names]
        return lambda: make(*pairings) if all(map(found.knows, pairings)) else None

    def safer(one: Pairing, two: Pairing, than: Interval = NOTHING) -> Claim | None:
        by = found.safer_by(one, two)
        return Claim(by, than) if by is not None else None

    def saves_more(one: Pairing, two: Pairing) -> Claim | None:
        return safer(one, two, Claim(found.mean(two), found.mean(one)).difference)

    def riskiest_first(*ordered: Pairing) -> Claim | None:
        each = [safer(other, ordered[0]) for other in ordered[1:]]
        return weakest(claim for claim in each if claim is not None)

    def wins(one: Pairing, two: Pairing) -> Claim:
        return Claim(found.value(one, two), NOTHING)

    def ordered(*rising: Pairing) -> Claim:
        return weakest(Claim(found.mean(two), found.mean(one)) for one, two in pairwise(rising))

    def safer_names(one: str, two: str) -> tuple[str, Callable[[], Claim | None]]:
        return f"{one} is safer than {two}", about(one, two, make=safer)

    return {
        **dict(safer_names(*each) for each in SAFER),
        "12-5 is the most exploitable of the nine": about("12-5", *OPPONENTS[1:], make=riskiest_first),
        "mean value rises from 5-5 to 8-8 to 12-12": about("5-5", "8-8", "12-12", make=ordered),
        "5-8 loses to 5-5": about("5-5", "5-8", make=wins),
        "8-8 beats 8-5": about("8-8", "8-5", make=wins),
        "5-8 saves more than it costs, from 5-5": about("5-8", "5-5", make=saves_more),
        "5-8 saves more than it costs, from 8-8": about("5-8", "8-8", make=saves_more),
        "8-12 saves more than it costs, from 8-8": about("8-12", "8-8", make=saves_more),
    }


def statements_at(effort: Effort) -> Experiment:
    """What the thesis says, and ours."""
    found, told = measures(effort), STATEMENTS[STATED]

    def find() -> Cells:
        return judge(TITLE, claims(found) if found.setting.flops else {})

    published = statements("Bard 2016, table 4.2: statements, limit hold'em, mbb/hand", told, [TITLE])
    return Experiment(published, find, explain(told))
