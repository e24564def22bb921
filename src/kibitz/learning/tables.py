"""The tables at which an agent learns: rules, and how many sit down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.errors import GameError
from kibitz.files import shown
from kibitz.games import Game
from kibitz.games.game import MAX_PLAYERS
from kibitz.games.named import limit_holdem
from kibitz.learning.model import Model, ModelError
from kibitz.learning.records import MOST_DECISIONS, TABLE, make_record

MIXED = "irc"
_RATIO = 0.88476  # of the maximum-entropy distribution on 2 to 10 players with that mean


@dataclass(frozen=True)
class TableRules:
    """Limit hold'em as it is simulated: blinds 1 and 2, bets 2 and 4.

    cap                bets in a round, the big blind counting as the first
    uncapped_heads_up  the cap is lifted while only two are left
    decision_cap       decisions in a deal, after which everybody calls
    fold_when_free     a fold is possible where a check is free
    forward_blinds     heads-up too the first after the button posts the small blind
    """

    cap: int = 4
    uncapped_heads_up: bool = True
    decision_cap: int = 150
    fold_when_free: bool = False
    forward_blinds: bool = False

    def __post_init__(self) -> None:
        if not _is_count(self.cap, 100):
            raise GameError(f"a cap of {self.cap!r} bets: 1 to 100 can be made in a round")
        if not _is_count(self.decision_cap, MOST_DECISIONS):
            raise GameError(
                f"a cap of {self.decision_cap!r} decisions: 1 to {MOST_DECISIONS:,} are simulated in a deal"
            )
        for name in ("uncapped_heads_up", "fold_when_free", "forward_blinds"):
            if not isinstance(flag := getattr(self, name), bool):
                raise GameError(f"{name} = {flag!r}: true or false is needed")

    def game(self, players: int) -> Game:
        """The game of so many players, as a value; chips are small blinds."""
        game = limit_holdem(players, 1, self.cap, self.forward_blinds)
        return replace(
            game,
            uncapped_heads_up=self.uncapped_heads_up,
            decision_cap=self.decision_cap,
            fold_when_free=self.fold_when_free,
            name=f"simulated-limit-{players}p",
        )

    @cached_property
    def table(self) -> npt.NDArray[np.void]:
        """What kernels know of the rules, for any number of players: a record `TABLE`."""
        blinds = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS), dtype=np.int64)
        first = np.zeros((MAX_PLAYERS + 1, 4), dtype=np.int64)
        for players in range(2, MAX_PLAYERS + 1):
            game = self.game(players)
            blinds[players, :players], first[players] = game.blinds, game.first_players
        return make_record(
            TABLE,
            blinds=blinds,
            first=first,
            raise_sizes=game.raise_sizes,
            max_raises=game.max_raises,
            uncapped_heads_up=self.uncapped_heads_up,
            decision_cap=self.decision_cap,
            free_folds=self.fold_when_free,
        )


def rules_of(game: Game) -> TableRules:
    """The rules of a limit hold'em game, whatever its stakes; GameError where it is another game."""
    wanted = limit_holdem(game.players)
    same = ("betting", "suits", "ranks", "hole_cards", "board_cards", "antes", "bettors", "hand_ranking", "rules")
    unit = min(filter(None, game.blinds), default=0)
    for name in same:
        if getattr(game, name) != getattr(wanted, name):
            raise GameError(f"{game.name or 'this game'} has {name} = {getattr(game, name)}: limit hold'em is needed")
    forward = game.first_players[0] == 0 and game.players == 2
    made = limit_holdem(game.players, unit, game.max_raises[1], forward)
    for name in ("blinds", "raise_sizes", "first_players", "max_raises"):
        if getattr(game, name) != getattr(made, name):
            raise GameError(
                f"{game.name or 'this game'} has {name} = {getattr(game, name)}: an agent from self-play knows "
                f"{getattr(made, name)}"
            )
    if game.highest_bet is not None and min(game.limits) < game.highest_bet:
        raise GameError(f"{game.name or 'this game'} has stacks of {game.stacks}: nobody may run out of chips")
    return TableRules(
        game.max_raises[1],
        bool(game.uncapped_heads_up),
        game.decision_cap or MOST_DECISIONS,
        bool(game.free_folds),
        forward,
    )


def rules_of_model(model: Model) -> TableRules:
    """The rules that a model was made with, where it says them; ModelError where what it says are no rules."""
    said = model.made.get("rules")
    if said is None:
        return TableRules()
    if not isinstance(said, dict):
        raise ModelError(f"the model was made by the rules {shown(said)}: their names and values are needed")
    known = TableRules.__dataclass_fields__
    try:
        return TableRules(**{name: value for name, value in said.items() if name in known})
    except GameError as error:
        raise ModelError(f"the rules that the model was made by: {error}") from None


def _is_count(value: object, most: int) -> bool:
    """Whether a value is a number from 1 to `most`, as no text and no flag is."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def seat_chances(players: int | str) -> npt.NDArray[np.float64]:
    """Chances of 0 to 10 players at a table: float64[11].

    players : a number from 2 to 10, or "irc" for the mix with the mean of the IRC database, 5.2
    """
    chances = np.zeros(MAX_PLAYERS + 1)
    if players == MIXED:
        chances[2:] = _RATIO ** np.arange(2, MAX_PLAYERS + 1)
    elif isinstance(players, int) and 2 <= players <= MAX_PLAYERS:
        chances[players] = 1.0
    else:
        raise GameError(f"{players!r} players: a number from 2 to {MAX_PLAYERS}, or {MIXED} for a mix")
    return np.asarray(chances / chances.sum())
