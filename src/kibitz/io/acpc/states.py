"""ACPC text: match states, client responses and log lines, each a pair of inverse functions.

>>> line = "MATCHSTATE:0:0:rrc/:TdAs|/2c8c3h"
>>> str(MatchState.parse(line)) == line
True

Reading is as lenient as the original dealer about letters (k, K, C are calls, b, B, R raises); printing is strict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kibitz.cards import CARD_TEXT, format_cards
from kibitz.errors import CardError, FormatError, IllegalActionError
from kibitz.games import Deal, Game, State, format_deal
from kibitz.io.record import NOTHING, HandRecord

Cards = tuple[int, ...]

_CARD: dict[str, int] = {text: card for card, text in enumerate(CARD_TEXT)}
LENIENT = str.maketrans("kKCFbBR", "cccfrrr")  # what the original dealer also takes
# At most ten digits an amount: chips fit 31 bits, and Python refuses to convert numbers without end.
HISTORY = r"(?:[fc/]|r[0-9]{0,10}+)*+"
BETTING = re.compile(HISTORY)
_VALUE = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_ACTION = re.compile(r"[fc]|r[0-9]{0,10}")
_NUMBER = re.compile(r"[0-9]{1,18}")
_HAND_LINE = re.compile(rf"STATE:([0-9]{{1,18}}):({HISTORY}):([^:\s]*):([-0-9.|]+):([^:\s()]+)")
LINE_FORM = "STATE:hand:betting:cards:values:names"
NAME_FORM = "no ':' or '|', no blank around it, no number in brackets or behind # at its end"
STATE_FORM = "MATCHSTATE:position:hand:betting:cards"

match_hand = _HAND_LINE.fullmatch  # a log line in the plain form, for `hand_of_match`


def normalise_actions(text: str) -> str:
    """Betting text with the letters the dealer also takes (k, K, C, F, b, B, R) written as f, c and r."""
    history = text.translate(LENIENT)
    if not BETTING.fullmatch(history):
        good = BETTING.match(history)
        end = good.end() if good else 0
        raise FormatError(f"betting {text!r}: {text[end:]!r} is no action; f, c, r, r<chips> and / are")
    return history


def format_value(chips: float) -> str:
    """Chips as the dealer prints them: six decimals, trailing zeros and point dropped.

    >>> format_value(-20.0), format_value(552584.5), format_value(100 / 3)
    ('-20', '552584.5', '33.333333')
    """
    if isinstance(chips, int):
        return str(chips)
    text = f"{chips:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(maxsize=1 << 14)
def parse_values(text: str) -> tuple[float, ...]:
    """The chips written `20|-20`, one number per player."""
    words = text.split("|")
    for word in words:
        if not _VALUE.fullmatch(word):
            raise FormatError(f"values {text!r}: {word!r} is not a number of chips such as -20 or 552584.5")
    return tuple([float(word) for word in words])


@lru_cache(maxsize=1 << 10)
def split_names(text: str) -> tuple[str, ...]:
    """The names written `p1|p2`; none is empty."""
    names = tuple(text.split("|"))
    if not all(names):
        raise FormatError(f"names {text!r}: one per player, separated by '|'")
    return names


_UNSAYABLE = re.compile(r"[:|\r\n]|^\s|\s$|^$|\(\s*-?[0-9.]+(?:e[-+]?[0-9]+)?\s*\)$|#\s*[0-9.]+$")


def is_sayable(name: str) -> bool:
    """Whether a log can give `name` so that it is read again: no ':' or '|', nothing like the remarks of dialects."""
    return not _UNSAYABLE.search(name)


class _CardGroups(dict[str, Cards]):
    """Cards of a text such as `AhKs`; short texts are remembered, since hole cards come again and again."""

    def __missing__(self, text: str) -> Cards:
        try:
            cards = tuple([_CARD[text[i : i + 2]] for i in range(0, len(text), 2)])
        except KeyError as error:
            raise CardError(f"{error.args[0]!r} is not a card such as Ah") from None
        if len(text) <= 4:
            self[text] = cards
        return cards


GROUPS = _CardGroups()


def parse_groups(text: str) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """Hole cards per player and board cards per round of a match state, no card twice."""
    hole_text, *sections = text.split("/")
    try:
        hole = tuple(GROUPS[group] for group in hole_text.split("|"))
        board = tuple(GROUPS[group] for group in sections)
    except CardError as error:
        raise FormatError(f"cards {text!r}: {error}") from None
    cards = [card for group in (*hole, *board) for card in group]
    if len(set(cards)) != len(cards):
        raise FormatError(f"cards {text!r}: a card stands there twice")
    return hole, board


@lru_cache(maxsize=1 << 10)
def section_lengths(game: Game) -> tuple[tuple[int, ...], ...]:
    """Characters of each board section when 0, 1, 2, ... rounds after the first are reached."""
    lengths = tuple(2 * count for count in game.board_cards[1:])
    return tuple(lengths[:count] for count in range(game.rounds))


def split_first_board(hole: tuple[Cards, ...], game: Game) -> tuple[tuple[Cards, ...], Cards]:
    """(Hole cards, board cards of the first round) of `hole`: nothing stands between these and the last hand."""
    count = game.board_cards[0]
    if not count or len(hole[-1]) < count:
        return hole, ()
    return (*hole[:-1], hole[-1][:-count]), hole[-1][-count:]


def check_hole(hole: tuple[Cards, ...], game: Game) -> None:
    """Refuse hole cards of too many or too few players, or of too many or too few cards."""
    if len(hole) != game.players:
        raise FormatError(f"hole cards of {len(hole)} players: the game has {game.players}")
    wanted = game.hole_cards
    for cards in hole:
        if cards and len(cards) != wanted:
            raise FormatError(f"hole cards {format_cards(cards)!r}: {wanted} per player, or none where hidden")


def wanted_cards(game: Game, rounds: int) -> str:
    """What the board of a log line must look like when `rounds` rounds after the first are reached."""
    counts = " / ".join(str(count) for count in game.board_cards[1 : rounds + 1])
    return f"board sections of {counts} cards are wanted" if counts else "no board cards are wanted"


class MatchState(NamedTuple):
    """What a dealer tells one player: the hand so far as that position sees it."""

    position: int
    hand: int
    history: str
    hole: tuple[Cards, ...]  # per position, () where hidden; board cards of the first round stand with the last
    board: tuple[Cards, ...] = ()  # public cards of the second round, the third, ... as far as reached

    @classmethod
    def parse(cls, text: str) -> MatchState:
        """The match state written `text`; a line end is passed over."""
        fields = text.rstrip("\r\n").split(":")
        if len(fields) != 5 or fields[0] != "MATCHSTATE":
            raise FormatError(f"{text!r} is no match state: {STATE_FORM}")
        _word, position, hand, betting, cards = fields
        history = normalise_actions(betting)
        hole, board = parse_groups(cards)
        if not (_NUMBER.fullmatch(position) and int(position) < len(hole)):
            raise FormatError(f"{text!r}: position {position!r} of {len(hole)} players: 0 to {len(hole) - 1}")
        if not _NUMBER.fullmatch(hand):
            raise FormatError(f"{text!r}: hand {hand!r} is not a number")
        if len(board) != history.count("/"):
            raise FormatError(f"{text!r}: {history.count('/') + 1} betting rounds but {len(board)} '/' in the cards")
        return cls(int(position), int(hand), history, hole, board)

    @classmethod
    def of(cls, state: State, position: int, hand: int) -> MatchState:
        """What the dealer sends to `position` in `state`."""
        seen, game = state.seen_by(position), state.game
        ends = game.board_ends[: state.round + 1]
        board = tuple(seen.deal.board[start:end] for start, end in pairwise(ends))
        hole = seen.hole or ((),) * game.players
        if ends[0]:
            hole = (*hole[:-1], hole[-1] + seen.deal.board[: ends[0]])
        return cls(position, hand, state.history, hole, board)

    def __str__(self) -> str:
        hole = "|".join([format_cards(cards) for cards in self.hole])
        board = "".join(["/" + format_cards(cards) for cards in self.board])
        return f"MATCHSTATE:{self.position}:{self.hand}:{self.history}:{hole}{board}"

    def state(self, game: Game) -> State:
        """The same as a state of `game`, every action checked."""
        lengths = tuple(2 * len(cards) for cards in self.board)
        if len(self.board) >= game.rounds or lengths != section_lengths(game)[len(self.board)]:
            raise FormatError(f"{self}: the rounds of this game deal {game.board_cards} board cards")
        hole, first = split_first_board(self.hole, game)
        deal = Deal(hole, sum(self.board, first))
        check_hole(deal.hole, game)
        try:
            state = State.start(game, deal).play(self.history)
        except IllegalActionError as error:
            raise FormatError(f"{self}: {error}") from None
        if state.history != self.history:
            raise FormatError(f"{self}: rounds end elsewhere, the betting is {state.history!r}")
        return state


def parse_response(text: str) -> tuple[MatchState, str]:
    """The match state a client echoes and the action it chooses: `<matchstate>:<action>`."""
    echo, _colon, action = text.rstrip("\r\n").rpartition(":")
    state = MatchState.parse(echo)
    action = action.translate(LENIENT)
    if not _ACTION.fullmatch(action):
        raise FormatError(f"{text!r}: {action!r} is no action; f, c, r and r<chips> are")
    return state, action


def parse_hand(line: str, game: Game, source: str = "") -> HandRecord:
    """The hand of a log line `STATE:hand:betting:cards:values:names`; `format_hand` prints it again.

    The text must hang together (as many cards, values and names as `game` asks for); whether the hand was played
    by the rules is for `kibitz.io.hand_check` to say.
    """
    match = match_hand(line)
    if match:
        return hand_of_match(match, game, source)
    try:
        return _build(_split_line(line), game, source)
    except FormatError as error:
        raise _at(source, error) from None


def hand_of_match(match: re.Match[str], game: Game, source: str = "") -> HandRecord:
    """The hand of a line that `match_hand` has taken apart."""
    try:
        return _build(match.groups(), game, source)
    except FormatError as error:
        raise _at(source, error) from None


def _at(source: str, error: FormatError) -> FormatError:
    return FormatError(f"{source}: {error}") if source else error


def _build(fields: Sequence[str], game: Game, source: str) -> HandRecord:
    hand, history, cards, values, names = fields
    hole_text, *sections = cards.split("/")
    try:
        hole = tuple([GROUPS[text] for text in hole_text.split("|")])
        board = GROUPS["".join(sections)]
    except CardError as error:
        raise FormatError(f"cards {cards!r}: {error}") from None
    rounds = history.count("/")
    lengths = section_lengths(game)
    if rounds >= len(lengths):
        raise FormatError(f"betting {history!r} has {rounds + 1} rounds; the game has {game.rounds}")
    if tuple(map(len, sections)) != lengths[rounds]:
        raise FormatError(f"cards {cards!r}: {wanted_cards(game, rounds)} for betting {history!r}")
    if game.board_cards[0]:
        hole, first = split_first_board(hole, game)
        board = first + board
    check_hole(hole, game)
    players, returns = split_names(names), parse_values(values)
    if len(players) != game.players or len(returns) != game.players:
        raise FormatError(f"values {values!r}, names {names!r}: {game.players} of each, one per player")
    return HandRecord(game, hand, history, Deal(hole, board), players, returns, 1.0, source, NOTHING)


def _split_line(line: str) -> tuple[str, str, str, str, str]:
    """The fields of a line that the fast pattern refuses: lenient letters and blanks in names pass."""
    fields = line.rstrip("\r\n").split(":")
    if len(fields) != 6 or fields[0] != "STATE":
        raise FormatError(f"{line!r} has {len(fields)} fields; {LINE_FORM} is wanted")
    _word, hand, betting, cards, values, names = fields
    if not _NUMBER.fullmatch(hand):
        raise FormatError(f"hand {hand!r} is not a number")
    if "\n" in names or "\r" in names:
        raise FormatError(f"names {names!r}: {LINE_FORM} is wanted, all on one line")
    return hand, normalise_actions(betting), cards, values, names


def format_hand(record: HandRecord) -> str:
    """The log line of `record`; what the format cannot say is an error."""
    where = record.source or f"hand {record.hand}"
    if not _NUMBER.fullmatch(record.hand):
        raise FormatError(f"{where}: an ACPC log numbers its hands; this one is called {record.hand!r}")
    if record.returns is None:
        raise FormatError(f"{where}: an ACPC log states what every player won; this hand does not say")
    for name in record.players:
        if not is_sayable(name):
            raise FormatError(f"{where}: the name {name!r} cannot stand in an ACPC log: {NAME_FORM}")
    if not BETTING.fullmatch(record.history):
        raise FormatError(f"{where}: betting {record.history!r} is not ACPC text")
    rounds = record.history.count("/")
    if len(record.deal.board) != record.game.board_ends[min(rounds, record.game.rounds - 1)]:
        raise FormatError(f"{where}: {len(record.deal.board)} board cards known: {wanted_cards(record.game, rounds)}")
    cards = format_deal(record.game, record.deal, rounds)
    values = "|".join(map(format_value, record.returns))
    return f"STATE:{record.hand}:{record.history}:{cards}:{values}:{'|'.join(record.players)}"


class Score(NamedTuple):
    """The last line of a log: total chips per seat, `SCORE:455|-455:p1|p2`."""

    values: tuple[float, ...]
    names: tuple[str, ...]
    source: str = ""

    @classmethod
    def parse(cls, line: str, source: str = "") -> Score:
        """The totals of a SCORE line."""
        word, *fields = line.rstrip("\r\n").split(":")
        if word != "SCORE" or len(fields) != 2:
            raise _at(source, FormatError(f"{line!r}: SCORE:totals:names is wanted"))
        score = cls(parse_values(fields[0]), tuple(fields[1].split("|")), source)
        if len(score.values) != len(score.names):
            raise _at(source, FormatError(f"{line!r}: as many totals as names are wanted"))
        return score

    def __str__(self) -> str:
        return f"SCORE:{'|'.join(map(format_value, self.values))}:{'|'.join(self.names)}"
