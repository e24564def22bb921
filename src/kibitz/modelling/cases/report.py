"""What is in a case base, in a few numbers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import polars as pl

from kibitz.modelling.cases.alphabet import NEXT_ROUND
from kibitz.modelling.cases.base import CaseBase, case_starts
from kibitz.modelling.cases.references import HANDS

COMMON = 10  # betting sequences listed


def summarise(base: CaseBase) -> dict[str, Any]:
    """Numbers of cases and decisions, settings, provenance, rounds and the most frequent betting, as plain values."""
    return {
        "cases": base.cases,
        "decisions": base.decisions,
        "description": asdict(base.description),
        "made": base.provenance,
        "rounds": _rounds(base),
        "references": int(base.rows[HANDS].list.len().sum()) if base.has_hands else None,
        "sequences": _common(base),
    }


def _rounds(base: CaseBase) -> list[dict[str, Any]]:
    """Cases, decisions and the share of each action, round by round."""
    first = pl.Series(case_starts(base.rows))
    rows = base.rows.with_columns(round=pl.col("sequence").str.count_matches(NEXT_ROUND), first=first)
    found = []
    for number in sorted(rows["round"].unique().to_list()):
        part = rows.filter(pl.col("round") == number)
        total = int(part["count"].sum())
        taken = part.group_by("action").agg(pl.col("count").sum()).sort("action").iter_rows()
        actions = {base.description.alphabet[action]: count / total for action, count in taken}
        found.append({"round": number, "cases": int(part["first"].sum()), "decisions": total, "actions": actions})
    return found


def _common(base: CaseBase) -> list[dict[str, Any]]:
    """The betting sequences that came most often, with the first hand of their first case."""
    rows = base.rows.with_row_index("row")
    sums = rows.group_by("sequence").agg(pl.col("row").first(), decisions=pl.col("count").sum())
    ordered = sums.sort(["decisions", "sequence"], descending=[True, False])
    found = []
    for row, sequence, decisions in ordered.head(COMMON).select("row", "sequence", "decisions").iter_rows():
        hands = base.hands(row, row + 1)
        first = hands[0]._asdict() if hands else None
        found.append({"sequence": sequence, "decisions": decisions, "first": first})
    return found
