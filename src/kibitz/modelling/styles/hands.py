"""What one hand says of the style of each of its players (Sweeney 2012, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kibitz.games import Game, State, split_actions

_FOLDS = ("fold_to_three_bet", "fold_to_continuation_bet")


class SeatStyle(NamedTuple):
    """What one player did in one hand.

    voluntary   whether the player put in chips beyond blinds and antes; a big blind who only checks did not
    folded      whether the player folded
    uncontested whether the player won because all others folded
    showdown    whether the player was in a showdown
    share       part of the pot won there, side pots added up; None where it is not known, or no showdown
    bets        bets and raises
    calls       calls that cost chips; checks do not count
    moves       of the rates that have at most one chance per hand, those with a chance: (rate, whether it was taken)
    """

    voluntary: bool
    folded: bool
    uncontested: bool
    showdown: bool
    share: float | None
    bets: int
    calls: int
    moves: tuple[tuple[str, bool], ...]


def observe_hand(game: Game, history: str, returns: Sequence[float] | None) -> list[SeatStyle]:
    """The style of every player of a finished hand that keeps the rules.

    history   ACPC betting text
    returns   net chips of every player, where they are known

    >>> from kibitz.games import load_game
    >>> small, big = observe_hand(load_game("kuhn"), "rc", (2, -2))
    >>> small.bets, small.share, big.calls, big.share
    (1, 1.0, 1, 0.0)
    """
    end, styles = _observe_betting(game, history)
    shares = _shares(end, returns) if end.showdown and returns is not None else None
    if shares is None:
        return [*styles]
    return [
        style._replace(share=share) if style.showdown else style for style, share in zip(styles, shares, strict=True)
    ]


@lru_cache(maxsize=1 << 14)  # the same few betting sequences make up most of a limit match
def _observe_betting(game: Game, history: str) -> tuple[State, tuple[SeatStyle, ...]]:
    """How the betting ended, and the styles without shares of the pot."""
    players = game.players
    bets, calls = [0] * players, [0] * players
    moves: list[dict[str, bool]] = [{"pfr": False} for _ in range(players)]
    before, raises, gone = State.start(game), _Raises(), 0
    for action in split_actions(history):
        player = before.player
        if before.round < 2 and (rate := raises.chance(before)):
            moves[player][rate] = action[0] == ("f" if rate in _FOLDS else "r")
        state = before.apply(action)
        if action[0] == "r":
            bets[player] += 1
            moves[player]["pfr"] |= not before.round
            raises.add(before)
        elif action == "c" and state.spent[player] > before.spent[player]:
            calls[player] += 1
        if not before.round:
            gone = state.folded
        before = state
    left = [not before.folded >> player & 1 for player in range(players)]
    for player in range(players):
        if before.round and not gone >> player & 1:
            moves[player]["went_to_showdown"] = left[player] and before.showdown
    return before, tuple(
        SeatStyle(
            voluntary=bets[player] + calls[player] > 0,
            folded=not left[player],
            uncontested=left[player] and not before.showdown,
            showdown=left[player] and before.showdown,
            share=None,
            bets=bets[player],
            calls=calls[player],
            moves=tuple(moves[player].items()),
        )
        for player in range(players)
    )


@dataclass(slots=True)
class _Raises:
    """Who raised first and last before the flop (-1: nobody), and whether the latter bet last on the flop."""

    first: int = -1
    last: int = -1
    continued: bool = False

    def add(self, state: State) -> None:
        """Take note of a raise in `state`."""
        if not state.round:
            self.first, self.last = state.player if self.first < 0 else self.first, state.player
        elif state.round == 1:
            self.continued = state.player == self.last

    def chance(self, state: State) -> str:
        """The rate for which the player to act has a chance, in one of the first two rounds; "" for none."""
        rate = ""
        if not state.round:
            if state.raises == 1:
                rate = "three_bet"
            elif state.raises == 2 and state.player == self.first:
                rate = "fold_to_three_bet"
        elif not state.raises and state.player == self.last:
            rate = "continuation_bet"
        elif state.raises == 1 and self.continued:
            rate = "fold_to_continuation_bet"
        if not rate:
            return ""
        legal = state.legal()
        return rate if (legal.fold if rate in _FOLDS else legal.max_raise_to) else ""


def _shares(state: State, returns: Sequence[float]) -> list[float] | None:
    """What part of the chips that were paid out at a showdown each player got; what nobody matched went back before."""
    matched = sorted(state.spent)[-2]
    paid = [
        (net + min(chips, matched) + ante) * (not state.folded >> player & 1)
        for player, (net, chips, ante) in enumerate(zip(returns, state.spent, state.game.antes_paid, strict=True))
    ]
    total = sum(paid)
    return [chips / total for chips in paid] if total > 0 else None
