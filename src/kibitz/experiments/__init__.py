"""Published tables, computed again: one package or module per paper, in one dictionary.

A paper's module has TITLE (text) and EXPERIMENTS (dict from a table's name to its `Experiment`). It is imported when it
is asked for, so that listing the papers waits for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Protocol, cast

from kibitz.errors import KibitzError
from kibitz.experiments.published import Experiment

# Paper -> (module, what it is).
PAPERS: dict[str, tuple[str, str]] = {
    "ganzfried2013": (
        "kibitz.experiments.ganzfried2013",
        "Ganzfried and Sandholm 2013: action translation in games with large action spaces",
    ),
    "hawkin2014": ("kibitz.experiments.hawkin2014", "Hawkin 2014: bet sizes by BETS and its family"),
    "rubin2011": (
        "kibitz.experiments.rubin2011",
        "Rubin and Watson 2011: SartreNL, imitating an expert case by case",
    ),
    "bard2016": (
        "kibitz.experiments.bard2016",
        "Bard 2016: robust responses, asymmetric abstractions, clustering, implicit modelling, competitions",
    ),
    "sweeney2012": (
        "kibitz.experiments.sweeney2012",
        "Sweeney 2012: connectionist agents that learn by playing themselves",
    ),
}


class Paper(Protocol):
    """What a paper's module offers; one with settings of its own has OPTIONS too, by name what each is."""

    TITLE: str
    EXPERIMENTS: dict[str, Experiment]


def load_paper(name: str) -> Paper:
    """The module of a paper."""
    if name not in PAPERS:
        raise KibitzError(f"no paper {name!r}: there {'are' if len(PAPERS) > 1 else 'is'} {', '.join(PAPERS)}")
    return cast(Paper, import_module(PAPERS[name][0]))


def read_options(paper: str, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What is chosen of a paper's OPTIONS: (name, value) of each NAME=VALUE."""
    options: dict[str, str] = getattr(load_paper(paper), "OPTIONS", {})
    found = tuple((name, value) for name, _, value in (text.partition("=") for text in texts))
    for name, value in found:
        if name not in options or not value:
            known = "; ".join(f"{each}=VALUE, {told}" for each, told in options.items()) or "it has none"
            raise KibitzError(f"no option {name!r} of {paper}: {known}", settings=("with",))
    return found


def find_experiments(paper: str, tables: tuple[str, ...] = ()) -> dict[str, Experiment]:
    """The experiments of a paper by name, all of them where no tables are named."""
    experiments = load_paper(paper).EXPERIMENTS
    for table in tables:
        if table not in experiments:
            raise KibitzError(f"no table {table!r} of {paper}: there are {', '.join(experiments)}")
    return {table: experiments[table] for table in tables or experiments}
