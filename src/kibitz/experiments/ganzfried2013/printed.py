"""The tables of Ganzfried and Sandholm (IJCAI 2013) as they were printed."""

from kibitz.experiments.published import PublishedTable, load_printed

STACKS = (1, 3, 5, 10, 20, 50, 100)  # in pots
_DOCUMENT = load_printed("kibitz.experiments.ganzfried2013")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
TABLE_7_INTERVALS: dict[str, list[int]] = _DOCUMENT["intervals"]  # half-widths, 95 %
