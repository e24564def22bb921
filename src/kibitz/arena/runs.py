"""A series as it is run: with a ledger in a folder, from which it can go on, and the executor that suits it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.arena.batch import is_array
from kibitz.arena.ledger import Ledger
from kibitz.arena.match import make_agent
from kibitz.arena.series import Outcomes, Series, play_series
from kibitz.parallel import Executor, InProcess, Processes, load_executor

LEDGER, RESULTS = "ledger.jsonl", "results.json"  # in the folder of a series


def play_on(series: Series, executor: Executor, folder: Path | None = None, resume: bool = False) -> Iterator[Outcomes]:
    """Play what has not been played, and tell all outcomes so far: at the start, and after every match.

    folder   where the ledger and the weights of adapting agents lie; None keeps none
    resume   whether to continue a ledger that is there; without, it is an error
    """
    ledger = Ledger(folder / LEDGER, series, resume) if folder is not None else None
    outcomes: Outcomes = ledger.outcomes if ledger is not None else {}
    yield outcomes
    for key, moments in play_series(series, executor, outcomes, folder):
        if ledger is not None:
            ledger.add(key, moments)
        else:
            outcomes[key] = moments
        yield outcomes


def choose_executor(series: Series, name: str = "auto") -> Executor:
    """The executor `name`; with `auto` this process for batches, which use all cores by themselves, else processes."""
    if name != "auto":
        return load_executor(name)
    batched = all(not series.hosting.isolates(spec) and is_array(make_agent(spec)) for spec in series.agents)
    return InProcess() if batched or len(series.keys) == 1 else Processes()
