"""A logged hand step by step: the table after each action, and the equities of those left on every street."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kibitz.agents.human import describe_action, signed_chips
from kibitz.cards import format_cards
from kibitz.equity import compute_equity
from kibitz.errors import IllegalActionError, KibitzError
from kibitz.games import Game, State, round_name, split_actions
from kibitz.io.hand_check import check
from kibitz.io.listing import ListedHand
from kibitz.io.record import HandRecord
from kibitz.web.drawing import draw_table

SAMPLES = 20_000  # where more than two hands meet before the flop
Equities = list[float | None]


def replay(hand: ListedHand, step: int, own: str = "") -> dict[str, Any]:
    """The hand after `step` actions: the table, its actions, the equities of every street, and the results.

    own   the player at the bottom of the table, where he is in the hand
    """
    record = hand.record
    if hand.problem:
        raise KibitzError(f"hand {record.hand}: {hand.problem}")
    states = _states(hand)
    step = min(max(step, 0), len(states) - 1)
    seat = record.players.index(own) if own in record.players else 0
    streets = street_equities(states)
    return {
        "table": _table(states, step, seat, record),
        "step": step,
        "last": len(states) - 1,
        "actions": _actions(hand, states),
        "streets": [round_name(record.game, number) for number in range(len(streets))],
        "street": states[step].round,
        "equities": [
            {"name": name, "shares": [_percent(each[player]) for each in streets]}
            for player, name in enumerate(record.players)
        ]
        if any(share is not None for each in streets for share in each)
        else [],
        "results": [
            {
                "name": name,
                "chips": signed_chips(chips, record.amount).replace("-", "−") if chips else "0",
                "sign": (chips > 0) - (chips < 0),
            }
            for name, chips in zip(record.players, hand.returns or (), strict=False)
        ],
        "differences": [f"{each.field}: expected {each.expected}, got {each.got}" for each in check(record)],
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _states(hand: ListedHand) -> list[State]:
    states = [State.start(hand.record.game, hand.record.deal)]
    for action in split_actions(hand.record.history):
        states.append(states[-1].apply(action))
    return states


def _table(states: list[State], step: int, own: int, record: HandRecord) -> dict[str, Any]:
    try:
        table = draw_table(states[step], own, record.players, record.amount)
    except IllegalActionError:  # cards that decide the showdown are not shown
        before = draw_table(states[step - 1], own, record.players, record.amount)
        table = before | {"over": True, "pot": states[step].awarded}
    for seat in table["seats"]:
        seat["made"] = seat["made"] if seat["cards"] else ""
    return table


def _actions(hand: ListedHand, states: list[State]) -> list[dict[str, Any]]:
    """The actions by rounds: {round, actions: [{step, text}]}."""
    rounds: list[dict[str, Any]] = []
    names = hand.record.players
    for step, action in enumerate(split_actions(hand.record.history)):
        before = states[step]
        name = round_name(before.game, before.round)
        if not rounds or rounds[-1]["round"] != name:
            rounds.append({"round": name, "actions": []})
        text = describe_action(before, action, names[before.player], hand.record.amount)
        rounds[-1]["actions"].append({"step": step + 1, "text": text})
    return rounds


def street_equities(states: list[State]) -> list[Equities]:
    """For every street that was reached, each player's share of the pot when it began; None where it is not known.

    Known are the shares of hold'em hands whose cards the log shows, as long as it shows those of all who are left.
    """
    game, found = states[0].game, list[Equities]()
    for street in range(states[-1].round + 1):
        state = next(each for each in states if each.round >= street)
        board = states[-1].deal.board[: game.board_ends[street]]
        found.append(_equities(game, state, board) if _is_holdem(game) else [None] * game.players)
    return found


def _is_holdem(game: Game) -> bool:
    return (game.suits, game.ranks, game.hole_cards, game.hand_ranking) == (4, 13, 2, "standard")


def _equities(game: Game, state: State, board: tuple[int, ...]) -> Equities:
    left = [player for player in range(game.players) if not state.folded >> player & 1]
    hands = [state.hole[player] if state.hole else () for player in left]
    complete = len(board) in (0, 3, 4, 5) and all(len(cards) == 2 for cards in hands)
    if not complete or len(left) < 2:
        return [None] * game.players
    shares = dict(zip(left, _shares(tuple(format_cards(cards) for cards in hands), board), strict=True))
    return [shares.get(player) for player in range(game.players)]


@lru_cache(maxsize=2000)
def _shares(hands: tuple[str, ...], board: tuple[int, ...]) -> tuple[float, ...]:
    method = "sample" if len(hands) > 2 and not board else "auto"
    return tuple(compute_equity(hands, board, method, samples=SAMPLES).equities)
