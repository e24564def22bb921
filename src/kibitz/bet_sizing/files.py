"""Learnt sizes as artefacts: the sizes of every run as a document of their own, by seat."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from kibitz.bet_sizing.abstraction import BetAbstraction, bets_document, read_bets
from kibitz.errors import KibitzError
from kibitz.files import read_json
from kibitz.plans import Artefact, open_artefact

KIND = "bets"


def bets_artefact(
    learnt: Mapping[int, Sequence[BetAbstraction]], unpruned: Mapping[int, BetAbstraction], parts: Iterable[str] = ()
) -> Artefact:
    """What is kept of what seats have learnt, run by run, and before the first pruning.

    Its content are the sizes of the last runs, by seat.
    """
    files = {f"seat-{seat}-run-{run:02d}.json": each for seat in learnt for run, each in enumerate(learnt[seat], 1)}
    about = {"seats": list(learnt), "runs": [len(each) for each in learnt.values()]}
    made = {f"important bets of seat {seat}": _in_words(each[-1]) for seat, each in learnt.items()}
    files |= {f"seat-{seat}-unpruned.json": each for seat, each in unpruned.items()}
    writers = {name: partial(_write, each) for name, each in files.items()}
    content = {seat: each[-1] for seat, each in learnt.items()}
    return Artefact(KIND, about, made, files=writers, parts=tuple(parts), content=content)


def _in_words(found: BetAbstraction) -> str:
    return ", ".join(f"{row['bet']} {row['size']:.3f}" for row in found.table(3))


def _write(found: BetAbstraction, path: Path) -> None:
    """A bet a line."""
    document = bets_document(found)
    lines = ",\n".join("    " + json.dumps(row) for row in document.pop("bets"))
    path.write_text(json.dumps(document, indent=2)[:-2] + f',\n  "bets": [\n{lines}\n  ]\n}}\n')


def load_bets(folder: Path, seat: int | None = None, run: int | None = None) -> BetAbstraction:
    """The sizes that a seat has learnt in a run: the last one, unless another is asked for.

    seat   need not be given where only one has learnt
    """
    about = open_artefact(folder, KIND).about
    runs = dict(zip(about["seats"], about["runs"], strict=True))
    if seat is None and len(runs) > 1:
        raise KibitzError(f"{folder} has sizes of the seats {', '.join(map(str, runs))}: say of which")
    seat = next(iter(runs)) if seat is None else seat
    if seat not in runs or (run is not None and not 1 <= run <= runs[seat]):
        of = f" of seat {seat}" if seat in runs else ""
        raise KibitzError(f"{folder} has no run {run}{of}: it has {runs[seat]}" if of else f"{folder}: no seat {seat}")
    path = folder / f"seat-{seat}-run-{run or runs[seat]:02d}.json"
    return read_bets(read_json(path), str(path))
