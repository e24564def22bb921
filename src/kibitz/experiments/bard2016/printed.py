"""What Bard 2016 prints in chapters 3 to 6; of figures only their captions and the text are left."""

from typing import Any

from kibitz.experiments.published import PublishedTable, load_printed

_DOCUMENT = load_printed("kibitz.experiments.bard2016")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
STATEMENTS: dict[str, dict[str, str]] = _DOCUMENT["statements"]  # by figure or table, what the text says of it
LEADS: dict[str, dict[str, float]] = _DOCUMENT["leads"]  # by table of appendix A: "one over another" -> how often
COMPETITIONS: dict[str, dict[str, Any]] = _DOCUMENT["competitions"]  # by table, how it follows from cross tables
LOST: dict[str, list[str]] = _DOCUMENT["lost"]  # by cross table, agents some of whose cells cannot be read
