"""The tables of Sweeney 2012 as printed, and what the text says of them."""

from kibitz.experiments.published import PublishedTable, load_printed

_DOCUMENT = load_printed("kibitz.experiments.sweeney2012")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
STATEMENTS: dict[str, str] = _DOCUMENT["statements"]
STATEMENTS_6: dict[str, str] = _DOCUMENT["statements-6"]
