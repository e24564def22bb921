"""What one hand says of the style of each of its players (Sweeney 2012, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.games import Game, State, split_actions


class SeatStyle(NamedTuple):
    """What one player did in one hand.

    voluntary   whether he put in chips beyond blinds and antes; a big blind who only checks did not
    folded      whether he folded
    uncontested whether he won because all others folded
    showdown    whether he was in a showdown
    share       part of the pot that he won there, side pots added up; None where it is not known, or no showdown
    bets        bets and raises
    calls       calls that cost chips; checks do not count
    """

    voluntary: bool
    folded: bool
    uncontested: bool
    showdown: bool
    share: float | None
    bets: int
    calls: int


def observe_hand(game: Game, history: str, returns: Sequence[float] | None) -> list[SeatStyle]:
    """The style of every player of a finished hand that keeps the rules.

    history   ACPC betting text
    returns   net chips of every player, where they are known

    >>> from kibitz.games import load_game
    >>> small, big = observe_hand(load_game("kuhn"), "rc", (2, -2))
    >>> small.bets, small.share, big.calls, big.share
    (1, 1.0, 1, 0.0)
    """
    players = game.players
    bets, calls = [0] * players, [0] * players
    state = State.start(game)
    for action in split_actions(history):
        player, before = state.player, state.spent
        state = state.apply(action)
        if action[0] == "r":
            bets[player] += 1
        elif action == "c" and state.spent[player] > before[player]:
            calls[player] += 1
    left = [not state.folded >> player & 1 for player in range(players)]
    shares = _shares(state, left, returns) if state.showdown and returns is not None else None
    return [
        SeatStyle(
            voluntary=bets[player] + calls[player] > 0,
            folded=not left[player],
            uncontested=left[player] and not state.showdown,
            showdown=left[player] and state.showdown,
            share=shares[player] if shares is not None and left[player] else None,
            bets=bets[player],
            calls=calls[player],
        )
        for player in range(players)
    ]


def _shares(state: State, left: list[bool], returns: Sequence[float]) -> list[float] | None:
    """What part of the chips that were paid out at a showdown each player got; what nobody matched went back before."""
    matched = sorted(state.spent)[-2]
    paid = [
        (net + min(chips, matched) + ante) * here
        for net, chips, ante, here in zip(returns, state.spent, state.game.antes_paid, left, strict=True)
    ]
    total = sum(paid)
    return [chips / total for chips in paid] if total > 0 else None
