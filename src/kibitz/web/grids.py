"""Decisions as the 13 x 13 grid and its legend, in plain dictionaries that templates draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.spots.grid import SIZE, class_cells, class_names

Floats = npt.NDArray[np.float64]
RAISE_TINTS = 4  # from small to large


def action_kinds(actions: tuple[str, ...], all_in: str = "") -> list[str]:
    """The class of every action, which gives it its colour: fold, call, raise-1 .. raise-4, all-in.

    all_in   the raise of all chips, if there is one
    """
    raises = [text for text in actions if text[0] == "r" and text != all_in]
    kinds = []
    for text in actions:
        if text[0] in "fc":
            kinds.append("fold" if text == "f" else "call")
        elif text == all_in:
            kinds.append("all-in")
        else:
            kinds.append(f"raise-{1 + raises.index(text) * RAISE_TINTS // max(len(raises), 1)}")
    return kinds


def bars(shares: list[float], kinds: list[str]) -> list[dict[str, Any]]:
    """Actions side by side in a box of width 1: where each begins and how wide it is; those never taken left out."""
    drawn, left = [], 0.0
    for share, kind in zip(shares, kinds, strict=True):
        if share > 5e-4:
            drawn.append({"x": round(left, 4), "width": round(share, 4), "kind": kind})
        left += share
    return drawn


def summed_cells(cards: npt.NDArray[np.uint8], numbers: Floats) -> Floats:
    """Sums over the hands of each cell: float64[13, 13] from float64[n]."""
    rows, columns = class_cells(cards)
    found: Floats = np.zeros((SIZE, SIZE))
    np.add.at(found, (rows, columns), numbers)
    return found


def grid(
    cards: npt.NDArray[np.uint8], strategy: Floats, weights: Floats, reach: Floats, legend: list[dict[str, Any]]
) -> list[list[dict[str, Any]]]:
    """The cells, rows from aces down.

    cards    : uint8[n, 2]
    strategy : float64[actions, n]
    weights  : float64[n]   how much each hand counts within its cell
    reach    : float64[n]   its mean over a cell, relative to the largest, is the height of the cell's colours
    legend   the actions, each with its `kind` and `words`
    """
    hands = np.maximum(summed_cells(cards, np.ones(len(cards))), 1.0)
    height = summed_cells(cards, reach) / hands
    tallest = max(float(height.max()), 1e-300)
    total = summed_cells(cards, weights)
    shares = np.stack([summed_cells(cards, weights * row) for row in strategy], axis=2)
    kinds = [each["kind"] for each in legend]
    found = []
    for row, names in enumerate(class_names()):
        line = []
        for column, name in enumerate(names):
            cell: dict[str, Any] = {"name": name, "bars": [], "height": 0.0, "text": f"{name}: not in the range"}
            if total[row, column] > 0:
                split = (shares[row, column] / total[row, column]).tolist()
                told = [f"{each['words']} {part:.0%}" for each, part in zip(legend, split, strict=True) if part > 5e-3]
                cell |= {
                    "bars": bars(split, kinds),
                    "height": round(max(float(height[row, column]) / tallest, 0.08), 4),
                    "text": f"{name}: {', '.join(told)}; reach {float(height[row, column]):.1%}",
                }
            line.append(cell)
        found.append(line)
    return found


def heat_map(cards: npt.NDArray[np.uint8], weights: Floats) -> list[list[dict[str, Any]]]:
    """Beliefs about hands as cells, rows from aces down: {name, heat, text}.

    cards   : uint8[n, 2]
    weights : float64[n], which sum to 1
    heat    : how likely one hand of the cell is, relative to the likeliest, from 0 to 1
    """
    total = summed_cells(cards, weights)
    each = total / np.maximum(summed_cells(cards, np.ones(len(cards))), 1.0)
    heat = each / max(float(each.max()), 1e-300)
    return [
        [
            {"name": name, "heat": round(float(heat[row, column]), 3), "text": f"{name}: {total[row, column]:.2%}"}
            for column, name in enumerate(names)
        ]
        for row, names in enumerate(class_names())
    ]


def curve_points(curve: list[tuple[float, float]]) -> dict[str, Any] | None:
    """A convergence curve for a small picture, both axes logarithmic: points in a box of 300 x 120, and its ends.

    curve   (iteration, exploitability), of which those that are not positive numbers are left out
    """
    kept = [(x, y) for x, y in curve if x > 0 and y > 0 and np.isfinite(y)]
    if len(kept) < 2:
        return None
    logs = np.log10(np.array(kept))
    low, high = logs.min(axis=0), logs.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    places = (logs - low) / span
    points = [(round(4 + 292 * float(x), 1), round(116 - 112 * float(y), 1)) for x, y in places]
    return {"points": points, "first": kept[0], "last": kept[-1], "count": len(kept)}
