"""A solution and one of its decisions as a document for JSON: every hand with its weight, EV, equity and strategy."""

from __future__ import annotations

from typing import Any

from kibitz.cards import format_cards
from kibitz.spots.report import Decision
from kibitz.spots.solver import Progress, SpotCFR


def document(solver: SpotCFR, last: Progress, decision: Decision) -> dict[str, Any]:
    """The solution, as far as `last` says, and what it does at `decision`; not-a-number where nothing is met."""
    spot = solver.compiled.spot
    seats: list[dict[str, Any]] = []
    for hands in decision.hands:
        columns = (hands.labels, hands.weights.tolist(), hands.values.tolist(), hands.equities.tolist())
        seats.append(
            {
                "ev": hands.mean(hands.values),
                "equity": hands.mean(hands.equities),
                "hands": [
                    {"hand": hand, "weight": weight, "ev": value, "equity": equity}
                    for hand, weight, value, equity in zip(*columns, strict=True)
                ],
            }
        )
    for row, chances in zip(seats[decision.player]["hands"], decision.strategy.T.tolist(), strict=True):
        row["strategy"] = chances
    return {
        "board": format_cards(spot.board),
        "pot": spot.pot,
        "stacks": spot.stacks,
        "menus": [str(menu) for menu in spot.tree.menus],
        **solver.parameters(),
        "iterations": last.iteration,
        "seconds": last.seconds,
        "exploitability": last.measure.exploitability,
        "exploitability_percent": 100 * last.measure.exploitability / spot.pot,
        "gains": last.measure.gains,
        "values": last.measure.values,
        "decision": {
            "history": decision.history,
            "board": format_cards(decision.board),
            "player": decision.player,
            "pot": decision.pot,
            "actions": decision.actions,
            "frequencies": decision.frequencies,
            "oop": seats[0],
            "ip": seats[1],
        },
    }
