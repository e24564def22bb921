"""Table 4.2 in limit hold'em, and what the thesis says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.devices import Device
from kibitz.experiments.bard2016.holdem_games import Games, Pairing, Setting
from kibitz.experiments.bard2016.holdem_measures import HoldemMeasures
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.statements import Claims, cells_of_statements, explain, table_of_statements
from kibitz.experiments.claims import Claim, Interval, weakest
from kibitz.experiments.ledger import open_ledger
from kibitz.experiments.published import OVERLAP, Effort, Experiment, Found

NAME, STATED = "table-4.2", "table-4.2-statements"
TITLE = "limit hold'em"
NOTHING = Interval(0.0, 0.0, 0.0)
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
    scratch = None
    if effort.folder is None:
        scratch = TemporaryDirectory(prefix="kibitz-")
        folder = Path(scratch.name)
    else:
        folder = effort.folder / effort.preset / "games"
    device = best_device(effort.threads)
    if not ledger.found:
        ledger.made["machine"] = device.name
    return HoldemMeasures(setting, ledger, Games(setting, folder, device, effort.tell, scratch))


def best_device(threads: int) -> Device:
    """A GPU where there is one."""
    from kibitz.solvers.gpu import check_gpu

    try:
        check_gpu()
    except KibitzError:
        return Device("cpu", threads)
    return Device("gpu", threads)


def table_at(effort: Effort) -> Experiment:
    """The values of strategies against each other, their means and their exploitability."""
    found = measures(effort)
    setting, made = found.setting, found.ledger.made

    def find() -> Iterator[tuple[str, str, Found]]:
        known = [each for each in setting.pairings if found.knows(each)]
        for row in known:
            for column in known:
                yield str(row), str(column), _cell(found.value(row, column))
            if len(known) == len(OPPONENTS):
                yield str(row), "mean", _cell(found.mean(row))
            if setting.flops and found.knows_response(row):
                yield str(row), "exploitability", _cell(found.exploitability(row))

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


def _cell(found: Interval) -> Found:
    return Found(*found, open=OVERLAP, reason=OTHER)


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
    found = measures(effort)

    def find() -> Iterator[tuple[str, str, Found]]:
        if found.setting.flops:
            yield from cells_of_statements(TITLE, claims(found))

    published = table_of_statements(STATED, "Bard 2016, table 4.2: statements, limit hold'em, mbb/hand", [TITLE])
    return Experiment(published, find, explain(STATED))
