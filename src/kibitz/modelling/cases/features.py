"""What describes a decision (Rubin and Watson 2011, table 1), and the settings by which hands are described."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kibitz.errors import GameError, KibitzError
from kibitz.games import Game, State
from kibitz.modelling.cases.alphabet import NEXT_ROUND, SARTRE, Alphabet, find_alphabet
from kibitz.modelling.cases.betting import stack_commitment
from kibitz.modelling.cases.strength import BOARD_CARDS, SARTRE_STRENGTH, Strength
from kibitz.modelling.cases.texture import texture
from kibitz.translation import Reading

FEATURES = ("strength", "betting", "commitment", "texture")


class Features(NamedTuple):
    """The four features of a decision.

    strength    from 1, the weakest, to the number of buckets of the round
    sequence    the abstract betting so far
    commitment  from 1 to the granularity
    texture     A to I; A before the flop
    """

    strength: int
    sequence: str
    commitment: int
    texture: str

    @property
    def round(self) -> int:
        """The betting round, 0 before the flop."""
        return self.sequence.count(NEXT_ROUND)


@dataclass(frozen=True)
class Description:
    """How hands are turned into cases; cases of different descriptions do not go together.

    alphabet     abstract actions
    strength     name of the hand-strength buckets, see `kibitz.modelling.cases.strength`
    commitments  N, the granularity of stack commitment
    mapping      how bets between two sizes are translated when cases are built, as in `Reading`; det-geo is the
                 paper's hard translation, equation 1
    """

    alphabet: str = SARTRE.name
    strength: str = SARTRE_STRENGTH
    commitments: int = 4
    mapping: str = "det-geo"

    def __post_init__(self) -> None:
        _ = self.letters, self.reading
        if not 1 <= self.commitments <= 255:
            raise KibitzError(f"{self.commitments} classes of stack commitment: give 1 to 255")

    @cached_property
    def letters(self) -> Alphabet:
        """The alphabet itself."""
        return find_alphabet(self.alphabet)

    @cached_property
    def reading(self) -> Reading:
        """The reader of bets for building."""
        return Reading(self.mapping)

    def describe(self, state: State, sequence: str, strength: Strength) -> Features:
        """The features of the decision that the player to act faces in `state`, whose betting reads as `sequence`."""
        board = state.board
        bucket = strength.bucket(state.hole[state.player], board)
        return Features(bucket, sequence, stack_commitment(state, state.player, self.commitments), texture(board))


def check_holdem(game: Game, alphabet: Alphabet) -> None:
    """Refuse a game whose hands these features do not describe."""
    name = game.name or "the game"
    if game.hole_cards != 2 or game.board_ends != BOARD_CARDS or len(game.deck) != 52:
        raise GameError(f"{name}: cases describe hold'em, two hole cards and boards of 3, 4 and 5 of 52 cards")
    if (game.betting == "limit") != alphabet.limit:
        raise GameError(
            f"{name} is {game.betting}: the alphabet {alphabet.name} is not for it; limit games take fcr, no-limit "
            f"games letters such as {SARTRE.name}"
        )
