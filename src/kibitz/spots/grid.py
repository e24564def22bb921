"""A decision as the 13 x 13 grid that players read: pairs on the diagonal, suited hands above it, offsuit below."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.cards import RANKS, format_cards
from kibitz.files import save_figure
from kibitz.spots.report import Decision
from kibitz.spots.spot import SEATS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = 13
_RAISE_LETTERS = "BDEGHIJKLMNOPQRSTUVWXYZ"  # A is all-in, C and F are taken
_FOLD, _CALL, _ALL_IN = "#4878a8", "#5a9e6f", "#b98ac9"
_RAISES = ("#f2b46d", "#e8853d", "#d9573a", "#b93434")  # from small to large


@dataclass(frozen=True)
class Choice:
    """An action as it is shown: one letter, words, a colour, and how often it is taken."""

    letter: str
    words: str
    colour: str
    frequency: float


def choices(decision: Decision) -> list[Choice]:
    """The actions of a decision in their order."""
    raises = [text for text, words in zip(decision.actions, decision.words, strict=True) if _is_raise(text, words)]
    shown = []
    for text, words, frequency in zip(decision.actions, decision.words, decision.frequencies, strict=True):
        if text == "f":
            letter, colour = "F", _FOLD
        elif text == "c":
            letter, colour = "C", _CALL
        elif text not in raises:
            letter, colour = "A", _ALL_IN
        else:
            place = raises.index(text)
            letter = _RAISE_LETTERS[min(place, len(_RAISE_LETTERS) - 1)]
            colour = _RAISES[min(place * len(_RAISES) // len(raises), len(_RAISES) - 1)]
        shown.append(Choice(letter, words, colour, frequency))
    return shown


def _is_raise(text: str, words: str) -> bool:
    return text[0] == "r" and not words.startswith("all-in")


def class_names() -> list[list[str]]:
    """The names of the cells, such as AKs, from aces down."""
    ranks = RANKS[::-1]
    return [
        [
            ranks[row] + ranks[column] + ("s" if row < column else "")
            if row <= column
            else f"{ranks[column]}{ranks[row]}o"
            for column in range(SIZE)
        ]
        for row in range(SIZE)
    ]


def class_cells(cards: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows and columns, int64[n] each, of hands uint8[n, 2] in the grid."""
    ranks, suits = (cards >> 2).astype(np.int64), cards & 3
    low, high = SIZE - 1 - ranks.max(axis=1), SIZE - 1 - ranks.min(axis=1)  # counted from aces down
    suited = suits[:, 0] == suits[:, 1]
    return np.where(suited, low, high), np.where(suited, high, low)


def class_shares(decision: Decision) -> npt.NDArray[np.float64]:
    """How often the hands of each cell take each action: float64[13, 13, actions], nan where there is no hand."""
    hands = decision.hands[decision.player]
    rows, columns = class_cells(hands.cards)
    shares = np.zeros((SIZE, SIZE, len(decision.actions)))
    for action, row in enumerate(decision.strategy):
        np.add.at(shares[:, :, action], (rows, columns), hands.weights * row)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares /= shares.sum(axis=2, keepdims=True)
    return shares


def draw_decision(decision: Decision) -> Figure:
    """The strategy of the player to act."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(8.2, 8.6), layout="constrained")
    axes = figure.subplots()
    shown, shares, names = choices(decision), class_shares(decision), class_names()
    for row in range(SIZE):
        for column in range(SIZE):
            split = shares[row, column]
            present = not np.isnan(split).any()
            if present:
                left = column + np.concatenate(([0.0], np.cumsum(split)[:-1]))
                axes.barh(
                    [row] * len(split),
                    split,
                    left=left,
                    height=1.0,
                    align="edge",
                    color=[each.colour for each in shown],
                )
            colour = "#101010" if present else "#b0b0b0"
            axes.text(column + 0.5, row + 0.5, names[row][column], ha="center", va="center", fontsize=9, color=colour)
    for line in range(SIZE + 1):
        axes.axhline(line, color="white", lw=1.2)
        axes.axvline(line, color="white", lw=1.2)
    axes.set(xlim=(0, SIZE), ylim=(SIZE, 0), xticks=[], yticks=[], aspect="equal", facecolor="#ececec")
    axes.spines[:].set_visible(False)
    cards = " ".join(format_cards((card,)) for card in decision.board)
    after = f"after {decision.history}" if decision.history else "first to act"
    axes.set_title(f"{cards}: {SEATS[decision.player]}, {after}, pot {decision.pot}")
    handles = [Patch(color=each.colour, label=f"{each.words}  {each.frequency:.1%}") for each in shown]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 4), frameon=False)
    return figure


def plot_decision(decision: Decision, path: Path) -> None:
    """Draw the strategy of the player to act into `path`, whose ending says the format."""
    save_figure(path, draw_decision(decision))
