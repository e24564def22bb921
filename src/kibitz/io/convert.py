"""Hands from any format into ACPC or PHH, with nothing lost in silence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TextIO

from kibitz.errors import FormatError, KibitzError
from kibitz.games import State
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io._acpc_text import is_sayable
from kibitz.io.acpc import NAME_FORM
from kibitz.io.acpc_log import write_log
from kibitz.io.hand_check import TOLERANCE, check, returns_by_rules
from kibitz.io.record import NOTHING, HandRecord

# Fields of `extra` that retell the hand itself, so that leaving them out loses nothing.
_RETOLD = frozenset({"actions", "betting", "_betting", "blinds_or_straddles"})


class Loss(NamedTuple):
    """Something of a hand that a format cannot say; `record` is the hand without it, None if nothing can be said.

    A harmless one changes neither play nor result: it is counted but no error.
    """

    reason: str
    record: HandRecord | None
    harmless: bool = False


class Conversion(NamedTuple):
    """How many hands were written, and how often each reason made one lose something or left one out."""

    written: int
    losses: Counter[str]


def convert(records: Iterable[HandRecord], to: str, out: TextIO, *, lossy: bool = False) -> Conversion:
    """Write `records` to `out` in the format `to`, a key of WRITERS.

    A hand that the format cannot say raises `FormatError` with the reason; with `lossy` what cannot be said is left
    out and counted.
    """
    losses: Counter[str] = Counter()
    written = WRITERS[to](records, out, losses, lossy)
    return Conversion(written, losses)


def _write_acpc(records: Iterable[HandRecord], out: TextIO, losses: Counter[str], lossy: bool) -> int:
    return write_log(_sayable(records, _acpc_losses, losses, lossy), out)


def _write_phh(records: Iterable[HandRecord], out: TextIO, losses: Counter[str], lossy: bool) -> int:
    from kibitz.io.phh import write_phh

    hands = list(_sayable(records, _phh_losses, losses, lossy))
    if len(hands) != 1:
        raise FormatError(f"{len(hands)} hands: a .phh file holds one; phhs takes any number")
    out.write(write_phh(hands[0]))
    return 1


def _write_phhs(records: Iterable[HandRecord], out: TextIO, losses: Counter[str], lossy: bool) -> int:
    from kibitz.io.phh import write_phhs

    hands = list(_sayable(records, _phh_losses, losses, lossy))
    out.write(write_phhs(hands))
    return len(hands)


WRITERS: dict[str, Callable[[Iterable[HandRecord], TextIO, Counter[str], bool], int]] = {
    "acpc": _write_acpc,
    "phh": _write_phh,
    "phhs": _write_phhs,
}


def _sayable(
    records: Iterable[HandRecord],
    losses_of: Callable[[HandRecord, int], Iterator[Loss]],
    losses: Counter[str],
    lossy: bool,
) -> Iterator[HandRecord]:
    """The records as far as they can be said; every loss is counted, or raised where none are wanted."""
    for index, record in enumerate(records):
        kept: HandRecord | None = record
        while kept is not None:
            loss = next(losses_of(kept, index), None)
            if loss is None:
                yield kept
                break
            if not (lossy or loss.harmless):
                where = record.source or f"hand {record.hand}"
                raise FormatError(f"{where}: {loss.reason}; --lossy leaves out what cannot be said")
            losses[loss.reason] += 1
            kept = loss.record


def _acpc_losses(record: HandRecord, index: int) -> Iterator[Loss]:
    """What an ACPC log cannot say of `record`."""
    game = record.game
    if any(game.antes):
        yield Loss("ACPC games have no antes that are dead money", None)
    if game.hand_ranking != "standard" or game.min_bet not in (None, max(1, *game.blinds)) or not all(game.bettors):
        yield Loss("ACPC games rank hands as usual, open for a big blind and let everybody bet", None)
    if not (record.hand.isascii() and record.hand.isdecimal()):
        yield Loss("ACPC logs number their hands", record._replace(hand=str(index)))
    if record.chip != 1:
        whole = _in_whole_units(record)
        kept = whole or record._replace(chip=1.0)
        yield Loss(f"ACPC does not say that a chip is worth {record.chip:g}", kept, whole is not None)
    off = record.returns is None or abs(sum(record.returns)) > TOLERANCE * game.players  # each was rounded
    if off and ((returns := returns_by_rules(record)) is None or returns != record.returns):
        known = record._replace(returns=returns) if returns else None
        if record.returns is not None:
            yield Loss("ACPC knows no rake", known)
        yield Loss("ACPC states what every player won; this hand leaves it to the rules", known, known is not None)
    beyond = sorted(set(record.extra) - _RETOLD - {"winnings"})
    if beyond:
        told = record._replace(extra=NOTHING)
        harmless = beyond == ["mucked"] and all(record.deal.hole) and not check(told)  # the cards decide either way
        yield Loss(f"ACPC has no place for {', '.join(beyond)}", told, harmless)
    if not record.players or not all(map(is_sayable, record.players)):
        yield Loss(f"ACPC names have {NAME_FORM}", record._replace(players=_plain_names(record)))
    if game.rules != "acpc":
        same = _with_formalities(record._replace(game=replace(game, rules="acpc")))
        differences = check(same)
        if differences:
            yield Loss(f"by the rules of the ACPC the hand is another: {differences[0].field}", None)
        if same.history != record.history:
            yield Loss("ACPC also asks the one player who is not all-in before the flop, who calls", same, True)


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
    """The hand with the unit of its file as the chip, or None if not all bets are whole then.

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
    return record._replace(game=scaled, history=history, returns=returns, chip=1.0)


def _plain_names(record: HandRecord) -> tuple[str, ...]:
    names = record.players or ("",) * record.game.players
    return tuple(re.sub(r"[:|\r\n()#]", "_", name.strip()) or f"p{position + 1}" for position, name in enumerate(names))


def _phh_losses(record: HandRecord, index: int) -> Iterator[Loss]:
    """What PHH cannot say of `record`: its writer knows."""
    from kibitz.io.phh import write_phh

    try:
        write_phh(record)
    except KibitzError as error:
        yield Loss(f"PHH cannot say this hand: {error}", None)
