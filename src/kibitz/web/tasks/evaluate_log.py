"""Estimate the win rates of a log's players, raw and by AIVAT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.files import plain
from kibitz.modelling.estimators.players import evaluate_players
from kibitz.web.logs import open_log
from kibitz.web.tasks import Report

MOST_PLAYERS = 10


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """The players with most hands: {players: [{player, hands, raw, reduced, variance_ratio, reason, ...}]}."""
    listing = open_log(folder, arguments["name"])
    total = len(listing.hands)
    records = (hand.record for hand in listing.hands)
    players = [*listing.players][:MOST_PLAYERS]
    found = evaluate_players(records, players, lambda done: report(done, total, hands=done))
    document = {"players": [each.reduction.to_dict() | {"reason": each.reason} for each in found.values()]}
    return dict(plain(document))
