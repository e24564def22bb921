"""A state of a hand as values for templates: seats, cards, bets, what may be done."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from kibitz.agents.human import chip_amount, describe_action, made_hand, round_base, signed_chips
from kibitz.cards import CARD_TEXT
from kibitz.games import State, round_name, split_actions
from kibitz.games.game import UNLIMITED_STACK
from kibitz.policy.frequencies import ALL_IN, HALF_POT, MIN, POT, fixed_size

SUITS = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
MOST_CHIPS = 7  # in a stack that is drawn
SIZES = {"Min": MIN, "½ pot": HALF_POT, "Pot": POT, "All-in": ALL_IN}


def draw_card(card: int) -> dict[str, str]:
    """A card: rank, sign and name of its suit, text."""
    rank, suit = CARD_TEXT[card][0], CARD_TEXT[card][1]
    sign, name = SUITS[suit]
    return {"rank": "10" if rank == "T" else rank, "sign": sign, "suit": name, "text": CARD_TEXT[card]}


def draw_table(
    state: State, own: int, names: Sequence[str], amount: Callable[[float], str] = chip_amount
) -> dict[str, Any]:
    """The table as it stands; `names` by position. The seat of position `own` is drawn first, at the bottom.

    Cards that the state does not know are drawn face down. `amount` writes a number of chips.
    """
    players, returns = state.game.players, state.returns() if state.finished else None
    base, lasts = round_base(state), _last_actions(state, amount)
    seats = []
    for step in range(players):
        position = (own + step) % players
        folded = bool(state.folded >> position & 1)
        cards = state.hole[position] if state.hole else ()
        bet = 0 if returns is not None else max(0, state.spent[position] - base)
        last = lasts.get(position, ("", ""))
        seats.append(
            {
                "place": step,
                "name": names[position],
                "cards": [draw_card(card) for card in cards],
                "hidden": 0 if cards or folded else state.game.hole_cards,
                "folded": folded,
                "acting": position == state.player,
                "button": position == players - 1,
                "bet": bet,
                "bet_chips": _chips(state, bet),
                "last": last[0],
                "last_kind": last[1],
                "behind": _behind(state, position, amount),
                "result": signed_chips(returns[position], amount) if returns is not None else "",
                "won": returns is not None and returns[position] > 0,
                "made": made_hand(state, position),
            }
        )
    pot = state.pot if returns is None else state.awarded
    return {
        "amount": amount,
        "seats": seats,
        "board": [draw_card(card) for card in state.board],
        "to_come": state.game.board_ends[-1] - len(state.board),
        "pot": pot,
        "pot_chips": _chips(state, pot),
        "round": "over" if state.finished else round_name(state.game, state.round),
        "story": tell(state, names),
        "over": state.finished,
    }


def _behind(state: State, position: int, amount: Callable[[float], str]) -> str:
    """Chips not yet put in; nothing where stacks have no end."""
    if state.game.stacks[position] >= UNLIMITED_STACK:
        return ""
    return amount(state.game.limits[position] - state.spent[position])


def _chips(state: State, amount: int) -> int:
    """How many chips are drawn for an amount: one more for each time it doubles, from one big blind on."""
    return min(MOST_CHIPS, 1 + int(math.log2(max(1.0, amount / max(1, *state.game.blinds, *state.game.antes_paid)))))


def _last_actions(state: State, amount: Callable[[float], str]) -> dict[int, tuple[str, str]]:
    """What each position did last in the present round: words, and fold, call or raise."""
    found, past = dict[int, tuple[str, str]](), State.start(state.game)
    for action in split_actions(state.history):
        if past.round == state.round:
            found[past.player] = (
                action_words(past, action, amount=amount),
                {"f": "fold", "c": "call"}.get(action, "raise"),
            )
        past = past.apply(action)
    return found


def action_words(
    state: State, text: str, sizes: tuple[int, int] | None = None, amount: Callable[[float], str] = chip_amount
) -> str:
    """An action of the player to act as players say it, in chips of the round; `sizes` for a span of raises."""
    if text == "f":
        return "Fold"
    if text == "c":
        return "Call" if state.to_call > 0 else "Check"
    base = round_base(state)
    verb = "Raise to" if state.bet > base else "Bet"
    if sizes is not None:
        return f"{verb} {amount(sizes[0] - base)}–{amount(sizes[1] - base)}"
    return f"{verb} {amount(state.apply(text).bet - base)}"


def tell(state: State, names: Sequence[str]) -> list[dict[str, Any]]:
    """What everybody did, round by round: {round, actions}."""
    told: list[dict[str, Any]] = []
    past = State.start(state.game)
    for action in split_actions(state.history):
        name = round_name(state.game, past.round)
        if not told or told[-1]["round"] != name:
            told.append({"round": name, "actions": []})
        told[-1]["actions"].append(describe_action(past, action, names[past.player]))
        past = past.apply(action)
    return told


def draw_choices(state: State) -> dict[str, Any]:
    """What the player to act may do: texts of actions, and sizes in chips of this round.

    base   is added to a size of this round to get the action's number of chips over the whole hand
    """
    legal, base = state.legal(), round_base(state)
    choices: dict[str, Any] = {
        "fold": legal.fold,
        "call": f"Call {state.to_call:,}" if state.to_call > 0 else "Check",
        "limit": legal.limit,
        "raise": "",
    }
    if legal.max_raise_to:
        choices["raise"] = "Raise to" if state.bet > base else "Bet"
        choices |= {"base": base, "low": legal.min_raise_to - base, "high": legal.max_raise_to - base}
        if not legal.limit:
            choices["sizes"] = [(label, fixed_size(move, state, legal) - base) for label, move in SIZES.items()]
    return choices
