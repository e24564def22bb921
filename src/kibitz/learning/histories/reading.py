"""Hands of limit hold'em from logs of any format that `kibitz.io` reads, each checked against the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kibitz.errors import FormatError, GameError, KibitzError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io.hand_check import check_fully
from kibitz.io.logs import list_files, read_file
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.learning.histories.hands import HIDDEN, MUCKED, SHOWN, UNKNOWN, Hands, Integers
from kibitz.learning.records import MOST_DECISIONS, SEATS
from kibitz.learning.states import action_numbers
from kibitz.learning.tables import TableRules, rules_of

_BOARD_CARDS = (0, 3, 4, 5)
_NO_LIMIT = "a no-limit hand: the model knows fold, call and one size of raise, and cannot say how much was bet"


class _Read(NamedTuple):
    """A hand that can be used."""

    record: HandRecord
    rules: TableRules
    actions: Integers
    active: int
    match: int


def read_hands(logs: Iterable[Path], game: Game | None = None, skip_bad: bool = False) -> tuple[Hands, list[Refusal]]:
    """The hands of `logs` (files, archives, folders) in their order, and those that were passed over.

    game   of ACPC logs that do not name theirs
    A hand that breaks the rules, or that is not limit hold'em without antes and all-ins, is an error that names file
    and deal; with `skip_bad` it is passed over.
    """
    found: list[_Read] = []
    broken: list[Refusal] = []
    matches: dict[str, int] = {}
    known: dict[Game, TableRules | str] = {}
    for file in list_files(logs):
        for event in read_file(file, game):
            read = _read(event, matches, known) if isinstance(event, HandRecord) else event
            if isinstance(read, _Read):
                found.append(read)
                continue
            if not skip_bad:
                raise FormatError(f"{read}; skip broken hands to use the rest", settings=("skip_bad",))
            broken.append(Refusal("", read.source, read.text) if isinstance(read, Note) else read)
    if not found:
        first = f": the first is {broken[0]}" if broken else ""
        raise KibitzError(f"no hand of limit hold'em in these logs, {len(broken):,} cannot be used{first}")
    return _arrays(found), broken


def _read(record: HandRecord, matches: dict[str, int], known: dict[Game, TableRules | str]) -> _Read | Refusal:
    """A record as a hand that can be used, or why it cannot."""
    game = record.game
    if game not in known:
        known[game] = _rules(game)
    rules = known[game]
    if isinstance(rules, str):
        return Refusal(record.hand, record.source, rules)
    checked = check_fully(record)
    if checked.refusal:
        return checked.refusal
    state, actions = checked.state, action_numbers(record.history)
    stage = record.history.rstrip("/").count("/")
    reason = ""
    if any(chips >= stack for chips, stack in zip(state.spent, game.stacks, strict=True)):
        reason = "a player is all-in: the model knows no stacks"
    elif len(record.deal.board) < _BOARD_CARDS[min(stage, 3)]:
        reason = f"{len(record.deal.board)} board cards after {record.history}: {_BOARD_CARDS[stage]} are needed"
    elif record.history.partition("/")[0].count("r") > max(rules.cap - 1, 0) and not rules.uncapped_heads_up:
        reason = (
            f"more than {rules.cap - 1} raises before the flop, where the big blind is the first of {rules.cap} bets"
        )
    elif len(actions) > min(MOST_DECISIONS, rules.decision_cap):
        reason = f"{len(actions):,} actions: at most {min(MOST_DECISIONS, rules.decision_cap):,} are followed"
    if reason:
        return Refusal(record.hand, record.source, reason)
    file = record.source.rpartition(":")[0] or record.source
    match = matches.setdefault(file, len(matches))
    return _Read(record, rules, actions, (1 << game.players) - 1 & ~state.folded, match)


def _rules(game: Game) -> TableRules | str:
    """The rules of the table, or why its hands cannot be used. Stacks and short all-ins come later, hand by hand."""
    if game.betting != "limit":
        return _NO_LIMIT
    if not 2 <= game.players <= SEATS:
        return f"{game.players} players: 2 to {SEATS} are known"
    try:
        # Rooms say no cap of their first round apart: its big blind counts as a bet here.
        raises = (max(game.max_raises[1] - 1, 0), *game.max_raises[1:])
        return rules_of(replace(game, stacks=(UNLIMITED_STACK,) * game.players, rules="acpc", max_raises=raises))
    except GameError as error:
        return str(error)


def _arrays(found: list[_Read]) -> Hands:
    count = len(found)
    cards = np.full((count, 2 * SEATS + 5), UNKNOWN, dtype=np.uint8)
    seen = np.full((count, SEATS), HIDDEN, dtype=np.uint8)
    names = np.full((count, SEATS), -1, dtype=np.int64)
    numbers: dict[str, int] = {}
    rules: dict[TableRules, int] = {}
    for i, (record, _, _, _, _) in enumerate(found):
        hole, board = record.deal
        cards[i, 2 * SEATS : 2 * SEATS + len(board)] = board
        mucked = record.extra.get("mucked")
        for seat, name in enumerate(record.players):
            names[i, seat] = numbers.setdefault(name, len(numbers))
            if isinstance(mucked, tuple) and seat in mucked:
                seen[i, seat] = MUCKED  # also where the file discloses the cards later: the table did not see them
            elif hole and hole[seat]:
                cards[i, 2 * seat : 2 * seat + 2] = hole[seat]
                seen[i, seat] = SHOWN
    return Hands(
        np.array([each.record.game.players for each in found], dtype=np.int64),
        cards,
        seen,
        np.cumsum([0, *(len(each.actions) for each in found)], dtype=np.int64),
        np.concatenate([each.actions for each in found]),
        np.array([each.active for each in found], dtype=np.int64),
        np.array([each.match for each in found], dtype=np.int64),
        names,
        np.array([rules.setdefault(each.rules, len(rules)) for each in found], dtype=np.int64),
        tuple(rules),
        tuple(numbers),
        tuple(each.record.source for each in found),
    )
