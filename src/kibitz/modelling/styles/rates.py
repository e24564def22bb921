"""The rates by which a style is told, and what each of them means: the one place of their definitions."""

from __future__ import annotations

from typing import NamedTuple


class Rate(NamedTuple):
    """How a rate is headed in tables, and its meaning."""

    heading: str
    meaning: str


RATES = {
    "vpip": Rate("VP$IP", "share of hands with chips put in beyond the blinds, before or after the flop"),
    "fold": Rate("Fold", "share of VP$IP hands folded later"),
    "won_without_showdown": Rate("Ww/oSD", "share of VP$IP hands won because all others fold"),
    "won_at_showdown": Rate("W$SD", "share of showdowns won; a split pot counts as its fraction"),
    "aggression": Rate("AF", "bets and raises per call, in all rounds; its chances are all three"),
    "pfr": Rate("PFR", "share of hands in which the player raises before the flop"),
    "three_bet": Rate("3-bet", "raises before the flop when facing exactly one raise, if another is legal"),
    "fold_to_three_bet": Rate("F3B", "folds of the first raiser when facing a 3-bet and no further raise"),
    "continuation_bet": Rate(
        "C-bet", "bets of the last raiser before the flop, if first to bet there and a bet is legal"
    ),
    "fold_to_continuation_bet": Rate("FCB", "folds to a continuation bet that nobody has raised"),
    "went_to_showdown": Rate("WTSD", "share of hands that see the flop, all-in or not, that reach a showdown"),
    "aggression_frequency": Rate("AFq", "share of bets and raises among bets, raises, calls and folds, in all rounds"),
}
