"""The win rates of all players of a log, raw and with the luck of the cards taken out, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.io.record import HandRecord
from kibitz.modelling.estimators.check_down import CheckDown
from kibitz.modelling.estimators.evaluation import Evaluation
from kibitz.modelling.estimators.matchups import Coolers
from kibitz.modelling.estimators.report import Reduction
from kibitz.progress import Count

PROGRESS_EVERY = 100


class Evaluated(NamedTuple):
    """A player's win rate; `reason` says why there is only the raw one, as where cards are hidden."""

    reduction: Reduction
    reason: str = ""


def evaluate_players(
    records: Iterable[HandRecord], players: Sequence[str], progress: Count | None = None
) -> dict[str, Evaluated]:
    """Every player by AIVAT with the check-down value, as `kibitz hands luck` does by default; raw where it cannot be.

    Players without a hand that counts are left out.
    """
    value = CheckDown(coolers=Coolers())  # one for all, which remembers equities
    raw = {name: Evaluation(name, method="raw") for name in players}
    reduced = {name: Evaluation(name, value) for name in players}
    reasons: dict[str, str] = {}
    for number, record in enumerate(records, 1):
        for name in players:
            raw[name].add(record)
            if name not in reasons and name in record.players:
                try:
                    reduced[name].add(record)
                except KibitzError as error:
                    reasons[name] = str(error)
        if progress is not None and number % PROGRESS_EVERY == 0:
            progress(number)
    found = {}
    for name in players:
        result = (raw if name in reasons else reduced)[name].result()
        if result.hands:
            found[name] = Evaluated(result, reasons.get(name, ""))
    return found
