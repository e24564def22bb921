"""What can go wrong, as one short tree.

KibitzError (ValueError)
  CardError            a card or a list of cards that cannot be read
  GameError            a game definition that cannot be read or does not hang together
  IllegalActionError   an action the rules refuse here
  FormatError          a line or file that is not in the format it should be in
  AgentError           an agent that breaks its contract, or a name nobody plays under

Messages say what came, where, and what would have been right. What they quote is cut where it is long: a line of a
broken file may have megabytes.
"""

import re

MOST_QUOTED = 200  # characters: long enough for the path of a file
_LONGEST = 2_000  # characters of a message
_QUOTED = re.compile(
    r"""(?<!\w)'((?:[^'\\]++|\\.)*+)'(?!\w)|(?<!\w)"((?:[^"\\]++|\\.)*+)"(?!\w)""", re.DOTALL
)  # as `repr` writes a text


def cut(text: str, most: int = MOST_QUOTED) -> str:
    """`text`, or how it begins and how long it is.

    >>> cut("rrrrrr", 4)
    'rrrr… (6 characters)'
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def _cut_quotes(message: str) -> str:
    """`message` with every long quotation cut, and its middle left out if it is long all the same."""
    if len(message) <= MOST_QUOTED:
        return message
    message = _QUOTED.sub(_cut_quotation, message)
    if len(message) <= _LONGEST:
        return message
    return f"{message[: _LONGEST * 3 // 4]}… ({len(message):,} characters) …{message[-_LONGEST // 4 :]}"


def _cut_quotation(match: re.Match[str]) -> str:
    quoted = match[0]
    length = len(quoted) - 2
    if length <= MOST_QUOTED:
        return quoted
    return f"{quoted[: MOST_QUOTED + 1]}…{quoted[-1]} ({length:,} characters)"


class KibitzError(ValueError):
    """Any input that Kibitz refuses.

    settings   names of what the caller may set otherwise, such as `resume`; the command line names its options for them

    >>> import kibitz
    >>> try:
    ...     kibitz.compute_equity("AsAh", "KdKx")
    ... except kibitz.KibitzError as error:
    ...     print(error)
    'KdKx' in the range 'KdKx': pieces are like AA, TT+, AKs, A5s+, 76s+, 22-55, T9s-54s, AhKs, 15% or random
    """

    def __init__(self, message: str = "", *more: object, settings: tuple[str, ...] = ()) -> None:
        super().__init__(_cut_quotes(message) if isinstance(message, str) else message, *more)
        self.settings = settings


class CardError(KibitzError):
    """A card or a list of cards that cannot be read."""


class GameError(KibitzError):
    """A game definition that cannot be read or does not hang together."""


class IllegalActionError(KibitzError):
    """An action that the rules refuse in this state."""


class FormatError(KibitzError):
    """A line or file that is not in the format it should be in."""

    hand = "?"  # the number or name of the hand, as far as it can be made out


class AgentError(KibitzError):
    """An agent that breaks its contract, or a name nobody plays under."""
