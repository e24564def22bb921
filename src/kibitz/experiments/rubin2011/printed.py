"""The tables of Rubin and Watson 2011 as printed: what the 2010 competition said."""

from kibitz.experiments.published import PublishedTable, load_printed

_DOCUMENT = load_printed("kibitz.experiments.rubin2011")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
TABLE_6_INTERVALS: dict[str, list[int]] = _DOCUMENT["intervals"]  # half-widths, 95 %
