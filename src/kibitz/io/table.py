"""Hands as tables: one row per hand, one row per action, as Polars frames or Parquet files.

The tables join on `hand_id`, the running number of the hand in what was read.

hands     hand_id, source, hand, game, limit ("limit" or "nolimit"), players, names, stacks, blinds, antes, hole (per
          player, "" where hidden), board, betting (ACPC text), rounds (reached), showdown, returns (net chips, as
          stated by the file, otherwise by the rules), pot (chips in the middle at the end), chip (worth of one chip)
actions   hand_id, index (within the hand), round, player (position), name, kind (fold, check, call, bet, raise),
          raise_to (over the whole hand; null unless bet or raise), chips (added by this action), to_call, pot, stack
          (behind) and the three before the action, all_in
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from kibitz.cards import format_cards
from kibitz.errors import FormatError
from kibitz.games import Game, State, split_actions
from kibitz.io.files import read_records
from kibitz.io.hand_check import check_fully
from kibitz.io.record import HandRecord

CHUNK = 20_000  # hands held in memory at a time

HANDS_SCHEMA: dict[str, Any] = {
    "hand_id": pl.UInt32,
    "source": pl.String,
    "hand": pl.String,
    "game": pl.String,
    "limit": pl.String,
    "players": pl.UInt8,
    "names": pl.List(pl.String),
    "stacks": pl.List(pl.Int64),
    "blinds": pl.List(pl.Int64),
    "antes": pl.List(pl.Int64),
    "hole": pl.List(pl.String),
    "board": pl.String,
    "betting": pl.String,
    "rounds": pl.UInt8,
    "showdown": pl.Boolean,
    "returns": pl.List(pl.Float64),
    "pot": pl.Int64,
    "chip": pl.Float64,
    "currency": pl.String,
}
ACTIONS_SCHEMA: dict[str, Any] = {
    "hand_id": pl.UInt32,
    "index": pl.UInt16,
    "round": pl.UInt8,
    "player": pl.UInt8,
    "name": pl.String,
    "kind": pl.String,
    "raise_to": pl.Int64,
    "chips": pl.Int64,
    "to_call": pl.Int64,
    "pot": pl.Int64,
    "stack": pl.Int64,
    "all_in": pl.Boolean,
}
Row = tuple[object, ...]


class Tables(NamedTuple):
    """The two tables of some hands."""

    hands: pl.DataFrame
    actions: pl.DataFrame


class Written(NamedTuple):
    """How many rows `write_tables` wrote."""

    hands: int
    actions: int


def read_hands(paths: Path | str | Iterable[Path | str], game: Game | None = None) -> Tables:
    """All hands of files, archives and folders as two frames, held in memory; `write_tables` streams to disk."""
    chunks = list(_chunks(read_records(paths, game)))
    return Tables(*(pl.concat(frames) for frames in zip(*chunks, strict=True)))


def write_tables(
    paths: Path | str | Iterable[Path | str],
    out: Path | str,
    game: Game | None = None,
    unplayed: Callable[[str], None] | None = None,
) -> Written:
    """Write `hands.parquet` and `actions.parquet` into the folder `out`, in memory that does not grow with the input.

    Both files appear whole or not at all; the same input gives the same bytes.
    `unplayed` is told of hands of games that Kibitz does not play; without it they are an error.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    rows = [0, 0]
    with tempfile.TemporaryDirectory(dir=out, prefix=".parts-") as folder:
        parts: tuple[list[Path], list[Path]] = ([], [])
        for number, tables in enumerate(_chunks(read_records(paths, game, unplayed))):
            for which, (name, frame) in enumerate(zip(Tables._fields, tables, strict=True)):
                part = Path(folder) / f"{name}-{number:06}.parquet"
                frame.write_parquet(part)
                parts[which].append(part)
                rows[which] += len(frame)
        whole = [Path(folder) / f"{name}.parquet" for name in Tables._fields]
        for path, pieces in zip(whole, parts, strict=True):
            pl.scan_parquet(pieces).sink_parquet(path)
        for path in whole:
            os.replace(path, out / path.name)
    return Written(*rows)


def _chunks(records: Iterator[HandRecord]) -> Iterator[Tables]:
    """The tables of `records`, CHUNK hands at a time; one empty pair when there are none."""
    start = 0
    while True:
        hands: list[Row] = []
        actions: list[Row] = []
        for hand_id, record in enumerate(islice(records, CHUNK), start):
            hands.append(_rows_of(hand_id, record, actions))
        if hands or not start:
            yield Tables(
                pl.DataFrame(hands, schema=HANDS_SCHEMA, orient="row"),
                pl.DataFrame(actions, schema=ACTIONS_SCHEMA, orient="row"),
            )
        start += len(hands)
        if len(hands) < CHUNK:
            return


def _rows_of(hand_id: int, record: HandRecord, actions: list[Row]) -> Row:
    """The row of the hand; the rows of its actions are appended to `actions`."""
    game = record.game
    differences, returns, _state = check_fully(record)
    if broken := [difference for difference in differences if difference.field != "returns"]:
        raise FormatError(f"{broken[0]}; `kibitz hands check` lists all such hands")
    state = State.start(game, record.deal)
    for index, action in enumerate(split_actions(record.history)):
        after = state.apply(action)
        actions.append(_action_row(hand_id, index, action, state, after, record.players))
        state = after
    return (
        hand_id,
        record.source,
        record.hand,
        game.name,
        game.betting,
        game.players,
        record.players,
        game.stacks,
        game.blinds,
        game.antes,
        [format_cards(cards) for cards in record.deal.hole] or [""] * game.players,
        format_cards(record.deal.board),
        record.history,
        state.round + 1,
        state.showdown,
        returns if record.returns is None else tuple(map(float, record.returns)),
        state.awarded if state.finished else state.pot,
        record.chip,
        currency if isinstance(currency := record.extra.get("currency"), str) else None,
    )


def _action_row(hand_id: int, index: int, action: str, state: State, after: State, names: tuple[str, ...]) -> Row:
    player, to_call = state.player, state.to_call
    chips = after.spent[player] - state.spent[player]
    stack = state.game.limits[player] - state.spent[player]
    if action == "f":
        kind = "fold"
    elif action == "c":
        kind = "call" if to_call else "check"
    else:
        # The blinds are the first bet of their round.
        opened = state.raises or (state.round == 0 and state.bet)
        kind = "raise" if opened else "bet"
    raise_to = after.bet if action[0] == "r" else None
    all_in = chips == stack and chips > 0
    return hand_id, index, state.round, player, names[player], kind, raise_to, chips, to_call, state.pot, stack, all_in
