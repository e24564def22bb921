"""Settings that the plans of learners share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.errors import KibitzError
from kibitz.learning.settings import Learning
from kibitz.learning.tables import MIXED
from kibitz.plans import fingerprint_of, setting

RANDOM = "random"  # in place of a model to begin with


def hands_field(default: int, text: str = "Number of deals") -> Any:
    """The length of a run."""
    return setting(default, text, at_least=1, at_most=10**12, free=True)


def seed_field(text: str) -> Any:
    """A word of 64 bits."""
    return setting(0, text, at_least=0, at_most=2**64 - 1)


def batch_field(default: int) -> Any:
    """Deals between two steps."""
    return setting(default, "Deals per step", at_least=1, at_most=100_000)


def rate_field(default: float | None, unsaid: str = "") -> Any:
    """Learning rate of the policy."""
    return setting(default, "Learning rate of bet features, values and beliefs", at_least=0, unsaid=unsaid)


def card_rate_field(default: float | None = None) -> Any:
    """The same of card features; twice that of the others where there is no default."""
    unsaid = "" if default is not None else "twice --rate"
    return setting(default, "Learning rate of card features", at_least=0, unsaid=unsaid)


def halving_field(default: float | None, unsaid: str = "") -> Any:
    """How soon rates fall."""
    text = "Deals after which rates are halved; 0 for constant rates"
    return setting(default, text, at_least=0, unsaid=unsaid)


def learning_of(base: Learning, plan: Any, *names: str) -> Learning:
    """`base` with the rates that a plan says, and with its settings of these names."""
    given = {name: getattr(plan, name) for name in ("rate", "card_rate", *names) if getattr(plan, name) is not None}
    if "rate" in given:
        given.setdefault("card_rate", 2 * given["rate"])
    return replace(base, **given)


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
