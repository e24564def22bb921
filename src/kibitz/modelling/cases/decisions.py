"""Hands of an expert turned into rows of cases, many at a time.

Python sees every hand once; the buckets, textures and sums of all its decisions are found by the batch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from kibitz.games import Game
from kibitz.io.record import HandRecord
from kibitz.modelling.cases.base import HANDS, KEPT, KEYS, ORDERED, ORDERED_TYPE, SCHEMA, merge, state_texts
from kibitz.modelling.cases.betting import read_decisions
from kibitz.modelling.cases.features import Description, check_holdem, textures
from kibitz.modelling.cases.strength import BOARD_CARDS, Strength
from kibitz.modelling.logs import Location

BATCH = 50_000  # hands held at a time
_MOST_BOARD = BOARD_CARDS[-1]
_MILLI = 1000
_SCHEMA = {**SCHEMA, HANDS: ORDERED_TYPE}
Ints = npt.NDArray[np.int64]


class _Bettings:
    """The decisions in the bettings of a batch, end to end; the same betting by the same player is read once."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._numbers: dict[tuple[Game, str, int], int] = {}
        self._sequences: dict[str, int] = {}
        self._rows: list[tuple[int, int, int, int]] = []  # sequence, round, commitment, action
        self._texts: list[tuple[str, str]] = []  # of the state, before and after the hole cards
        self._starts = [0]

    def number(self, game: Game, history: str, player: int) -> int:
        """The number of a betting, which is read if it is new."""
        key = game, history, player
        number = self._numbers.get(key)
        if number is None:
            self._read(game, history, player)
            number = self._numbers[key] = len(self._starts) - 2
        return number

    def _read(self, game: Game, history: str, player: int) -> None:
        of, numbers = self._description, self._sequences
        check_holdem(game, of.letters)
        for each in read_decisions(game, history, player, of.letters, of.reading, of.commitments):
            sequence = numbers.setdefault(each.sequence, len(numbers))
            self._rows.append((sequence, each.round, each.commitment, of.alphabet.index(each.action)))
            self._texts.append((f"{each.history}:{'|' * player}", "|" * (game.players - 1 - player)))
        self._starts.append(len(self._rows))

    def columns(self) -> tuple[Ints, Ints]:
        """Rows int64[n, 4]; where the rows of each betting start, and an end."""
        return np.array(self._rows, dtype=np.int64).reshape(-1, 4), np.array(self._starts, dtype=np.int64)

    @property
    def sequences(self) -> pl.Series:
        """Sequences by their number."""
        return pl.Series(list(self._sequences), dtype=pl.String)

    @property
    def texts(self) -> pl.DataFrame:
        """Per row, what stands before and after the hole cards in the text of the state."""
        return pl.DataFrame(self._texts, schema={"before": pl.String, "after": pl.String}, orient="row")


class Collector:
    """Takes hands one by one and keeps the rows of their cases, merged, in memory that grows with the cases only."""

    def __init__(self, description: Description, strength: Strength) -> None:
        self._description = description
        self._strength = strength
        self._merged: list[pl.DataFrame] = []
        self._begin()

    def _begin(self) -> None:
        self._bettings = _Bettings(self._description)
        self._hands: list[tuple[int, ...]] = []  # betting, outcome, log, number, hole cards, board
        self._places: list[str] = []

    def add(
        self,
        record: HandRecord,
        player: int,
        returns: tuple[float, ...],
        place: Location = (0, 0),
        text: str = "",
    ) -> None:
        """Take the decisions of `player` in a hand that keeps the rules; `returns` are the chips it won.

        place, text   of the hand in the logs: numbers that put hands in order, and words for people
        """
        betting = self._bettings.number(record.game, record.history, player)
        outcome = round(_MILLI * returns[player] / record.game.big_blind)
        board = record.deal.board
        cards = *record.deal.hole[player], *board, *(0,) * (_MOST_BOARD - len(board))
        self._hands.append((betting, outcome, *place, *cards))
        self._places.append(text)
        if len(self._hands) == BATCH:
            self._flush()

    def rows(self) -> pl.DataFrame:
        """The rows of all hands so far, as a case base keeps them."""
        self._flush()
        self._merged = [merge([pl.DataFrame(schema=_SCHEMA), *self._merged])]
        return self._merged[0]

    def _flush(self) -> None:
        if not self._hands:
            return
        self._merged.append(self._expand())
        self._begin()
        # Merging whenever the small ones outgrow the large one reads every row a few times only.
        if sum(map(len, self._merged[1:])) > len(self._merged[0]):
            self._merged = [merge(self._merged)]

    def _expand(self) -> pl.DataFrame:
        """One row per decision of the batch, equal ones merged."""
        rows, starts = self._bettings.columns()
        hands = np.array(self._hands, dtype=np.int64)
        lengths = np.diff(starts)[hands[:, 0]]
        hand = np.repeat(np.arange(len(hands)), lengths)
        within = np.arange(len(hand)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        decision = starts[hands[hand, 0]] + within
        sequence, round_, commitment, action = rows[decision].T
        cards = hands[:, 4:].astype(np.uint8)[hand]
        strength, texture = self._look(cards, round_)
        columns = {
            "sequence": sequence,
            "strength": strength,
            "commitment": commitment,
            "texture": texture,
            "action": action,
            "count": np.ones(len(hand), dtype=np.uint32),
            "outcome": hands[hand, 1],
            HANDS: np.arange(len(hand)),
        }
        sums = pl.col("count").sum(), pl.col("outcome").sum(), pl.col(HANDS).head(KEPT)
        merged = pl.DataFrame(columns).group_by(*KEYS, "action").agg(*sums)
        kept = merged[HANDS].list.len().to_numpy()
        chosen = merged[HANDS].explode().to_numpy()
        named = self._name(hands[hand[chosen]], hand[chosen], decision[chosen], cards[chosen], round_[chosen])
        owner = np.repeat(np.arange(len(merged)), kept)
        lists = named.group_by(pl.Series("row", owner), maintain_order=True).agg(pl.struct(*ORDERED).alias(HANDS))
        sequences = self._bettings.sequences.gather(merged["sequence"])
        return merged.with_columns(sequences.alias("sequence"), lists[HANDS]).cast(_SCHEMA)

    def _look(self, cards: npt.NDArray[np.uint8], round_: Ints) -> tuple[Ints, npt.NDArray[np.uint8]]:
        """Strength and texture of many decisions; cards are hole cards and board."""
        strength, texture = np.zeros(len(cards), dtype=np.int64), np.zeros(len(cards), dtype=np.uint8)
        for number, size in enumerate(BOARD_CARDS):
            here = np.flatnonzero(round_ == number)
            if len(here):
                board = np.ascontiguousarray(cards[here, 2 : 2 + size])
                strength[here] = self._strength.buckets(np.ascontiguousarray(cards[here, :2]), board, number)
                texture[here] = textures(board)
        return strength, texture

    def _name(
        self, hands: Ints, numbers: Ints, decisions: Ints, cards: npt.NDArray[np.uint8], round_: Ints
    ) -> pl.DataFrame:
        """References to some decisions: hands int64[n, 11], their numbers in the batch, and their rows of betting."""
        before, after = (column.gather(decisions) for column in self._bettings.texts)
        return pl.DataFrame(
            {
                "log": hands[:, 2],
                "number": hands[:, 3],
                "place": pl.Series(self._places, dtype=pl.String).gather(numbers),
                "state": state_texts(before, after, cards, round_),
            },
            schema_overrides=ORDERED,
        )
