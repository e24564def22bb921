"""Table 4.2 in limit hold'em, and what the thesis says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.devices import Device
from kibitz.experiments.bard2016.holdem_games import Games, Pairing, Setting
from kibitz.experiments.bard2016.holdem_measures import HoldemMeasures
from kibitz.experiments.bard2016.ledger import open_ledger
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.statements import (
    Claim,
    Claims,
    Interval,
    cells_of_statements,
    explain,
    table_of_statements,
)
from kibitz.experiments.published import OVERLAP, Effort, Experiment, Found

NAME, STATED = "table-4.2", "table-4.2-statements"
TITLE = "limit hold'em"
NOTHING = Interval(0.0, 0.0, 0.0)
OTHER = "buckets and equilibria of our own: an abstract game has many, which lose differently to a real best response"
SMOKE = Setting((5,), 2, 50, 2, 20, 0)
FULL = Setting((5, 8), 1_000, 100_000, 5, 10_000, 36)


def measures(effort: Effort) -> HoldemMeasures:
    """The figures of an effort: smoke computes tiny games, short shows what comes with the package, full computes."""
    setting = SMOKE if effort.preset == "smoke" else FULL
    ledger = open_ledger(NAME, setting.describe(), effort, is_open=effort.preset != "short")
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
        printed = TABLES[NAME]
        for row in (each for each in setting.pairings if str(each) in printed.rows):
            for column in (each for each in setting.pairings if str(each) in printed.columns):
                yield str(row), str(column), _cell(found.value(row, column))
            if setting.flops:
                yield str(row), "exploitability", _cell(found.exploitability(row))

    notes = (
        f"Solved by {setting.iterations:,} iterations of discounted CFR on {setting.boards:,} boards. "
        f"Machine: {made['machine']}.",
        f"Values: all hands and all betting on {setting.batches} x {setting.batch:,} other boards, 95 % intervals by "
        "batches. The means of the thesis are over nine opponents, of which these are four.",
        f"Exploitability: exact best responses on {setting.flops} flops drawn at random; the value is a lower bound on "
        "average, the upper end of the interval reaches to the biased estimate on all flops.",
        "Only games with 5 and 8 buckets are solved: 12 buckets need a GPU, and U-FULL many days.",
    )
    return Experiment(TABLES[NAME], find, notes, values=lambda: {"made": made})


def _cell(found: Interval) -> Found:
    return Found(*found, open=OVERLAP, reason=OTHER)


def claims(found: HoldemMeasures) -> Claims:
    """What the thesis says of these four strategies."""
    small, large = found.setting.buckets
    coarse, mixed, fine, wide = (
        Pairing(*each) for each in ((small, small), (small, large), (large, large), (large, small))
    )

    def safer(one: Pairing, two: Pairing, than: Interval = NOTHING) -> Claim | None:
        by = found.safer_by(one, two)
        return Claim(by, than) if by is not None else None

    def cost(before: Pairing) -> Interval:
        return Claim(found.mean(before), found.mean(mixed)).difference

    return {
        "5-8 is safer than 8-8": lambda: safer(mixed, fine),
        "8-8 is safer than 8-5": lambda: safer(fine, wide),
        "5-8 is safer than 5-5": lambda: safer(mixed, coarse),
        "8-8 is safer than 5-5": lambda: safer(fine, coarse),
        "5-8 loses to 5-5": lambda: Claim(found.value(coarse, mixed), NOTHING),
        "8-8 beats 8-5": lambda: Claim(found.value(fine, wide), NOTHING),
        "5-8 saves more than it costs, from 5-5": lambda: safer(mixed, coarse, cost(coarse)),
        "5-8 saves more than it costs, from 8-8": lambda: safer(mixed, fine, cost(fine)),
    }


def statements_at(effort: Effort) -> Experiment:
    """What the thesis says, and ours."""
    found = measures(effort)

    def find() -> Iterator[tuple[str, str, Found]]:
        if found.setting.flops:
            yield from cells_of_statements(TITLE, claims(found))

    published = table_of_statements(STATED, "Bard 2016, table 4.2: statements, limit hold'em, mbb/hand", [TITLE])
    return Experiment(published, find, explain(STATED))
