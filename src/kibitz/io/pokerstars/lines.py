"""The lines of a PokerStars hand history, one pattern each."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from typing import NamedTuple

from kibitz.cards import parse_cards
from kibitz.errors import CardError, FormatError
from kibitz.io.phh.games import UnsupportedVariantError

# An amount may carry the sign of a currency and separators of thousands: $1,234.50
_NUMBER = r"[^\d\s()\[\]]{0,3}(\d[\d,]{0,17}(?:\.\d{1,2})?)"
# Where files were cut off and joined, a hand begins in the middle of a line.
START = re.compile(r"(?<!\")(?=PokerStars (?:\w+ ){0,3}(?:Hand|Game) #)")
_HEADER = re.compile(
    r"PokerStars (?P<kind>(?:\w+ ){0,3})(?:Hand|Game) #(?P<hand>\d+): +(?:\{[^}]*\} +)?"
    r"(?:(?P<zoom>Zoom )?Tournament #(?P<tournament>\d+), (?:(?P<buy_in>(?!Hold'em)\S+(?: [A-Z]{2,3}(?= ))?) +)?)?"
    r"(?:(?P<mixed>[\w -]+) \()?(?P<game>[\w'+/ -]+?) (?P<limit>No Limit|Pot Limit|Fixed Limit|Limit)"
    r"(?: Pre-Flop, No Limit Post-Flop)?\)?(?: - (?:Match Round \w+, )?Level (?P<level>[IVXLCDM]+))?"
    rf"(?: \(|, )(?:Button Blind )?(?P<sign>(?=[^\d]))?{_NUMBER}(?:/| - Ante ){_NUMBER}"
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


class Header(NamedTuple):
    """What the first line of a hand says."""

    hand: str
    limit: bool
    stakes: tuple[Decimal, Decimal]  # the blinds, in limit games the bets
    scale: int  # chips to one unit of money
    cap: Decimal | None  # the most that a player can lose in a hand, in games that have one
    details: dict[str, object]  # under the names PHH gives them, where it has any


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


def parse_number(text: str) -> Decimal:
    """The number written `text`, commas between thousands left out."""
    return Decimal(text.replace(",", ""))


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
