"""PHH action strings (`d dh p1 AhKs`, `p3 cbr 225`) to ACPC betting text and cards."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from kibitz.cards import CARD_TEXT
from kibitz.errors import FormatError
from kibitz.games import Deal, Game
from kibitz.io.phh.games import UnsupportedVariantError
from kibitz.io.turns import Turns

HIDDEN = "??"
HOLE_CARDS = 2
BOARD_ENDS = (0, 3, 4, 5)  # public cards on the table in each round
_BOARD_LENGTHS = [6, 2, 2]  # characters of a flop, a turn, a river
_CARD_OF_TEXT = {text: card for card, text in enumerate(CARD_TEXT)}
_LARGEST_AMOUNT = 10**15
_Parsed = tuple[str, str, int, str | int | Decimal]
_ACTION = re.compile(
    r"\s*(?:p([1-9][0-9]?)\s+(?:(f|cc)|cbr\s+([^\s#]+)|(sm)(?:\s+([^\s#]+))?)"
    r"|d\s+db\s+([^\s#]+)|d\s+dh\s+p([1-9][0-9]?)\s+([^\s#]+))?\s*(?:#.*)?",
    re.DOTALL,
)
STEP = re.compile(r"([0-9]+)([fcr])|/")  # of `Actions.betting`
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?)+")


class Actions(NamedTuple):
    """What the action strings of one hand say."""

    betting: str  # who did what: "3r4f1c2c/1c2r" is a raise by p3, ..., a flop, a check by p1, a bet by p2
    amounts: tuple[int | Decimal, ...]  # of the raises, counted from the start of their round
    hole: tuple[str, ...]
    board: str
    mucked: tuple[int, ...]  # who gave up at the showdown without showing


def parse_actions(strings: Sequence[str], players: int) -> Actions:
    """What `strings` say of a hand of `players`."""
    try:
        parsed = [*map(_parse_action, strings)]
    except TypeError:
        raise FormatError(f"actions = {strings!r}: an array of strings is needed") from None
    betting = "".join([action[0] for action in parsed])
    amounts: list[int | Decimal] = []
    hole = [""] * players
    boards: list[str] = []
    shown: list[tuple[int, str]] = []
    for _, kind, player, value in [action for action in parsed if action[1]]:
        if player >= players:
            raise FormatError(f"p{player + 1} where there are {players} players")
        if kind == "hole":
            hole[player] += value  # type: ignore[operator]
        elif kind == "raise":
            amounts.append(value)  # type: ignore[arg-type]
        elif kind == "board":
            boards.append(value)  # type: ignore[arg-type]
        else:
            shown.append((player, value))  # type: ignore[arg-type]
    mucked = []
    for player, text in shown:
        if text:
            hole[player] = _revealed(player, hole[player], text)
        else:
            mucked.append(player)
    if [*map(len, boards)] != _BOARD_LENGTHS[: len(boards)]:
        if _is_run_again(parsed):
            raise UnsupportedVariantError("a hand whose board is run more than once is not played here")
        betting = _with_rounds(parsed)
    return Actions(betting, tuple(amounts), tuple(hole), "".join(boards), tuple(mucked))


def _is_run_again(parsed: Sequence[_Parsed]) -> bool:
    """Whether more than one board is dealt: further cards, and nobody acts once the river has come."""
    dealt = 0
    for code, kind, _, value in parsed:
        if kind == "board":
            dealt += len(value) // 2  # type: ignore[arg-type]
        elif code and dealt >= BOARD_ENDS[-1]:
            return False
    return dealt > BOARD_ENDS[-1]


def _with_rounds(parsed: Sequence[_Parsed]) -> str:
    """The betting where the board did not come three cards, one, one: each card that opens a round is marked."""
    betting, dealt = "", 0
    for code, kind, _, value in parsed:
        if kind == "board":
            before, dealt = dealt, dealt + len(value) // 2  # type: ignore[arg-type]
            betting += "/" * sum(before <= end < dealt for end in BOARD_ENDS[:-1])
        else:
            betting += code
    return betting


@lru_cache(maxsize=1 << 15)  # the same strings come again and again
def _parse_action(string: str) -> _Parsed:
    """(text for the betting, kind, player from 0, value) of one action string; folds and calls need no kind."""
    match = _ACTION.fullmatch(string)
    if match is None:
        raise FormatError(f"action {string!r}: expected 'd dh pN CARDS', 'd db CARDS', 'pN f|cc|cbr AMOUNT|sm [CARDS]'")
    actor, verb, amount, showdown, shown, board, player, hole = match.groups()
    if board:
        return "/", "board", 0, _check_cards(board, string)
    if hole:
        return "", "hole", int(player) - 1, _check_cards(hole, string)
    if amount:
        return f"{actor}r", "raise", int(actor) - 1, _parse_amount(amount, string)
    if showdown:
        # Without cards the hand is mucked; "-" shows what everybody knows already.
        cards = "" if not shown else HIDDEN if shown == "-" else _check_cards(shown, string)
        return "", "show", int(actor) - 1, cards
    return f"{actor}{verb[0]}" if verb else "", "", 0, ""


def _parse_amount(text: str, string: str) -> int | Decimal:
    if text.isascii() and text.isdecimal() and len(text) < 16:
        return int(text)
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("nan")
    if not (amount.is_finite() and 0 <= amount < _LARGEST_AMOUNT):
        raise FormatError(f"action {string!r}: {text!r} is no amount")
    return amount


def _check_cards(text: str, string: str) -> str:
    if not _CARDS.fullmatch(text):
        raise FormatError(f"action {string!r}: {text!r} are no cards; write them like AhTd, unknown ones as ??")
    return text


def _revealed(player: int, dealt: str, shown: str) -> str:
    """The hole cards of `player` once `shown` are seen; unknown cards (`??`) give way."""
    if dealt == shown:
        return dealt
    known = _split_cards(dealt)
    known += [HIDDEN] * (HOLE_CARDS - len(known))
    for card in _split_cards(shown):
        if card == HIDDEN or card in known:
            continue
        if HIDDEN not in known:
            raise FormatError(f"p{player + 1} was dealt {dealt} but shows {shown}")
        known[known.index(HIDDEN)] = card
    return "".join(known)


def _split_cards(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def deal_of(actions: Actions) -> Deal:
    """The cards of the hand: `()` for a hand not known in full, the board up to the first unknown card."""
    hole = tuple(map(_known_hole, actions.hole))
    board = _known_board(actions.board)
    if len(set(board).union(*hole)) != len(board) + sum(map(len, hole)):
        raise FormatError(f"a card is dealt twice: hole cards {' '.join(actions.hole)}, board {actions.board}")
    return Deal(hole, board)


@lru_cache(maxsize=4096)
def _known_hole(text: str) -> tuple[int, ...]:
    if len(text) > 2 * HOLE_CARDS:
        raise FormatError(f"hole cards {text}: hold'em deals {HOLE_CARDS}")
    return _cards(text) if len(text) == 2 * HOLE_CARDS and HIDDEN not in text else ()


def _known_board(text: str) -> tuple[int, ...]:
    if len(text) > 2 * BOARD_ENDS[-1]:
        raise FormatError(f"board {text}: at most {BOARD_ENDS[-1]} cards")
    return _cards(text.partition(HIDDEN)[0])


def _cards(text: str) -> tuple[int, ...]:
    return tuple([_CARD_OF_TEXT[text[i : i + 2]] for i in range(0, len(text), 2)])


def history_of(game: Game, betting: str, sizes: Sequence[int]) -> str:
    """ACPC betting text of `betting` with raises to `sizes` chips, counted from the start of their round."""
    if game.betting == "limit":
        return _follow(Turns.of(game), betting, sizes, game.raise_sizes)
    found = None if _has_formalities(game) else _template(betting, game.players, game.first_players)
    if found is None:  # somebody is passed over, as happens to players who are all-in
        return _follow(Turns.of(game), betting, sizes)
    template, rounds = found
    if not rounds:
        return template
    bet = _opening_bet(game)
    level = last = 0
    totals = []
    for round_, size in zip(rounds, sizes, strict=True):
        if round_ != last:
            level, last = bet, round_
        bet = level + size
        totals.append(bet)
    return template % tuple(totals)


def _has_formalities(game: Game) -> bool:
    """Whether the ACPC's dealer may ask somebody whom PHH leaves out: one against hands all-in for a blind or less."""
    return game.rules == "acpc" and min(game.limits) <= max(game.blinds)


