"""A game as a value: everything the rules need to know, nothing about who plays or how it is solved."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral
from typing import Literal

from kibitz.cards import make_deck
from kibitz.errors import GameError

UNLIMITED_STACK = 2**31 - 1  # what ACPC game definitions mean when they name no stack
UNLIMITED_RAISES = 255
MAX_PLAYERS = 10
RULE_SETS = ("acpc", "tda")
HAND_RANKINGS = ("standard", "three-card")
DECKS = ("highest", "lowest")


@dataclass(frozen=True, repr=False)
class Game:
    """The rules of one poker game; chips are integers, players are numbered from 0 (first after the button).

    betting          "limit" (raises of a fixed size) or "nolimit" (any size from the minimum to all-in)
    stacks, blinds   chips per player; a blind counts towards the bet, a straddle is one more blind
    raise_sizes      chips a limit raise adds, per round
    first_players    who opens each round
    max_raises       raises allowed per round
    hole_cards       private cards per player; `board_cards` public cards dealt before each round
    antes            dead money per player, not part of any bet
    min_bet          smallest opening bet in no-limit; by default the largest blind (ACPC), at least 1
    rules            "acpc": a short all-in re-opens the betting, a fold must save chips, odd chips are halved, and in
                     limit games a raise of somebody's last chips may lower the bet;
                     "tda": it does not, a fold is always possible, odd chips go to the first seats, bets only rise
    hand_ranking     "standard" or "three-card" (Rhode Island)
    bettors          which players may bet or raise; one who may not, and faces no bet, is passed over
    sighted          which players look at their own hole cards
    ante_trimming    whether a short ante caps what its owner can win of the other antes (see `pots`)
    deck_ranks       which ranks a small deck has: the "highest", in the last suits (today's ACPC), or the "lowest", in
                     the first suits (older ACPC code, OpenSpiel's universal_poker)
    uncapped_heads_up  whether `max_raises` does not bind while only two players are left in the hand
    decision_cap     decisions after which everybody can only call, in a whole hand; 0 for none
    fold_when_free   whether a player may fold where a check is free; under "tda" he always may
    """

    betting: Literal["limit", "nolimit"]
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    raise_sizes: tuple[int, ...]
    first_players: tuple[int, ...]
    max_raises: tuple[int, ...]
    suits: int
    ranks: int
    hole_cards: int
    board_cards: tuple[int, ...]
    antes: tuple[int, ...] = ()
    min_bet: int | None = None
    rules: Literal["acpc", "tda"] = "acpc"
    hand_ranking: Literal["standard", "three-card"] = "standard"
    bettors: tuple[bool, ...] = ()
    sighted: tuple[bool, ...] = ()
    ante_trimming: bool = True
    name: str = ""
    deck_ranks: Literal["highest", "lowest"] = "highest"
    uncapped_heads_up: bool = False
    decision_cap: int = 0
    fold_when_free: bool = False

    def __post_init__(self) -> None:
        players = len(self.blinds)
        set_field = object.__setattr__  # the dataclass is frozen; these are its defaults per player
        if not self.antes:
            set_field(self, "antes", (0,) * players)
        if not self.bettors:
            set_field(self, "bettors", (True,) * players)
        if not self.sighted:
            set_field(self, "sighted", (True,) * players)
        _check(self)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        words = (self.name, self.betting, f"{self.players} players", f"{self.rounds} rounds")
        return f"Game({', '.join(filter(None, words))})"

    def with_stacks(self, stacks: tuple[int, ...]) -> Game:
        """This game with other stacks. Only they are checked, which takes a tenth of the time of a new game."""
        _check_stacks(stacks, self.players)
        game = object.__new__(Game)
        values = game.__dict__
        values.update(self._shared)
        values["stacks"] = stacks
        if "antes_paid" in values:  # whatever the stacks: nobody antes
            values["limits"] = stacks
        return game

    def __getstate__(self) -> dict[str, object]:
        # Not the cached hash: hashes of text differ from process to process.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _shared(self) -> dict[str, object]:
        # What games have in common that differ in stacks alone, the cached properties included.
        for name in _DERIVED:
            getattr(self, name)
        shared = {name: value for name, value in self.__dict__.items() if name not in _DERIVED_FROM_STACKS}
        return shared if any(self.antes) else {**shared, "antes_paid": self.antes}

    @cached_property
    def _hash(self) -> int:
        # Every state carries its game; hashing all the tuples again for each state would dominate.
        return hash((self.betting, self.stacks, self.blinds, self.max_raises, self.name, self.rules))

    @cached_property
    def players(self) -> int:
        """Number of players."""
        return len(self.blinds)

    @cached_property
    def rounds(self) -> int:
        """Number of betting rounds."""
        return len(self.board_cards)

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """The most each player can bet over the hand: the stack less the ante."""
        return tuple(max(stack - ante, 0) for stack, ante in zip(self.stacks, self.antes, strict=True))

    @cached_property
    def antes_paid(self) -> tuple[int, ...]:
        """Dead money each player puts in: the ante, or what there is of it."""
        return tuple(map(min, self.antes, self.stacks))

    @property
    def highest_bet(self) -> int | None:
        """What the raises of a limit game lead to at most, over the hand and whatever the stacks; None for no-limit.

        None too where a cap is lifted heads-up.
        """
        if self.betting != "limit" or self.uncapped_heads_up:
            return None
        return max(self.blinds) + sum(
            size * count for size, count in zip(self.raise_sizes, self.max_raises, strict=True)
        )

    @cached_property
    def smallest_bet(self) -> int:
        """Chips the first no-limit bet of a round must add."""
        return max(1, *self.blinds) if self.min_bet is None else self.min_bet

    @cached_property
    def opening_raise(self) -> int:
        """Chips a first no-limit raise adds to the blinds: as much as the largest of them, or the minimum bet."""
        if self.min_bet is not None and self.rules == "acpc":
            return self.min_bet
        return max(self.smallest_bet, *self.blinds)

    @cached_property
    def free_folds(self) -> bool:
        """Whether a player may fold where a check is free."""
        return self.fold_when_free or self.rules == "tda"

    @property
    def has_table_rules(self) -> bool:
        """Whether rules of the table go beyond ACPC's and TDA's: what counts trees does not know them."""
        return self.uncapped_heads_up or self.decision_cap > 0 or self.fold_when_free

    @cached_property
    def big_blind(self) -> int:
        """The unit of win rates: the largest blind, or the largest ante where there are no blinds."""
        return max(self.blinds) or max(self.antes) or 1

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards dealt from, in the order in which ACPC builds its deck."""
        return make_deck(self.suits, self.ranks, self.has_lowest_deck)

    @property
    def has_lowest_deck(self) -> bool:
        """Whether a small deck has the lowest ranks and the first suits."""
        return self.deck_ranks == "lowest"

    @cached_property
    def card_set(self) -> frozenset[int]:
        """The cards of the deck."""
        return frozenset(self.deck)

    @cached_property
    def board_ends(self) -> tuple[int, ...]:
        """Public cards on the table in each round: (0, 3, 4, 5) in hold'em."""
        ends, total = [], 0
        for count in self.board_cards:
            total += count
            ends.append(total)
        return tuple(ends)


_DERIVED = ("players", "rounds", "smallest_bet", "opening_raise", "big_blind", "deck", "card_set", "board_ends")
_DERIVED_FROM_STACKS = ("stacks", "limits", "antes_paid", "_hash", "_shared")


def _check_stacks(stacks: tuple[int, ...], players: int) -> None:
    if len(stacks) != players:
        raise GameError(f"stacks = {stacks}: {players} values are needed, one per player")
    if min(stacks) < 0 or max(stacks) > UNLIMITED_STACK:
        raise GameError(f"stacks {stacks}: stacks lie between 0 and {UNLIMITED_STACK}")


def _check_amounts(game: Game) -> None:
    """Refuse what is no whole number of chips or raises, or more than 64 bits could add up in any hand."""
    least_bet = () if game.min_bet is None else (game.min_bet,)
    chips = {"blinds": game.blinds, "antes": game.antes, "raise_sizes": game.raise_sizes, "min_bet": least_bet}
    for name, values in {"stacks": game.stacks, **chips, "max_raises": game.max_raises}.items():
        most = UNLIMITED_RAISES if name == "max_raises" else UNLIMITED_STACK
        if not all(isinstance(value, Integral) and 0 <= value <= most for value in values):
            raise GameError(f"{name} = {values}: whole numbers from 0 to {most} are needed")


def _check(game: Game) -> None:
    """Refuse a game that does not hang together."""
    players, rounds = game.players, game.rounds
    if not 2 <= players <= MAX_PLAYERS:
        raise GameError(f"{players} players: 2 to {MAX_PLAYERS} can play")
    if rounds < 1:
        raise GameError("a game needs at least one round")
    if not (1 <= game.suits <= 4 and 1 <= game.ranks <= 13):
        raise GameError(f"a deck of {game.suits} suits and {game.ranks} ranks: 1-4 suits and 1-13 ranks are possible")
    _check_stacks(game.stacks, players)
    _check_amounts(game)
    per_player = {"antes": game.antes, "bettors": game.bettors, "sighted": game.sighted}
    per_round = {"first_players": game.first_players, "max_raises": game.max_raises}
    if game.betting == "limit":
        per_round["raise_sizes"] = game.raise_sizes
    elif game.betting != "nolimit":
        raise GameError(f"betting {game.betting!r}: limit or nolimit")
    elif game.raise_sizes:
        raise GameError(f"raise_sizes = {game.raise_sizes}: a no-limit game has none")
    for word, wanted, group in (("player", players, per_player), ("round", rounds, per_round)):
        for name, values in group.items():
            if len(values) != wanted:
                raise GameError(f"{name} = {values}: {wanted} values are needed, one per {word}")
    if game.rules not in RULE_SETS:
        raise GameError(f"rules {game.rules!r}: one of {', '.join(RULE_SETS)}")
    if not isinstance(game.decision_cap, Integral) or not 0 <= game.decision_cap <= UNLIMITED_STACK:
        raise GameError(f"decision_cap = {game.decision_cap}: a whole number of decisions, or 0 for none")
    if game.hand_ranking not in HAND_RANKINGS:
        raise GameError(f"hand ranking {game.hand_ranking!r}: one of {', '.join(HAND_RANKINGS)}")
    if game.deck_ranks not in DECKS:
        raise GameError(f"deck {game.deck_ranks!r}: one of {', '.join(DECKS)}")
    if not all(0 <= first < players for first in game.first_players):
        raise GameError(f"first players {game.first_players}: players are numbered 0 to {players - 1}")
    if game.betting == "limit" and min(game.raise_sizes) < 1:
        raise GameError(f"raise sizes {game.raise_sizes}: at least 1 chip each")
    if game.smallest_bet < 1:
        raise GameError(f"smallest bet {game.smallest_bet}: at least 1 chip")
    cards = game.hole_cards * players + sum(game.board_cards)
    if game.hole_cards < 1 or min(game.board_cards) < 0:
        raise GameError(f"{game.hole_cards} hole cards, board {game.board_cards}: at least one hole card, none below 0")
    if cards > len(game.deck):
        raise GameError(f"{cards} cards are dealt but {game.suits} suits x {game.ranks} ranks make {len(game.deck)}")
    hand = game.hole_cards + sum(game.board_cards)
    if hand > 7:
        raise GameError(f"a showdown hand of {hand} cards: at most 7 can be ranked")
    if game.hand_ranking == "three-card" and hand != 3:
        raise GameError(f"three-card ranking with showdown hands of {hand} cards")
