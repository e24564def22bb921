"""Hand histories of PokerStars: hold'em, no-limit and limit, cash games and tournaments.

The text names players by name and counts bets by street; seats and the button give the positions. Money is counted in
cents, tournament and play chips as they are. A dead small blind becomes an ante.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from kibitz.cards import parse_cards
from kibitz.errors import CardError, FormatError
from kibitz.io.phh.games import UnsupportedVariantError
from kibitz.io.pokerstars.hand import Hand, Header, make_record, parse_number
from kibitz.io.record import HandRecord

# An amount may carry the sign of a currency and separators of thousands: $1,234.50
_NUMBER = r"[^\d\s()\[\]]{0,3}(\d[\d,]{0,17}(?:\.\d{1,2})?)"
# Where files were cut off and joined, a hand begins in the middle of a line.
START = re.compile(r"(?<!\")(?=PokerStars (?:\w+ ){0,3}(?:Hand|Game) #)")
_HEADER = re.compile(
    r"PokerStars (?P<kind>(?:\w+ ){0,3})(?:Hand|Game) #(?P<hand>\d+): +(?:\{[^}]*\} +)?"
    r"(?:(?P<zoom>Zoom )?Tournament #(?P<tournament>\d+), (?:(?P<buy_in>(?!Hold'em)\S+(?: [A-Z]{2,3}(?= ))?) +)?)?"
    r"(?:(?P<mixed>[\w -]+) \()?(?P<game>[\w'+/ -]+?) (?P<limit>No Limit|Pot Limit|Fixed Limit|Limit)"
    r"(?: Pre-Flop, No Limit Post-Flop)?\)?(?: - (?:Match Round \w+, )?Level (?P<level>[IVXLCDM]+))?"
    rf"(?: \(|, )(?:Button Blind )?(?P<sign>[^\d\s()\[\]]{{1,3}})?{_NUMBER}(?:/| - Ante ){_NUMBER}"
    rf"(?: - (?P<cap>{_NUMBER}) Cap -)?(?: +(?P<currency>[A-Z]{{3}}))?[^)]*\)"
    r" - (?P<year>\d{4})/(?P<month>\d\d?)/(?P<day>\d\d?) (?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)"
    r"(?: (?P<zone>[A-Z]{2,5}))?.*"
)
TABLE = re.compile(r"Table '(?P<name>.*)'(?: (?P<seats>\d+)-max)?(?: \(.*?\))? Seat #(?P<button>\d+) is the button.*")
_ALL_IN = r"( and is all-in| and has reached the \S+ cap)?"
SEAT = re.compile(rf"Seat (?P<seat>\d+): (?P<name>.+) \({_NUMBER} in chips(?:, .*)?\).*")
STREET = re.compile(r"\*\*\* (?P<run>FIRST |SECOND |THIRD )?(?P<street>[A-Z ]+?) \*\*\*(?P<cards>.*)")
DEALT = re.compile(r"Dealt to (?P<name>.+?) \[(?P<cards>[^\]]+)\].*")
UNCALLED = re.compile(rf"Uncalled bet \({_NUMBER}\) returned to (?P<name>.+)")
COLLECTED = re.compile(rf"collected {_NUMBER} from (?:main |side )?pot.*")
CASHED_OUT = re.compile(rf"cashed out the hand for {_NUMBER}.*")
RAKE = re.compile(rf"Total pot {_NUMBER}.*\| Rake {_NUMBER}.*")
SUMMARY_CARDS = re.compile(r"Seat \d+: (?P<name>.+?)(?: \([a-z ]+\))* (?:mucked|showed) \[(?P<cards>[^\]]+)\].*")
POST = re.compile(rf"posts (?P<what>the ante|small blind|big blind|small & big blinds|straddle) {_NUMBER}(?P<rest>.*)")
BET = re.compile(rf"(?P<verb>calls|bets) {_NUMBER}{_ALL_IN}")
RAISE = re.compile(rf"raises {_NUMBER} to {_NUMBER}{_ALL_IN}")
SHOWS = re.compile(r"shows \[(?P<cards>[^\]]+)\].*")
IGNORED = re.compile(r"(?:sits out|is sitting out|doesn't show hand|has timed out|is (?:dis)?connected|will ).*")
_BRACKETS = re.compile(r"\[([^\]]*)\]")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_CONTROL = {code: None for code in range(32) if chr(code) not in "\t\n"}
_BOARD_CARDS = {"FLOP": 3, "TURN": 1, "RIVER": 1}
_BOARD_BEFORE = {"FLOP": 0, "TURN": 3, "RIVER": 4}


def parse_header(line: str) -> Header:
    """The first line of a hand, refused if its game is not Texas hold'em."""
    match = _HEADER.fullmatch(line)
    if match is None:
        raise FormatError(f"{line!r} is no first line of a PokerStars hand")
    if match["game"] != "Hold'em" or match["limit"] == "Pot Limit":
        raise UnsupportedVariantError(
            f"{match['game']} {match['limit']} is not supported: Hold'em No Limit and Hold'em Limit are"
        )
    numbers = match.groups()
    first = match.re.groupindex["sign"]
    stakes = (parse_number(numbers[first]), parse_number(numbers[first + 1]))
    cap = parse_number(numbers[match.re.groupindex["cap"]]) if match["cap"] else None
    money = match["sign"] is not None or any(stake != int(stake) for stake in stakes)
    try:
        time = datetime.time(int(match["hour"]), int(match["minute"]), int(match["second"]))
    except ValueError as error:
        raise FormatError(f"time in {line!r}: {error}") from error
    details: dict[str, object] = {"venue": "PokerStars", "time": time}
    details |= {name: int(match[name]) for name in ("day", "month", "year")}
    if match["zone"]:
        details["time_zone_abbreviation"] = match["zone"]
    if match["level"]:
        details["level"] = _parse_roman(match["level"])
    if match["currency"]:
        details["currency"] = match["currency"]
    if match["sign"]:
        details["currency_symbol"] = match["sign"]
    if match["tournament"]:
        details["tournament"] = match["tournament"]
    if match["buy_in"]:
        details["buy_in"] = match["buy_in"]
    if match["mixed"]:
        details["mixed"] = match["mixed"]
    if match["zoom"] or "Zoom" in match["kind"]:
        details["zoom"] = True
    return Header(match["hand"], match["limit"] != "No Limit", stakes, 100 if money else 1, cap, details)


