"""The database of IRC poker: limit hold'em in files by month and by player."""

from kibitz.io.irc.reading import read_irc

__all__ = ["read_irc"]
