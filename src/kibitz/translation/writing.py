"""The way back: a choice of the abstract betting as a legal action of the real hand."""

from __future__ import annotations

from kibitz.games import State
from kibitz.translation.mappings import TranslationError
from kibitz.translation.places import Place, real_pot


def pot_fraction(state: State, amount: int) -> float:
    """A raise to `amount` as a fraction of the pot: (amount - bet) / (pot after a call, see `pot_or_bet`)."""
    return (amount - state.bet) / real_pot(state)


def raise_to(state: State, pots: float) -> str:
    """The legal action nearest to a raise of `pots` pots, "c" where nothing can be raised; whole chips, halves up."""
    return _clamped(state, state.bet + int(pots * real_pot(state) + 0.5))


def wanted(place: Place, number: int, bet: int, pot: int, most: int) -> int:
    """What child `number` of `place`, a raise, would raise to in a hand with that bet, pot after a call and limit.

    A raise keeps its fraction of the pot, to the nearest chip, halves up; all-in stays all-in.
    """
    own_bet, own_pot, amounts, _sizes, all_in = place.raises
    if all_in and number == place.call + len(amounts):
        return most
    added = amounts[number - place.call - 1] - own_bet
    return bet + (2 * added * pot + own_pot) // (2 * own_pot)


def write(place: Place, number: int, state: State) -> str:
    """Child `number` of `place` as an action in `state`: within the legal sizes; what is impossible is a call."""
    if number < place.call:
        return "f" if state.legal().fold else "c"
    if number == place.call:
        return "c"
    most = state.game.limits[state.player]
    return _clamped(state, wanted(place, number, state.bet, real_pot(state), most))


def blurred(state: State, pots: float, spread: float, uniform: float) -> str:
    """SartreNL's reverse translation: a raise of (1 - spread) to (1 + spread) times `pots`, within the legal sizes.

    spread   Rubin and Watson 2011 use 0.3: what would be 100 chips becomes 70 to 130
    uniform  a random number from 0 to 1 that says where between
    """
    if not 0 <= spread <= 1:
        raise TranslationError(f"a spread of {spread}: from 0 to 1, the paper's is 0.3")
    return raise_to(state, pots * (1 - spread + 2 * spread * uniform))


def blurred_sizes(state: State, pots: float, spread: float) -> str | list[tuple[int, int, float]]:
    """All that `blurred` may give: the one action, or (first, last, chance of each) for ranges of raises.

    Between the ends all sizes are equally likely; the ends, of which a part may be cut off or which stand for sizes
    that are not legal, are ranges of their own.
    """
    legal = state.legal()
    low, high = (state.bet + int(pots * factor * real_pot(state) + 0.5) for factor in (1 - spread, 1 + spread))
    first, last = (min(max(size, legal.min_raise_to), legal.max_raise_to) for size in (low, high))
    if not legal.max_raise_to or legal.limit or first == last:
        return _clamped(state, low)
    start = state.bet + pots * (1 - spread) * real_pot(state) + 0.5  # rounding begins here
    each = 1 / (2 * spread * pots * real_pot(state))
    ends = (first, first, (first + 1 - start) * each), (last, last, 1 - (last - start) * each)
    return [ends[0], (first + 1, last - 1, each), ends[1]] if last > first + 1 else [*ends]


def _clamped(state: State, amount: int) -> str:
    legal = state.legal()
    if not legal.max_raise_to:
        return "c"
    if legal.limit:
        return "r"
    return f"r{min(max(amount, legal.min_raise_to), legal.max_raise_to)}"
