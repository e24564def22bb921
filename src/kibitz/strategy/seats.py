"""A strategy for each seat as an artefact: bet sizes learnt for one seat need one of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kibitz.plans import Artefact, read_manifest
from kibitz.plans.artefacts import write_artefact
from kibitz.strategy.core import Strategy
from kibitz.strategy.files import load_strategy, save_strategy

KIND = "seats"


def part_of(seat: int) -> str:
    """The folder of a seat's strategy; seat 0 is the first player after the button."""
    return f"seat-{seat}"


def save_seats(strategies: Sequence[Strategy], folder: Path) -> None:
    """Write one strategy for each seat to `folder`."""
    for seat, strategy in enumerate(strategies):
        save_strategy(strategy, folder / part_of(seat))
    join_seats(folder, len(strategies))


def join_seats(folder: Path, players: int) -> None:
    """Say of `folder` that the strategies in it are one for each seat."""
    write_artefact(Artefact(KIND, parts=[part_of(seat) for seat in range(players)]), folder)


def seat_folders(folder: Path) -> list[Path]:
    """The folders of the strategies in `folder`, by seat."""
    return [folder / part for part in read_manifest(folder, KIND)["parts"]]


def load_seats(folder: Path) -> list[Strategy]:
    """The strategies in `folder`, by seat."""
    return [load_strategy(each) for each in seat_folders(folder)]