def _parse_roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


def parse_bracketed(text: str) -> tuple[int, ...]:
    """The cards in the last brackets of `text`."""
    found = _BRACKETS.findall(text)
    if not found:
        raise FormatError(f"no cards in {text!r}")
    return parse_shown(found[-1])


def parse_shown(text: str) -> tuple[int, ...]:
    """Cards as in `Ah Kd`."""
    try:
        return parse_cards(text)
    except CardError as error:
        raise FormatError(str(error)) from error


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
    starts = [match.end() for match in START.finditer(text)]
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
        hand.header = parse_header(texts[0].rstrip())
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
    elif (match := SEAT.fullmatch(text)) and not hand.actions:
        hand.sit(match["name"], int(match["seat"]), hand.chips(match[3]))
    elif match := TABLE.fullmatch(text):
        hand.details["table"] = match["name"]
        if match["seats"]:  # not told in 2005
            hand.details["seat_count"] = int(match["seats"])
        hand.button = int(match["button"])
    elif text == "Hand cancelled":
        raise UnsupportedVariantError("the hand was cancelled")
    elif (match := DEALT.fullmatch(text)) and match["name"] in hand.seats:
        hand.hole[match["name"]] = parse_shown(match["cards"])
    elif (match := UNCALLED.fullmatch(text)) and match["name"] in hand.seats:
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
    elif match := COLLECTED.fullmatch(rest.strip()):
        hand.collected[name] = hand.collected.get(name, 0) + hand.chips(match[1])
    elif match := CASHED_OUT.fullmatch(rest.strip()):
        hand.cashed_out[name] = hand.chips(match[1])


def _read_action(hand: Hand, name: str, words: str) -> None:
    if match := POST.fullmatch(words):
        hand.post(name, match["what"], hand.chips(match[2]), "all-in" in match["rest"])
    elif words == "checks" or words.startswith("folds"):
        hand.act(name, words[:5])
    elif match := BET.fullmatch(words):
        hand.act(name, match["verb"], hand.chips(match[2]), bool(match[3]))
    elif match := RAISE.fullmatch(words):
        hand.act(name, "raises", hand.chips(match[2]), bool(match[3]))
    elif match := SHOWS.fullmatch(words):
        cards = parse_shown(match["cards"])
        if len(cards) == 2:  # in cash games one card alone may be shown
            hand.hole[name] = cards
    elif words.startswith("mucks hand"):
        hand.mucked.append(name)
    elif not IGNORED.fullmatch(words):
        raise FormatError(f"{name!r} does something unknown: {words!r}")


def _read_section(hand: Hand, text: str) -> None:
    match = STREET.fullmatch(text)
    name = match["street"] if match else ""
    if match and match["run"]:
        raise UnsupportedVariantError("a hand whose board is run more than once is not played here")
    if match and name in _BOARD_CARDS:
        cards = parse_bracketed(match["cards"])
        if len(cards) != _BOARD_CARDS[name] or len(hand.board) != _BOARD_BEFORE[name]:
            raise FormatError(f"{text!r} after {len(hand.board)} board cards: the {name.lower()} does not fit here")
        hand.board += cards
        hand.act("", "deals")
    elif name == "SUMMARY":
        hand.over = True
    elif name not in ("HOLE CARDS", "SHOW DOWN"):
        raise FormatError(f"section {text!r} is unknown")


def _read_summary(hand: Hand, text: str) -> None:
    if match := RAKE.fullmatch(text):
        hand.rake = hand.chips(match[2])
    elif "run twice" in text:
        raise UnsupportedVariantError("a hand whose board is run more than once is not played here")
    elif match := SUMMARY_CARDS.fullmatch(text):
        cards = parse_shown(match["cards"])
        if match["name"] in hand.seats and len(cards) == 2:
            hand.hole.setdefault(match["name"], cards)
