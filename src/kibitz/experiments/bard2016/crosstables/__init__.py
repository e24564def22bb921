"""Cross tables of the ACPC as Bard 2016 prints them, by name; rates as printed, with their 95 % intervals."""

from __future__ import annotations

from importlib.resources import files

from kibitz.arena.crosstable import CrossTable, parse_cross_table
from kibitz.errors import KibitzError

# Name -> what it is. Competitions, and then single entries against the opponents of another event.
PUBLISHED: dict[str, str] = {
    "acpc-2012-limit": "ACPC 2012, heads-up limit, total bankroll event (table A.1)",
    "acpc-2013-limit": "ACPC 2013, heads-up limit, total bankroll event (table A.4)",
    "acpc-2014-limit": "ACPC 2014, heads-up limit, total bankroll event (table A.8)",
    "acpc-2013-limit-3p": "ACPC 2013, three-player limit, total bankroll event (table A.10), incomplete",
    "acpc-2014-limit-3p": "ACPC 2014, three-player limit, total bankroll event (table A.12)",
    "acpc-2013-nolimit": "ACPC 2013, heads-up no-limit, total bankroll event (table A.16)",
    "acpc-2014-nolimit": "ACPC 2014, heads-up no-limit, total bankroll event (table A.20)",
}
ENTRIES = (
    "acpc-2013-limit-entries",
    "acpc-2013-nolimit-entries",
    "acpc-2014-nolimit-entries",
    "acpc-2013-limit-3p-iro",
    "acpc-2014-limit-3p-iro",
)


def published_table(name: str) -> CrossTable:
    """The table of that name."""
    if name not in PUBLISHED and name not in ENTRIES:
        raise KibitzError(f"no published table {name!r}: there are {', '.join(PUBLISHED)}")
    return parse_cross_table((files(__package__) / f"{name}.csv").read_text(encoding="utf-8"), name)
