"""Settings that the plans of learners share."""

from __future__ import annotations

from typing import Any

from kibitz.errors import KibitzError
from kibitz.learning.tables import MIXED
from kibitz.plans import fingerprint_of, setting

RANDOM = "random"  # in place of a model to begin with
# Settings of `kibitz.learning.Learning`: what each is, its least, and its most.
_LEARNING: dict[str, tuple[str, float, float | None]] = {
    "batch": ("Deals per step", 1, 100_000),
    "parts": ("Parts of a batch that threads share; results depend on it", 1, 64),
    "rate": ("Learning rate of bet features, values and beliefs", 0, None),
    "card_rate": ("Learning rate of card features", 0, None),
    "type_rate": ("Learning rate of the observer's card-types", 0, None),
    "move_rate": ("Learning rate of the observer's transitions", 0, None),
    "showdown_rate": ("Learning rate of the observer's showdown estimator", 0, None),
    "entropy": ("Weight of the policy's entropy, in pots, at the start; falls as rates do", 0, None),
    "halving": ("Deals after which rates are halved; 0 for constant rates", 0, None),
    "least": ("Share of the first rates below which they do not fall", 0, 1),
    "least_entropy": ("Share of the first weight of the entropy below which it does not fall", 0, 1),
    "floor": ("Use of a card-type below which its learning is not raised further", 1e-300, 1),
    "window": ("Keep averaged weights, over the last of so many parts of all deals; 0 for the last weights", 0, None),
    "value_scale": ("Standard deviation of the first values of outcome states", 0, None),
    "reward_scale": ("Small blinds that make a reward of 1, where rewards count chips", 1e-6, None),
}


def hands_field(default: int, text: str = "Number of deals") -> Any:
    """The length of a run."""
    return setting(default, text, at_least=1, at_most=10**12, free=True)


def seed_field(text: str) -> Any:
    """A word of 64 bits."""
    return setting(0, text, at_least=0, at_most=2**64 - 1)


def threads_field() -> Any:
    """How many threads learn; results do not depend on it."""
    return setting(1, "Threads that share the parts of a batch", at_least=1, free=True)


def learning_field(name: str, default: Any = None, unsaid: str = "the preset's") -> Any:
    """A setting of `Learning`."""
    text, least, most = _LEARNING[name]
    return setting(default, text, at_least=least, at_most=most, unsaid=unsaid if default is None else "")


def seats_of(players: str) -> int | str:
    """The players at a table as a setting says them: a number from 2 to 10, or irc for the mix."""
    is_number = players.isascii() and players.isdecimal() and len(players) < 4
    seats = int(players) if is_number else players
    if seats == MIXED or (isinstance(seats, int) and 2 <= seats <= 10):
        return seats
    said = players if len(players) < 40 else f"{players[:37]}..."
    raise KibitzError(f"players {said}: a number from 2 to 10 is needed, or {MIXED} for a mix")


def model_content(text: str) -> str:
    """What a model to begin with is, by its content."""
    return text if text == RANDOM else fingerprint_of(text)
