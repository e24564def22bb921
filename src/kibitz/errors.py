"""What can go wrong, as one short tree.

KibitzError (ValueError)
  CardError            a card or a list of cards that cannot be read
  GameError            a game definition that cannot be read or does not hang together
  IllegalActionError   an action the rules refuse here
  FormatError          a line or file that is not in the format it should be in
  AgentError           an agent that breaks its contract, or a name nobody plays under

Messages say what came, where, and what would have been right.
"""


class KibitzError(ValueError):
    """Any input that Kibitz refuses."""


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
