"""Hands from any format into ACPC or PHH, with nothing lost in silence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TextIO

from kibitz.errors import FormatError, KibitzError
from kibitz.games import State
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io.acpc import NAME_FORM, is_sayable
from kibitz.io.acpc.log import write_log
from kibitz.io.hand_check import TOLERANCE, check, returns_by_rules
from kibitz.io.record import NOTHING, HandRecord

# Fields of `extra` that retell the hand itself, so that leaving them out loses nothing.
_RETOLD = frozenset({"actions", "betting", "_betting", "blinds_or_straddles", "winnings"})
_HALF_KNOWN = re.compile(r"(?:dh p[0-9]+|sm) (?:\?\?[^?\s]|[^?\s]+\?\?)")
_MOST_REASONS = 5  # told in one error


class Change(NamedTuple):
    """What becomes of a hand that a format cannot say as it is.

    reason   "" where the same is said with other numbers, which is not worth telling
    record   the hand as it can be said, None if it cannot be said at all
    adds     whether the format only asks for something that the hand does not state, and nothing is lost
    """

    reason: str
    record: HandRecord | None
    adds: bool = False


class Conversion(NamedTuple):
    """How many hands were written, and how often each reason made one lose something or left it out.

    additions   the same for what was added to a hand because the format asks for it: nothing is lost there
    """

    written: int
    losses: Counter[str]
    additions: Counter[str]


Changes = Callable[[HandRecord, int], Iterator[Change]]  # of a hand, the so-manieth


def convert(records: Iterable[HandRecord], to: str, out: TextIO, *, lossy: bool = False) -> Conversion:
    """Write `records` to `out` in the format `to`, a key of WRITERS.

    Hands that the format cannot say in full raise `FormatError` with the reasons, after all hands have been looked at;
    with `lossy` what cannot be said is left out and counted.
    """
    hands = _Sayable(records, _CHANGES[to], lossy)
    written = WRITERS[to](hands, out)
    return Conversion(written, hands.losses, hands.additions)


def _write_acpc(records: Iterable[HandRecord], out: TextIO) -> int:
    return write_log(records, out)


def _write_phh(records: Iterable[HandRecord], out: TextIO) -> int:
    from kibitz.io.phh import write_phh

    hands = list(records)
    if len(hands) != 1:
        raise FormatError(f"{len(hands)} hands: a .phh file holds one; phhs takes any number")
    out.write(write_phh(hands[0]))
    return 1


def _write_phhs(records: Iterable[HandRecord], out: TextIO) -> int:
    from kibitz.io.phh import write_phhs

    hands = list(records)
    out.write(write_phhs(hands))
    return len(hands)


WRITERS: dict[str, Callable[[Iterable[HandRecord], TextIO], int]] = {
    "acpc": _write_acpc,
    "phh": _write_phh,
    "phhs": _write_phhs,
}


class _Sayable:
    """The records as far as a format can say them; all changes are counted, and losses raised where none are wanted."""

    def __init__(self, records: Iterable[HandRecord], changes_of: Changes, lossy: bool) -> None:
        self.losses: Counter[str] = Counter()
        self.additions: Counter[str] = Counter()
        self._records, self._changes_of, self._lossy = records, changes_of, lossy

    def __iter__(self) -> Iterator[HandRecord]:
        first = ""  # the first hand of which something is lost
        for index, record in enumerate(self._records):
            kept: HandRecord | None = record
            while kept is not None and (change := next(self._changes_of(kept, index), None)):
                if change.reason:
                    (self.additions if change.adds else self.losses)[change.reason] += 1
                kept = change.record
            if self.losses and not self._lossy:
                first = first or record.source or f"hand {record.hand}"
            elif kept is not None:
                yield kept
        if first:
            raise FormatError(f"{first}: {self._reasons()}; leave out what cannot be said", settings=("lossy",))

    def _reasons(self) -> str:
        if self.losses.total() == 1:
            return next(iter(self.losses))
        told = list(self.losses.items())[:_MOST_REASONS]  # that of the first hand comes first
        counts = ", ".join(f"{reason} ({count} hand{'s' * (count > 1)})" for reason, count in told)
        more = len(self.losses) - len(told)
        return f"{counts} and {more} other reasons" if more else counts


def _acpc_changes(record: HandRecord, index: int) -> Iterator[Change]:
    """What an ACPC log cannot say of `record`, and what it asks for."""
    game = record.game
    if any(game.antes):
        yield Change("ACPC games have no antes that are dead money", None)
    if game.hand_ranking != "standard" or game.min_bet not in (None, max(1, *game.blinds)) or not all(game.bettors):
        yield Change("ACPC games rank hands as usual, open for a big blind and let everybody bet", None)
    if not (record.hand.isascii() and record.hand.isdecimal()):
        yield Change("ACPC logs number their hands", record._replace(hand=str(index)))
    if record.chip != 1:
        whole = _in_whole_units(record)
        if whole:
            yield Change("", whole, adds=True)
        yield Change(f"ACPC does not say that a chip is worth {record.chip:g}", record._replace(chip=1.0))
    off = record.returns is None or abs(sum(record.returns)) > TOLERANCE * game.players  # each was rounded
    if off and ((returns := returns_by_rules(record)) is None or returns != record.returns):
        known = record._replace(returns=returns) if returns else None
        if record.returns is not None:
            yield Change("ACPC knows no rake", known)
        elif known is None:
            yield Change("ACPC states what every player won, which this hand does not tell", None)
        yield Change("results computed by the rules, for the file does not state them", known, adds=True)
    beyond = sorted((set(record.extra) - _RETOLD) | _beyond_actions(record))
    if beyond:
        yield Change(f"ACPC has no place for {', '.join(beyond)}", record._replace(extra=NOTHING))
    if not record.players or not all(map(is_sayable, record.players)):
        yield Change(f"ACPC names have {NAME_FORM}", record._replace(players=_plain_names(record)))
    if game.rules != "acpc":
        same = _with_formalities(record._replace(game=replace(game, rules="acpc")))
        differences = check(same)
        if differences:
            yield Change(f"by the rules of the ACPC the hand is another: {differences[0].field}", None)
        if same.history != record.history:
            yield Change("call added of the one player not all-in before the flop, whom ACPC asks", same, adds=True)


def _beyond_actions(record: HandRecord) -> set[str]:
    """What PHH's action strings and blinds tell that is neither betting nor a whole hand."""
    beyond = set()
    strings = record.extra.get("actions", ())
    if isinstance(strings, Sequence):
        if any("#" in string for string in strings):
            beyond.add("commentary")
        if any(_HALF_KNOWN.search(string.partition("#")[0]) for string in strings):
            beyond.add("hole cards that are half known")
    if "blinds_or_straddles" in record.extra and not _opens_after_late_blinds(record):
        beyond.add("blinds posted late")
    return beyond


