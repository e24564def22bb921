"""Hand histories of PokerStars: hold'em, no-limit and limit, cash games and tournaments.

The text names players by name and counts bets by street; seats and the button give the positions. Money is counted in
cents, tournament and play chips as they are. A dead small blind becomes an ante.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import kibitz.io.pokerstars.lines as lines
from kibitz.errors import FormatError
from kibitz.io.phh.games import UnsupportedVariantError
from kibitz.io.pokerstars.hand import Hand, make_record
from kibitz.io.record import HandRecord

_CONTROL = {code: None for code in range(32) if chr(code) not in "\t\n"}
_BOARD_CARDS = {"FLOP": 3, "TURN": 1, "RIVER": 1}
_BOARD_BEFORE = {"FLOP": 0, "TURN": 3, "RIVER": 4}


def read_pokerstars(
    text: str, source: str = "", on_error: Callable[[FormatError], None] | None = None
) -> Iterator[HandRecord]:
    """The hands of `text`; `source` is its name.

    A hand that cannot be read raises FormatError (UnsupportedVariantError if it is of another game, run twice or
    cancelled), or is passed over and its error given to `on_error`. Returns are what players collected less what they
    put in, so they sum to minus the rake, which is `extra["rake"]`, in chips. `extra["mucked"]` are the players who
    gave up at the showdown.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").translate(_CONTROL)
    starts = [match.end() for match in lines.START.finditer(text)]
    if not starts and text.strip("\ufeff \t\n"):
        raise FormatError(f"{source or 'text'}: no line starts a PokerStars hand (PokerStars Hand #...)")
    number, position = 1, 0
    for start, end in pairwise([*starts, len(text)]):
        number += text.count("\n", position, start)
        position = start
        try:
            yield _read_hand(text[start:end].split("\n"), source, number)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)


def _read_hand(texts: list[str], source: str, first: int) -> HandRecord:
    """The hand whose lines are `texts`, the first of them number `first` of the file."""
    hand = Hand(line=first)
    try:
        hand.header = lines.parse_header(texts[0].rstrip())
        for text in texts[1:]:
            hand.line += 1
            _read_line(hand, text.strip(" \t"))
        hand.line = first
        return make_record(hand, f"{source}:{first}" if source else "")
    except FormatError as error:
        told = type(error)(f"{source or 'line'}:{hand.line}: {error}")
        told.hand = texts[0].partition("#")[2].partition(":")[0] or told.hand
        raise told from error


def _read_line(hand: Hand, text: str) -> None:
    if text.startswith("*** "):
        _read_section(hand, text)
    elif hand.over:
        _read_summary(hand, text)
    elif (match := lines.SEAT.fullmatch(text)) and not hand.actions:
        hand.sit(match["name"], int(match["seat"]), hand.chips(match[3]))
    elif match := lines.TABLE.fullmatch(text):
        hand.details["table"] = match["name"]
        if match["seats"]:  # not told in 2005
            hand.details["seat_count"] = int(match["seats"])
        hand.button = int(match["button"])
    elif text == "Hand cancelled":
        raise UnsupportedVariantError("the hand was cancelled")
    elif (match := lines.DEALT.fullmatch(text)) and match["name"] in hand.seats:
        hand.hole[match["name"]] = lines.parse_shown(match["cards"])
    elif (match := lines.UNCALLED.fullmatch(text)) and match["name"] in hand.seats:
        hand.uncalled[match["name"]] = hand.chips(match[1])
    else:
        _read_player_line(hand, text)


def _read_player_line(hand: Hand, text: str) -> None:
    """A line that begins with the name of a player; anything else, such as chat, is passed over."""
    # The longest name counts: a name may begin with another, and contain ": ".
    name = max((name for name in hand.seats if text.startswith((f"{name}: ", f"{name} "))), key=len, default="")
    rest = text[len(name) :]
    if not name:
        return
    if rest.startswith(": "):
        _read_action(hand, name, rest[2:].strip())
    elif match := lines.COLLECTED.fullmatch(rest.strip()):
        hand.collected[name] = hand.collected.get(name, 0) + hand.chips(match[1])
    elif match := lines.CASHED_OUT.fullmatch(rest.strip()):
        hand.cashed_out[name] = hand.chips(match[1])


def _read_action(hand: Hand, name: str, words: str) -> None:
    if match := lines.POST.fullmatch(words):
        hand.post(name, match["what"], hand.chips(match[2]), "all-in" in match["rest"])
    elif words == "checks" or words.startswith("folds"):
        hand.act(name, words[:5])
    elif match := lines.BET.fullmatch(words):
        hand.act(name, match["verb"], hand.chips(match[2]), bool(match[3]))
    elif match := lines.RAISE.fullmatch(words):
        hand.act(name, "raises", hand.chips(match[2]), bool(match[3]))
    elif match := lines.SHOWS.fullmatch(words):
        cards = lines.parse_shown(match["cards"])
        if len(cards) == 2:  # in cash games one card alone may be shown
            hand.hole[name] = cards
    elif words.startswith("mucks hand"):
        hand.mucked.append(name)
    elif not lines.IGNORED.fullmatch(words):
        raise FormatError(f"{name!r} does something unknown: {words!r}")


def _read_section(hand: Hand, text: str) -> None:
    match = lines.STREET.fullmatch(text)
    name = match["street"] if match else ""
    if match and match["run"]:
        raise UnsupportedVariantError("a hand whose board is run more than once is not played here")
    if match and name in _BOARD_CARDS:
        cards = lines.parse_bracketed(match["cards"])
        if len(cards) != _BOARD_CARDS[name] or len(hand.board) != _BOARD_BEFORE[name]:
            raise FormatError(f"{text!r} after {len(hand.board)} board cards: the {name.lower()} does not fit here")
        hand.board += cards
        hand.act("", "deals")
    elif name == "SUMMARY":
        hand.over = True
    elif name not in ("HOLE CARDS", "SHOW DOWN"):
        raise FormatError(f"section {text!r} is unknown")


def _read_summary(hand: Hand, text: str) -> None:
    if match := lines.RAKE.fullmatch(text):
        hand.rake = hand.chips(match[2])
    elif "run twice" in text:
        raise UnsupportedVariantError("a hand whose board is run more than once is not played here")
    elif match := lines.SUMMARY_CARDS.fullmatch(text):
        cards = lines.parse_shown(match["cards"])
        if match["name"] in hand.seats and len(cards) == 2:
            hand.hole.setdefault(match["name"], cards)
