"""ACPC game definitions, read and printed.

The files of the competition parse and print back byte for byte. What they cannot say (antes that are dead money,
TDA rules, Rhode Island's three-card hands, ...) Kibitz writes as further keys, and only when needed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from kibitz.errors import GameError
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK, Game

# Key in the file -> (field, how many values: "one", "player" or "round").
_NUMBERS = {
    "numPlayers": ("players", "one"),
    "numRounds": ("rounds", "one"),
    "stack": ("stacks", "player"),
    "blind": ("blinds", "player"),
    "raiseSize": ("raise_sizes", "round"),
    "firstPlayer": ("first_players", "round"),
    "maxRaises": ("max_raises", "round"),
    "numSuits": ("suits", "one"),
    "numRanks": ("ranks", "one"),
    "numHoleCards": ("hole_cards", "one"),
    "numBoardCards": ("board_cards", "round"),
    "ante": ("antes", "player"),
    "minBet": ("min_bet", "one"),
    "bettors": ("bettors", "player"),
    "sighted": ("sighted", "player"),
}
_SWITCHES = ("ante_trimming", "uncapped_heads_up", "fold_when_free")
_WORDS = {
    "rules": "rules",
    "handRanking": "hand_ranking",
    "anteTrimming": "ante_trimming",
    "deck": "deck_ranks",
    "uncappedHeadsUp": "uncapped_heads_up",
    "foldWhenFree": "fold_when_free",
    "decisionCap": "decision_cap",
}
_REQUIRED = ("numPlayers", "numRounds", "blind", "numSuits", "numRanks", "numHoleCards", "numBoardCards")
_KEYS = {key.lower(): key for key in (*_NUMBERS, *_WORDS)}  # the original parser takes them in any case
_MOST_DIGITS = 18


def parse_gamedef(text: str, name: str = "") -> Game:
    """The game defined by `text`; errors name the line."""
    entries: dict[str, _Entry] = {}  # by key
    betting, betting_line = "", 0
    lines = iter(enumerate(text.removeprefix("\ufeff").splitlines(), 1))
    for _number, line in lines:
        if line.strip().lower() == "gamedef":
            break
    else:
        raise GameError("no line 'GAMEDEF': a game definition starts with one")
    for number, line in lines:
        line = line.strip()
        lowered = line.lower()
        if not line or line.startswith("#"):
            continue
        if lowered == "end gamedef":
            return _build(betting, entries, name)
        if lowered in ("limit", "nolimit"):
            if betting:
                raise _given_twice(f"limit or nolimit is given twice, as {betting} and {lowered}", betting_line, number)
            betting, betting_line = lowered, number
            continue
        word, *words = lowered.replace("=", " ", 1).split() or [""]
        key = _KEYS.get(word)
        if key is None:
            known = ", ".join(("limit", "nolimit", *_KEYS.values()))
            raise GameError(f"line {number}: {line!r} is not a known key; known: {known}")
        if key in entries:
            raise _given_twice(f"{key} is given twice", entries[key].number, number)
        field, kind = _NUMBERS.get(key) or (_WORDS[key], "word")
        entries[key] = _Entry(number, line, field, kind, words)
    raise GameError("no line 'END GAMEDEF': the definition is cut off")


def _given_twice(what: str, first: int, again: int) -> GameError:
    # The original parser takes the last, which hides a slip of whoever edited the file.
    return GameError(f"lines {first} and {again}: {what}; leave one of the two lines")


def with_options(game: Game, options: str) -> Game:
    """`game` with options `key=value,...`, the keys of a definition whose value is one word; they join its name.

    >>> from kibitz.games import load_game
    >>> with_options(load_game("holdem-nolimit-6p"), "rules=tda").name
    'holdem-nolimit-6p,rules=tda'
    """
    entries: dict[str, _Entry] = {}
    for number, piece in enumerate(options.split(","), 1):
        word, _equals, value = piece.partition("=")
        key = _KEYS.get(word.strip().lower(), "")
        if key not in _WORDS or not value.strip():
            raise GameError(f"{piece!r} behind {game.name}: options are {', '.join(f'{each}=...' for each in _WORDS)}")
        if key in entries:
            raise GameError(f"{key} is given twice behind {game.name}: {options!r}")
        entries[key] = _Entry(number, piece, _WORDS[key], "word", value.lower().split())
    fields = {entry.field: entry.values(game.players, game.rounds) for entry in entries.values()}
    return replace(game, **fields, name=f"{game.name},{options}")


class _Entry(NamedTuple):
    """One line of a definition."""

    number: int
    line: str
    field: str
    kind: str  # "one", "player", "round" or "word"
    words: list[str]

    def numbers(self, wanted: int) -> tuple[int, ...]:
        """The first `wanted` numbers; like the original parser, pass over the rest of the line."""
        if not all(word.isascii() and word.removeprefix("-").isdigit() for word in self.words):
            raise self.error("whole numbers are expected")
        if len(self.words) < wanted:
            per = "" if self.kind == "one" else f", one per {self.kind}"
            raise self.error(f"{wanted} values are needed{per}")
        if max(map(len, self.words[:wanted])) > _MOST_DIGITS:
            raise self.error(f"numbers of at most {_MOST_DIGITS} digits are expected")
        return tuple(int(word) for word in self.words[:wanted])

    def values(self, players: int, rounds: int) -> Any:
        """What the line gives its field."""
        if self.kind == "word":
            return self._word()
        numbers = self.numbers({"one": 1, "player": players, "round": rounds}[self.kind])
        if self.field == "first_players":
            if not all(1 <= number <= players for number in numbers):
                raise self.error(f"players are numbered 1 to {players}")
            return tuple(number - 1 for number in numbers)
        if self.field in ("bettors", "sighted"):
            if not set(numbers) <= {0, 1}:
                raise self.error("0 or 1 is expected, one per player")
            return tuple(map(bool, numbers))
        return numbers[0] if self.kind == "one" else numbers

    def _word(self) -> str | bool | int:
        if len(self.words) != 1:
            raise self.error("one word is expected")
        word = self.words[0]
        if self.field == "decision_cap":
            return self.numbers(1)[0]
        if self.field not in _SWITCHES:
            return word
        if word not in ("yes", "no"):
            raise self.error("yes or no is expected")
        return word == "yes"

    def error(self, reason: str) -> GameError:
        """What is wrong with the line."""
        return GameError(f"line {self.number}: {self.line!r}: {reason}")


def _build(betting: str, entries: dict[str, _Entry], name: str) -> Game:
    if not betting:
        raise GameError("neither 'limit' nor 'nolimit' is given")
    required = (*_REQUIRED, "raiseSize") if betting == "limit" else _REQUIRED
    if missing := [key for key in required if key not in entries]:
        raise GameError(f"the definition does not give {', '.join(missing)}")
    (players,), (rounds,) = entries.pop("numPlayers").numbers(1), entries.pop("numRounds").numbers(1)
    if not (1 <= players <= 100 and 1 <= rounds <= 100):
        raise GameError(f"{players} players and {rounds} rounds are out of range")
    fields: dict[str, Any] = {
        "betting": betting,
        "stacks": (UNLIMITED_STACK,) * players,
        "raise_sizes": (),
        "first_players": (0,) * rounds,
        "max_raises": (UNLIMITED_RAISES,) * rounds,
    }
    fields |= {entry.field: entry.values(players, rounds) for entry in entries.values()}
    if betting == "nolimit":
        fields["raise_sizes"] = ()
    return Game(**fields, name=name)


def format_gamedef(game: Game) -> str:
    """The definition of `game` as text; `parse_gamedef` reads it back."""

    def joined(values: tuple[int, ...]) -> str:
        return " ".join(str(int(value)) for value in values)

    lines = ["GAMEDEF", game.betting, f"numPlayers = {game.players}", f"numRounds = {game.rounds}"]
    if game.stacks != (UNLIMITED_STACK,) * game.players:
        lines.append(f"stack = {joined(game.stacks)}")
    lines.append(f"blind = {joined(game.blinds)}")
    if game.betting == "limit":
        lines.append(f"raiseSize = {joined(game.raise_sizes)}")
    lines.append(f"firstPlayer = {joined(tuple(first + 1 for first in game.first_players))}")
    if game.max_raises != (UNLIMITED_RAISES,) * game.rounds:
        lines.append(f"maxRaises = {joined(game.max_raises)}")
    lines += [
        f"numSuits = {game.suits}",
        f"numRanks = {game.ranks}",
        f"numHoleCards = {game.hole_cards}",
        f"numBoardCards = {joined(game.board_cards)}",
    ]
    if any(game.antes):
        lines.append(f"ante = {joined(game.antes)}")
    if game.min_bet is not None:
        lines.append(f"minBet = {game.min_bet}")
    if game.rules != "acpc":
        lines.append(f"rules = {game.rules}")
    if game.hand_ranking != "standard":
        lines.append(f"handRanking = {game.hand_ranking}")
    if not all(game.bettors):
        lines.append(f"bettors = {joined(game.bettors)}")
    if not all(game.sighted):
        lines.append(f"sighted = {joined(game.sighted)}")
    if not game.ante_trimming:
        lines.append("anteTrimming = no")
    if game.deck_ranks != "highest":
        lines.append(f"deck = {game.deck_ranks}")
    if game.uncapped_heads_up:
        lines.append("uncappedHeadsUp = yes")
    if game.fold_when_free:
        lines.append("foldWhenFree = yes")
    if game.decision_cap:
        lines.append(f"decisionCap = {game.decision_cap}")
    return "\n".join([*lines, "END GAMEDEF"]) + "\n"
