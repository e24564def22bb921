"""ACPC game definitions, read and printed.

The files of the competition parse and print back byte for byte. What they cannot say (antes that are dead money,
TDA rules, Rhode Island's three-card hands, ...) Kibitz writes as further keys, and only when needed.
"""

from __future__ import annotations

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
    values: dict[str, tuple[int, ...]] = {}
    words: dict[str, str] = {}
    betting = ""
    lines = iter(enumerate(text.splitlines(), 1))
    for _number, line in lines:
        if line.strip().lower() == "gamedef":
            break
    else:
        raise GameError("no line 'GAMEDEF': a game definition starts with one")
    for number, line in lines:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        lowered = line.lower()
        if lowered == "end gamedef":
            return _build(betting, values, words, name)
        if lowered in ("limit", "nolimit"):
            betting = lowered
            continue
        key, *rest = lowered.replace("=", " ", 1).split()
        if key in _WORDS and len(rest) == 1:
            words[_WORDS[key]] = rest[0]
        elif key in _NUMBERS:
            try:
                values[_NUMBERS[key][0]] = tuple(int(word) for word in rest)
            except ValueError:
                raise GameError(f"line {number}: {line!r}: whole numbers are expected after {key!r}") from None
        else:
            raise GameError(f"line {number}: {line!r} is not a known key; known: limit, nolimit, {', '.join(_NUMBERS)}")
    raise GameError("no line 'END GAMEDEF': the definition is cut off")


def _build(betting: str, values: dict[str, tuple[int, ...]], words: dict[str, str], name: str) -> Game:
    if not betting:
        raise GameError("neither 'limit' nor 'nolimit' is given")
    missing = [field for field in _REQUIRED if not values.get(field)]
    if missing:
        raise GameError(f"the definition does not give {', '.join(missing)}")
    players, rounds = values["players"][0], values["rounds"][0]
    if not (1 <= players <= 100 and 1 <= rounds <= 100):
        raise GameError(f"{players} players and {rounds} rounds are out of range")
    defaults = {
        "stacks": (UNLIMITED_STACK,) * players,
        "raise_sizes": (),
        "first_players": (1,) * rounds,
        "max_raises": (UNLIMITED_RAISES,) * rounds,
    }
    fields: dict[str, object] = {**defaults, **values, **words, "betting": betting, "name": name}
    sizes = {"one": 1, "player": players, "round": rounds}
    for field, kind in _NUMBERS.values():
        if field in values:
            if len(values[field]) < sizes[kind]:
                raise GameError(f"{field} = {values[field]}: {sizes[kind]} values are needed, one per {kind}")
            # Like the original parser, read as many values as needed and pass over the rest of the line.
            fields[field] = values[field][: sizes[kind]] if kind != "one" else values[field][0]
    del fields["players"], fields["rounds"]
    fields["first_players"] = tuple(first - 1 for first in fields["first_players"])  # type: ignore[attr-defined]
    for field in ("bettors", "sighted"):
        fields[field] = tuple(map(bool, fields.get(field, ())))  # type: ignore[call-overload]
    if betting == "nolimit":
        fields["raise_sizes"] = ()
    fields["ante_trimming"] = fields.get("ante_trimming", "yes") == "yes"
    return Game(**fields)  # type: ignore[arg-type]


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
