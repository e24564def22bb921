"""The actions of a PHH hand followed by a few operations on the whole text.

To take a hand apart action by action costs a Python loop over each. Here the text is cut at its bets and boards
instead, and what stands between two of them is looked up (`_phh_turns`). The cards are read together (`_phh_deal`).
Anything unusual raises IrregularError, LookupError or ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import ge

from kibitz.games import Deal, Game
from kibitz.io._phh_deal import HIDDEN, deal_of_text
from kibitz.io._phh_table import Table
from kibitz.io._phh_toml import IrregularError
from kibitz.io._phh_turns import END, SEATS, moment_with

# Bets `cbr 300` and boards `d db 2c3d4h` are the only actions with a b. Which of the two it is, `c` or `d d` before the
# b says, and what comes after it is looked up.
_cut = re.compile(r"b([^']+)").split
_BOARD = "', 'd db "
_SHOWS = {f"p{int(seat) + 1} sm ": int(seat) for seat in SEATS}

Pieces = list[str]  # of the betting: passage, `r 300` or ` 2c3d4h`, passage, ..., passage


def follow(actions: str, table: Table) -> tuple[str, Deal, tuple[int, ...], Pieces]:
    """(ACPC text as in no-limit, cards, who mucked, the betting) of the strings with `', '` between them."""
    if actions.startswith(table.hidden):  # as at cash tables: nothing to match
        holes: Sequence[str] = table.hidden_hands
        betting = actions[len(table.hidden) :]
    else:
        match = table.deals.match(actions)
        if match is None:
            raise IrregularError
        holes = match.groups()
        betting = actions[match.end() :]
    mucked: tuple[int, ...] = ()
    if "m" in betting:  # a letter of no other action and no card
        betting, holes, mucked = _cut_showdown(betting, table.players, holes)
    pieces = _cut(betting)
    history, board = _read_betting(table, pieces)
    return history, deal_of_text(holes, board), mucked, pieces


def _cut_showdown(
    betting: str, players: Sequence[str], holes: Sequence[str]
) -> tuple[str, Sequence[str], tuple[int, ...]]:
    """(`betting` without the hands shown, all hole cards that are known then, the players who mucked)."""
    mucked: list[int] = []
    while (letter := betting.find("m")) >= 0:  # after an all-in boards come later, in some files with more to show
        start = betting.rindex("', '", 0, letter)
        shown, board, rest = betting[start + 4 :].partition(_BOARD)
        for action in shown.split("', '"):
            seat, cards = _SHOWS.get(action[:-4]), action[-4:]
            if seat is None:
                player, mucks, more = action.partition(" sm")
                if more or not mucks:
                    raise IrregularError
                mucked.append(players.index(player))
            elif holes[seat] != cards and cards != HIDDEN:
                if holes[seat] != HIDDEN:
                    raise IrregularError
                holes = [*holes[:seat], cards, *holes[seat + 1 :]]
        betting = betting[:start] + board + rest
    return betting, holes, tuple(mucked)


def _read_betting(table: Table, pieces: Pieces) -> tuple[str, str]:
    """(ACPC text as in no-limit, cards of the board) of the betting."""
    each, sizes = iter(pieces), table.sizes.known
    steps, codes = table.opening.steps, []
    bet, level, board = table.opening_bet, 0, ""
    for passage, told in zip(each, each):  # noqa: B905 (naming `strict` takes time, see `_phh_deal`)
        try:
            code, steps, bets, _ = steps[passage]
        except KeyError:
            code, steps, bets, _ = moment_with(steps).step(passage)
        codes.append(code)
        if bets:
            # PHH counts the chips of the street, ACPC those of the hand.
            bet = level + (sizes.get(told) or table.sizes.chips(told))
            codes.append(str(bet))
        elif len(told) != (3 if board else 7) or told[0] != " ":
            raise IrregularError
        else:
            board += told[1:]
            level = bet
    code, steps, _, _ = steps.get(pieces[-1]) or moment_with(steps).step(pieces[-1])
    if steps is not END.steps or len(board) > 10:
        raise IrregularError
    return "".join(codes) + code, board


def paid_of(table: Table, game: Game, pieces: Pieces) -> list[int]:
    """The chips of every player, antes left out, what nobody matched taken back; every raise is one of the game's."""
    each, sizes, raise_sizes = iter(pieces), table.sizes.known, table.raise_sizes
    steps, paid = table.opening.steps, [*game.blinds]
    bet, level, round_ = table.opening_bet, 0, 0
    for passage, told in zip(each, each):  # noqa: B905
        _, steps, bets, (payers, _) = steps[passage]
        for player in payers:
            paid[player] = bet
        if bets:
            raised = level + sizes[told]
            if raised <= bet or (raise_sizes and raised != bet + raise_sizes[round_]):
                raise IrregularError
            bet = paid[payers[-1]] = raised
        else:
            level = bet
            round_ += 1
    for player in steps[pieces[-1]][3][0]:
        paid[player] = bet
    if bet + table.largest_ante >= min(game.stacks):
        paid = _paid_to_the_limit(table, game, pieces)
    most = max(paid)
    if paid.count(most) == 1:
        player = paid.index(most)
        paid[player] = 0
        paid[player] = max(paid)
    return paid


def _paid_to_the_limit(table: Table, game: Game, pieces: Pieces) -> list[int]:
    """The chips of every player where somebody may be all-in, though not by a blind, and those who are act no more.

    Nor may anybody act in later rounds, where all but one may be all-in.
    """
    steps, paid, limits, sizes = table.opening.steps, [*game.blinds], game.limits, table.sizes.known
    bet, level, all_in = table.opening_bet, 0, False
    if any(map(ge, paid, limits)):
        raise IrregularError
    for passage, told in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        _, steps, bets, (payers, actors) = steps[passage]
        if (all_in and actors) or any(paid[player] >= limits[player] for player in actors):
            raise IrregularError
        for player in payers:
            paid[player] = min(bet, limits[player])
        if bets:
            bet = paid[payers[-1]] = level + sizes[told]
            if table.raise_sizes and bet > limits[payers[-1]]:
                raise IrregularError
        elif told:
            level, all_in = bet, any(map(ge, paid, limits))
    return paid