@lru_cache(maxsize=4096)
def _opening_bet(game: Game) -> int:
    return Turns.of(game).bet


@lru_cache(maxsize=1 << 14)
def _template(betting: str, players: int, first_players: tuple[int, ...]) -> tuple[str, tuple[int, ...]] | None:
    """No-limit text of `betting` with %d for the raises, and their rounds; None if the turns only fit with all-ins."""
    rounds: list[int] = []
    table = Turns([math.inf] * players, [0] * players, 0, first_players)
    try:
        text = _follow(table, betting, rounds=rounds)
    except FormatError:
        return None
    return text, tuple(rounds)


def _follow(
    table: Turns,
    betting: str,
    sizes: Sequence[int] | None = None,
    raise_sizes: Sequence[int] | None = None,
    rounds: list[int] | None = None,
) -> str:
    """ACPC text of `betting`, each action checked to be in turn.

    sizes         of the raises; without them they are written `%d`
    raise_sizes   what a limit raise adds per round; without them the game is no-limit
    rounds        gets the round of every raise
    """
    text = ""
    raises = 0
    for player, verb in STEP.findall(betting):
        actor = int(player or 0) - 1
        if verb == "r":
            size = table.bet + 1 if sizes is None else table.level + sizes[raises]
            if raise_sizes is not None:
                due = min(table.bet + raise_sizes[table.round], table.limits[actor])
                if size != due:
                    raise FormatError(f"player {actor + 1} raises to {size} chips in all; the limit makes it {due}")
            raises += 1
            if rounds is not None:
                rounds.append(table.round)
            table.raise_to(actor, size)
            text += "r" if raise_sizes is not None else "r%d" if sizes is None else f"r{size}"
        elif verb:
            (table.fold if verb == "f" else table.call)(actor)
            text += verb
        else:
            if table.is_formality:
                text += "c"
            table.deal()
            text += "/"
    return text


def played(game: Game, betting: str, sizes: Sequence[int]) -> tuple[str, list[int]]:
    """(as `history_of`, the chips of every player in the pots at the end); the latter without antes."""
    table = Turns.of(game)
    history = _follow(table, betting, sizes, game.raise_sizes if game.betting == "limit" else None)
    return history, table.matched()