def _opens_after_late_blinds(record: HandRecord) -> bool:
    """Whether the order of turns tells which blinds were posted late, so that they need not be told apart."""
    from kibitz.io.phh.writing import blinds_of

    return blinds_of(record._replace(extra=NOTHING)) == blinds_of(record)


def _with_formalities(record: HandRecord) -> HandRecord:
    """The hand with the check of one who has nothing to decide before the flop, whom only the ACPC's dealer asks."""
    first, slash, rest = record.history.partition("/")
    try:
        state = State.start(record.game).play(first)
    except KibitzError:  # another hand by these rules
        return record
    is_asked = slash and state.player >= 0 and not state.to_call and state.able == 1 << state.player
    return record._replace(history=f"{first}c/{rest}") if is_asked else record


def _in_whole_units(record: HandRecord) -> HandRecord | None:
    """The hand with the unit of its file as the chip, or None if not all bets are whole then or it is another hand.

    Readers count in fractions where only the results have them, as after a split pot; ACPC values may be fractions.
    """
    game, parts = record.game, round(1 / record.chip)
    bets = [int(chips) for chips in re.findall(r"[0-9]+", record.history)]
    smallest = () if game.min_bet is None else (game.min_bet,)
    stacks = [stack for stack in game.stacks if stack != UNLIMITED_STACK]
    if any(chips % parts for chips in (*bets, *stacks, *game.blinds, *game.raise_sizes, *smallest)):
        return None
    returns = None if record.returns is None else tuple(chips / parts for chips in record.returns)
    scaled = replace(
        game,
        stacks=tuple(stack if stack == UNLIMITED_STACK else stack // parts for stack in game.stacks),
        blinds=tuple(blind // parts for blind in game.blinds),
        raise_sizes=tuple(size // parts for size in game.raise_sizes),
        min_bet=None if game.min_bet is None else game.min_bet // parts,
        # Half chips are ACPC's own rule for pots that do not divide.
        rules=game.rules if returns is None or all(map(float.is_integer, returns)) else "acpc",
    )
    history = re.sub(r"[0-9]+", lambda match: str(int(match[0]) // parts), record.history)
    whole = record._replace(game=scaled, history=history, returns=returns, chip=1.0)
    return None if scaled.rules != game.rules and check(whole) else whole


def _plain_names(record: HandRecord) -> tuple[str, ...]:
    names = record.players or ("",) * record.game.players
    return tuple(re.sub(r"[:|\r\n()#]", "_", name.strip()) or f"p{position + 1}" for position, name in enumerate(names))


def _phh_changes(record: HandRecord, index: int) -> Iterator[Change]:
    """What PHH cannot say of `record`: its writer knows, and the rules of card rooms."""
    from kibitz.io.phh import write_phh
    from kibitz.io.phh.writing import refusal_of

    try:
        write_phh(record)
        reason = refusal_of(record)
    except KibitzError as error:
        reason = str(error)
    if reason:
        yield Change(f"PHH cannot say this hand: {reason}", None)


_CHANGES: dict[str, Changes] = {"acpc": _acpc_changes, "phh": _phh_changes, "phhs": _phh_changes}
