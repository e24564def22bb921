"""Spots for the page: a form read and sized, solved spots listed, and their decisions as plain dictionaries."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from kibitz.amounts import available_bytes, format_bytes
from kibitz.cards import format_cards, parse_cards
from kibitz.equity import Range
from kibitz.errors import KibitzError
from kibitz.plans import MANIFEST, read_manifest, settings_of
from kibitz.spots import Progress, Spot, SpotCFR
from kibitz.spots.files import KIND, load_spot
from kibitz.spots.grid import class_cells, class_names
from kibitz.spots.plan import SpotPlan
from kibitz.spots.report import Decision, inspect
from kibitz.spots.spot import SEATS, spot_bytes, spot_size
from kibitz.tree import DECISION, action_words
from kibitz.web.folder import existing, inside, is_there, listed
from kibitz.web.grids import action_kinds, bars, curve_points, grid
from kibitz.web.refusals import MissingError

HOME = "spots"  # the folder of solved spots, inside the one that is served
STREETS, PLAYERS = ("flop", "turn", "river"), ("oop", "ip")
OPEN_AT_ONCE, DECISIONS_KEPT = 3, 200
_LOCK = Lock()  # a solver has one scratch memory


def read_setup(sent: dict[str, Any]) -> SpotPlan:
    """The plan that a form describes: its fields are texts; KibitzError says which of them cannot be."""
    cards = len(parse_cards(_text(sent, "board")))
    told = {each.name: _text(sent, each.name) for each in settings_of(SpotPlan)}
    told["stack"] = ",".join(filter(None, (_text(sent, f"{player}_stack") for player in PLAYERS)))
    for player, seat in zip(PLAYERS, SEATS, strict=True):
        if not told[player]:
            raise KibitzError(f"the range {seat} is empty: choose hands, or type them as TT+, AKs")
        # The sizes of the streets that are still to be played, the board's own first.
        told[f"{player}_sizes"] = "|".join(_text(sent, f"{player}_{street}") for street in STREETS[max(cards, 3) - 3 :])
    told["rake"] = f"{told['rake'].removesuffix('%') or 0}%"
    given = {each.name: each.read(told[each.name]) for each in settings_of(SpotPlan) if told[each.name]}
    plan = SpotPlan(**(given | {f"{player}_sizes": told[f"{player}_sizes"] for player in PLAYERS}))
    if not plan.accuracy and plan.iterations is None:
        raise KibitzError("an accuracy of 0 is never reached: give iterations too")
    _ = plan.spot  # what cannot be dealt is refused now
    return plan


def _text(sent: dict[str, Any], name: str) -> str:
    text = sent.get(name, "")
    if not isinstance(text, str) or len(text) > 50_000:
        raise KibitzError(f"{name} is not a text of at most 50,000 characters")
    return text.strip()


def size_view(spot: Spot) -> dict[str, Any]:
    """How large a spot is, and whether it fits, before anything is built."""
    size, need, free = spot_size(spot), spot_bytes(spot), available_bytes()
    return {
        "nodes": size.nodes,
        "boards": len(spot.deal.boards[-1]),
        "pairs": size.pairs,
        "hands": [len(each.hands) for each in spot.ranges],
        "memory": format_bytes(need),
        "free": format_bytes(free),
        "fits": need <= free,
    }


def range_view(text: str, edits: list[tuple[str, float]]) -> dict[str, Any]:
    """A range as text and as cells, after some cells were given other weights, the later ones over the earlier."""
    pieces = [text.strip(), *(f"{name}:{weight:g}" for name, weight in edits)]
    pieces = [piece for piece in pieces if piece]
    try:
        found: Range | None = Range.parse(",".join(pieces))
    except KibitzError:
        if not edits or any(weight > 0 for _, weight in edits):
            raise
        found = None  # the last hand was taken away
    if found is None:
        return {"text": "", "cells": {}, "combinations": 0}
    cards = np.array(found.hands, dtype=np.uint8)
    rows, columns = class_cells(cards)
    names, totals = class_names(), dict[str, float]()
    for row, column, weight in zip(rows.tolist(), columns.tolist(), found.weights, strict=True):
        totals[names[row][column]] = totals.get(names[row][column], 0.0) + weight
    cells = {name: round(total / _members(name), 4) for name, total in totals.items()}
    return {"text": str(found), "cells": cells, "combinations": round(sum(found.weights), 2)}


def _members(name: str) -> int:
    return 6 if len(name) == 2 else 4 if name[2] == "s" else 12


def list_spots(folder: Path) -> list[dict[str, Any]]:
    """The solved spots of a folder, the newest first."""
    found = []
    for path in listed(folder, f"{HOME}/*/{MANIFEST}"):
        try:
            place = existing(folder, path)
            manifest = read_manifest(place.parent, KIND)
            made, spot = manifest["made"], manifest["about"]["spot"]
            found.append(
                {
                    "name": place.parent.name,
                    "board": [str(spot["board"])[i : i + 2] for i in range(0, len(spot["board"]), 2)],
                    "pot": int(spot["pot"]),
                    "stack": int(min(spot["stacks"])),
                    "percent": 100 * float(made["exploitability"]) / float(spot["pot"]),
                    "iterations": int(made["iterations"]),
                    "when": place.stat().st_mtime,
                }
            )
        except (OSError, ValueError, LookupError, TypeError, ZeroDivisionError, KibitzError):
            continue
    return sorted(found, key=lambda each: -float(each["when"]))


def open_spot(folder: Path, name: str) -> tuple[SpotCFR, tuple[Progress, ...]]:
    """A solved spot by name; kept open until others have been."""
    place = inside(folder, f"{HOME}/{name}")
    if not is_there(place / MANIFEST):
        raise MissingError(f"there is no solved spot {name!r}")
    return _opened(place, (place / MANIFEST).stat().st_mtime_ns)


@lru_cache(maxsize=OPEN_AT_ONCE)
def _opened(place: Path, _changed: int) -> tuple[SpotCFR, tuple[Progress, ...]]:
    return load_spot(place)


def look(solver: SpotCFR, history: str, dealt: str) -> Decision:
    """A decision of a solved spot, one thread at a time; looked at again it costs nothing."""
    with _LOCK:
        return _looked(solver, history, dealt)


@lru_cache(maxsize=DECISIONS_KEPT)
def _looked(solver: SpotCFR, history: str, dealt: str) -> Decision:
    return inspect(solver, history, dealt)


def spot_summary(solver: SpotCFR, curve: tuple[Progress, ...]) -> dict[str, Any]:
    """What is known of a solution as a whole."""
    spot, last = solver.compiled.spot, curve[-1]
    points = [(float(each.iteration), each.measure.exploitability) for each in curve]
    return {
        "board": [format_cards((card,)) for card in spot.board],
        "pot": spot.pot,
        "stacks": spot.stacks,
        "menus": [str(menu) for menu in spot.tree.menus],
        "iterations": last.iteration,
        "seconds": last.seconds,
        "exploitability": last.measure.exploitability,
        "percent": 100 * last.measure.exploitability / spot.pot,
        "values": last.measure.values,
        "seats": SEATS,
        "curve": curve_points(points),
    }


def decision_view(solver: SpotCFR, history: str, dealt: str, cell: str = "") -> dict[str, Any]:
    """What the solution does after the betting `history` and the cards `dealt`; the cards to choose from, where the
    next one is not chosen yet; or the end of the hand.

    cell   a class such as AKs whose hands are listed one by one
    """
    compiled = solver.compiled
    tree, node, cards = compiled.tree, compiled.tree.find(history), parse_cards(dealt)
    view: dict[str, Any] = {
        "history": tree.history(node), "dealt": dealt, "path": _path(solver, node, dealt), "over": "", "next": [],
        "board": [format_cards((card,)) for card in compiled.spot.board + cards], "pot": 0,
    }  # fmt: skip
    view["pot"] = compiled.spot.pot + int(tree.spent[node].sum())
    if tree.kind[node] != DECISION:
        return view | {
            "over": "showdown" if tree.player[node] < 0 else f"{SEATS[int(tree.player[node])]} takes the pot"
        }
    if len(cards) < int(tree.round[node]):
        return view | {"next": _next_cards(solver, cards)}
    return view | _decided(solver, node, look(solver, history, dealt), cell)


def _path(solver: SpotCFR, node: int, dealt: str) -> list[dict[str, Any]]:
    """The actions that led to a node; each with the history and the cards up to it, to go back to."""
    tree, steps = solver.compiled.tree, []
    while node > 0:
        parent = int(tree.parent[node])
        seat = SEATS[int(tree.player[parent])]
        back = {"to": tree.history(node), "dealt": dealt[: 2 * int(tree.round[node])]}
        steps.append(back | {"seat": seat, "words": action_words(tree, parent, tree.actions[node])})
        node = parent
    return steps[::-1]


def _next_cards(solver: SpotCFR, cards: tuple[int, ...]) -> list[dict[str, Any]]:
    """The cards that may come next, aces first; of those that differ by suits only one can be looked at."""
    deal = solver.compiled.deal
    above = deal.boards[len(cards)][deal.find(cards) if cards else 0]
    shown = {deal.boards[len(cards) + 1][number].cards[-1] for number in range(*above.children)}
    return [
        {"card": format_cards((card,)), "there": card in shown, "dead": card in solver.compiled.spot.board + cards}
        for card in (4 * rank + suit for rank in range(12, -1, -1) for suit in (3, 2, 1, 0))
    ]


def _decided(solver: SpotCFR, node: int, decision: Decision, cell: str) -> dict[str, Any]:
    tree, spot = solver.compiled.tree, solver.compiled.spot
    kinds = action_kinds(decision.actions, f"r{min(spot.stacks)}")
    legend: list[dict[str, Any]] = [
        {"text": text, "words": words, "kind": kind, "frequency": share, "to": tree.history(tree.child(node, text))}
        for text, words, kind, share in zip(
            decision.actions, decision.words, kinds, decision.frequencies, strict=True
        )
    ]  # fmt: skip
    hands = decision.hands[decision.player]
    cells = grid(hands.cards, decision.strategy, hands.weights, np.minimum(hands.reach, 1.0), legend)
    seats = [
        {"name": SEATS[p], "ev": _given(each.mean(each.values)), "equity": _given(each.mean(each.equities))}
        for p, each in enumerate(decision.hands)
    ]
    found = {
        "player": decision.player, "seat": SEATS[decision.player], "to_call": decision.to_call, "legend": legend,
        "grid": cells, "seats": seats, "cell": "", "hands": [],
    }  # fmt: skip
    if cell in {name for line in class_names() for name in line}:
        found |= {"cell": cell, "hands": _combinations(decision, kinds, cell)}
    return found


def _combinations(decision: Decision, kinds: list[str], cell: str) -> list[dict[str, Any]]:
    """The hands of a cell one by one."""
    hands, names = decision.hands[decision.player], class_names()
    rows, columns = class_cells(hands.cards)
    labels, found = hands.labels, []
    for i in range(len(labels)):
        if names[rows[i]][columns[i]] == cell:
            shares = decision.strategy[:, i].tolist()
            numbers = {
                "reach": float(hands.reach[i]),
                "ev": _given(hands.values[i]),
                "equity": _given(hands.equities[i]),
            }
            found.append({"label": labels[i], "shares": shares, "bars": bars(shares, kinds), **numbers})
    return found


def _given(number: float) -> float | None:
    """A number; None for what is none."""
    return None if math.isnan(number) else float(number)
