"""What Bard 2016 prints in chapters 3, 4 and 6; of figures only their captions and the text are left."""

from kibitz.experiments.published import PublishedTable, load_printed

_DOCUMENT = load_printed("kibitz.experiments.bard2016")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
STATEMENTS: dict[str, str] = _DOCUMENT["statements"]  # of figure 4.3
SHARES = tuple(TABLES["figure-3.2"].rows)  # p
HANDS = TABLES["figure-4.2"].columns  # observed
