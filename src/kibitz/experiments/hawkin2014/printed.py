"""Figures of the thesis as they were printed: tables, and the value curves of appendix A."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.experiments.published import PublishedTable, load_printed

PLAYERS = ("player one", "player two")
VECTOR = "all deals"  # the row of the full-width solver


class Series(NamedTuple):
    """A printed curve: value to player two in mbb per hand by run, and what stands behind its "±"."""

    values: tuple[float, ...]
    bounds: tuple[float, ...]

    @classmethod
    def parse(cls, text: str) -> Series:
        """Such as "51.14±2.4 42.8±2.59"."""
        return cls(*zip(*(map(float, each.split("±")) for each in text.split()), strict=True))


_DOCUMENT = load_printed("kibitz.experiments.hawkin2014")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
SERIES: dict[str, Series] = {name: Series.parse(text) for name, text in _DOCUMENT["series"].items()}
