"""ACPC game definitions, read and printed.

The files of the competition parse and print back byte for byte. What they cannot say (antes that are dead money,
TDA rules, Rhode Island's three-card hands, ...) Kibitz writes as further keys, and only when needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kibitz.errors import GameError
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK, Game

# Key in the file -> (field, how many values: "one", "player" or "round").
_NUMBERS = {
    "numplayers": ("players", "one"),
    "numrounds": ("rounds", "one"),
    "stack": ("stacks", "player"),
    "blind": ("blinds", "player"),
    "raisesize": ("raise_sizes", "round"),
    "firstplayer": ("first_players", "round"),
    "maxraises": ("max_raises", "round"),
    "numsuits": ("suits", "one"),
    "numranks": ("ranks", "one"),
    "numholecards": ("hole_cards", "one"),
    "numboardcards": ("board_cards", "round"),
    "ante": ("antes", "player"),
    "minbet": ("min_bet", "one"),
    "bettors": ("bettors", "player"),
    "sighted": ("sighted", "player"),
}
_WORDS = {"rules": "rules", "handranking": "hand_ranking", "antetrimming": "ante_trimming"}
_REQUIRED = ("players", "rounds", "blinds", "suits", "ranks", "hole_cards", "board_cards")


def parse_gamedef(text: str, name: str = "") -> Game:
    """The game defined by `text`; errors name the line."""
    entries: dict[str, _Entry] = {}
    betting = ""
    lines = iter(enumerate(text.splitlines(), 1))
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
            betting = lowered
            continue
        key, *words = lowered.replace("=", " ", 1).split() or [""]
        if key not in _NUMBERS and key not in _WORDS:
            known = ", ".join(("limit", "nolimit", *_NUMBERS, *_WORDS))
            raise GameError(f"line {number}: {line!r} is not a known key; known: {known}")
        field, kind = _NUMBERS.get(key) or (_WORDS[key], "word")
        entries[field] = _Entry(number, line, kind, words)
    raise GameError("no line 'END GAMEDEF': the definition is cut off")


class _Entry(NamedTuple):
    """One line of a definition."""

    number: int
    line: str
    kind: str  # "one", "player", "round" or "word"
    words: list[str]

    def numbers(self, wanted: int) -> tuple[int, ...]:
        """The first `wanted` numbers; like the original parser, pass over the rest of the line."""
        if not all(word.isascii() and word.removeprefix("-").isdigit() for word in self.words):
            raise GameError(f"line {self.number}: {self.line!r}: whole numbers are expected")
        if len(self.words) < wanted:
            per = "" if self.kind == "one" else f", one per {self.kind}"
            raise GameError(f"line {self.number}: {self.line!r}: {wanted} values are needed{per}")
        return tuple(int(word) for word in self.words[:wanted])

    def word(self) -> str:
        if len(self.words) != 1:
            raise GameError(f"line {self.number}: {self.line!r}: one word is expected")
        return self.words[0]


def _build(betting: str, entries: dict[str, _Entry], name: str) -> Game:
    if not betting:
        raise GameError("neither 'limit' nor 'nolimit' is given")
    if missing := [field for field in _REQUIRED if field not in entries]:
        raise GameError(f"the definition does not give {', '.join(missing)}")
    (players,), (rounds,) = entries.pop("players").numbers(1), entries.pop("rounds").numbers(1)
    if not (1 <= players <= 100 and 1 <= rounds <= 100):
        raise GameError(f"{players} players and {rounds} rounds are out of range")
    fields: dict[str, Any] = {
        "stacks": (UNLIMITED_STACK,) * players,
        "raise_sizes": (),
        "first_players": (1,) * rounds,
        "max_raises": (UNLIMITED_RAISES,) * rounds,
    }
    for field, entry in entries.items():
        if entry.kind == "word":
            fields[field] = entry.word()
        elif entry.kind == "one":
            (fields[field],) = entry.numbers(1)
        else:
            fields[field] = entry.numbers(players if entry.kind == "player" else rounds)
    fields["first_players"] = tuple(first - 1 for first in fields["first_players"])
    for field in {"bettors", "sighted"} & fields.keys():
        fields[field] = tuple(map(bool, fields[field]))
    if betting == "nolimit":
        fields["raise_sizes"] = ()
    trimming = fields.get("ante_trimming", "yes")
    if trimming not in ("yes", "no"):
        entry = entries["ante_trimming"]
        raise GameError(f"line {entry.number}: {entry.line!r}: yes or no is expected")
    return Game(**{**fields, "betting": betting, "name": name, "ante_trimming": trimming == "yes"})


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
    return "\n".join([*lines, "END GAMEDEF"]) + "\n"
