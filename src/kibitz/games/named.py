"""The games Kibitz knows by name, each one game definition."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kibitz.arguments import did_you_mean
from kibitz.errors import GameError
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK, Game
from kibitz.games.gamedef import format_gamedef, parse_gamedef, with_options


def kuhn(players: int = 2) -> Game:
    """Kuhn poker: one card each of `players` + 1, ante 1, one bet of 1."""
    return Game(
        betting="limit",
        stacks=(UNLIMITED_STACK,) * players,
        blinds=(1,) * players,
        raise_sizes=(1,),
        first_players=(0,),
        max_raises=(1,),
        suits=1,
        ranks=players + 1,
        hole_cards=1,
        board_cards=(0,),
        name="kuhn" if players == 2 else f"kuhn-{players}p",
    )


def nolimit_kuhn(
    stack_pots: int = 5, max_raises: int = UNLIMITED_RAISES, half_street: bool = False, name: str = ""
) -> Game:
    """Kuhn's three cards with bets of any tenth of the pot: antes of half a pot, 10 chips a pot.

    half_street: player 0 checks or bets, player 1 only answers a bet (Hawkin 2014, section 2.3; Ganzfried and
    Sandholm 2013 call this no-limit Kuhn).
    """
    return Game(
        betting="nolimit",
        stacks=(10 * stack_pots + 5,) * 2,
        blinds=(5, 5),
        raise_sizes=(),
        first_players=(0,),
        max_raises=(1 if half_street else max_raises,),
        suits=1,
        ranks=3,
        hole_cards=1,
        board_cards=(0,),
        min_bet=1,
        bettors=(True, not half_street),
        name=name,
    )


def clairvoyance(stack_pots: int = 5) -> Game:
    """The clairvoyance game (Ganzfried and Sandholm 2013, section 5), 10 chips a pot.

    Two cards, one each, the higher wins; player 1 does not look and only answers a bet. So player 0 knows
    who wins and player 1 knows nothing.
    """
    return Game(
        betting="nolimit",
        stacks=(10 * stack_pots + 5,) * 2,
        blinds=(5, 5),
        raise_sizes=(),
        first_players=(0,),
        max_raises=(1,),
        suits=1,
        ranks=2,
        hole_cards=1,
        board_cards=(0,),
        min_bet=1,
        bettors=(True, False),
        sighted=(True, False),
        name="clairvoyance",
    )


def leduc() -> Game:
    """Leduc hold'em: six cards, ante 1, bets 2 and 4, two raises a round."""
    return Game(
        betting="limit",
        stacks=(UNLIMITED_STACK,) * 2,
        blinds=(1, 1),
        raise_sizes=(2, 4),
        first_players=(0, 0),
        max_raises=(2, 2),
        suits=2,
        ranks=3,
        hole_cards=1,
        board_cards=(0, 1),
        name="leduc",
    )


def leduc_nolimit(stack: int = 12, max_raises: int = UNLIMITED_RAISES) -> Game:
    """No-limit Leduc: ante 1, stacks of `stack` chips, any number of raises (Ganzfried and Sandholm 2013)."""
    return replace(
        leduc(),
        betting="nolimit",
        stacks=(stack, stack),
        raise_sizes=(),
        max_raises=(max_raises, max_raises),
        name="leduc-nolimit",
    )


def rhode_island() -> Game:
    """Rhode Island hold'em: one hole card, two board cards, ante 5, bets 10/20/20, three raises a round."""
    return Game(
        betting="limit",
        stacks=(UNLIMITED_STACK,) * 2,
        blinds=(5, 5),
        raise_sizes=(10, 20, 20),
        first_players=(0, 0, 0),
        max_raises=(3, 3, 3),
        suits=4,
        ranks=13,
        hole_cards=1,
        board_cards=(0, 1, 1),
        hand_ranking="three-card",
        name="rhode-island",
    )


def limit_holdem(players: int = 2, small_blind: int = 5, cap: int = 4, forward_blinds: bool = False) -> Game:
    """Limit hold'em as in the ACPC: blinds 5/10, bets 10/10/20/20, four bets a round.

    small_blind     chips; all other amounts are in proportion
    cap             bets in a round, the big blind counting as the first of the first round
    forward_blinds  heads-up too the first after the button posts the small blind, and opens before the flop
    """
    reversed_blinds = players == 2 and not forward_blinds
    bet = 2 * small_blind
    return Game(
        betting="limit",
        stacks=(UNLIMITED_STACK,) * players,
        blinds=(bet, small_blind) if reversed_blinds else (small_blind, bet, *(0,) * (players - 2)),
        raise_sizes=(bet, bet, 2 * bet, 2 * bet),
        first_players=(1 if reversed_blinds else 2 % players, 0, 0, 0),
        max_raises=(max(cap - 1, 0), cap, cap, cap),
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        name=f"holdem-limit-{players}p",
    )


def nolimit_holdem(players: int = 2, stack: int = 20_000, small_blind: int = 50, big_blind: int = 100) -> Game:
    """No-limit hold'em as in the ACPC: blinds 50/100, stacks of 20,000 anew in every hand."""
    heads_up = players == 2
    blinds = (big_blind, small_blind) if heads_up else (small_blind, big_blind, *(0,) * (players - 2))
    return Game(
        betting="nolimit",
        stacks=(stack,) * players,
        blinds=blinds,
        raise_sizes=(),
        first_players=(1 if heads_up else 2, 0, 0, 0),
        max_raises=(UNLIMITED_RAISES,) * 4,
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        name=f"holdem-nolimit-{players}p",
    )


GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": kuhn,
    "kuhn-3p": lambda: kuhn(3),
    "kuhn-half-street": lambda: nolimit_kuhn(half_street=True, name="kuhn-half-street"),
    "kuhn-nolimit-one-bet": lambda: nolimit_kuhn(max_raises=1, name="kuhn-nolimit-one-bet"),
    "kuhn-nolimit": lambda: nolimit_kuhn(name="kuhn-nolimit"),
    "clairvoyance": clairvoyance,
    "leduc": leduc,
    "leduc-nolimit": leduc_nolimit,
    "rhode-island": rhode_island,
    "holdem-limit-2p": limit_holdem,
    "holdem-limit-3p": lambda: limit_holdem(3),
    "holdem-limit-6p": lambda: limit_holdem(6),
    "holdem-limit-10p": lambda: limit_holdem(10),
    "holdem-nolimit-2p": nolimit_holdem,
    "holdem-nolimit-3p": lambda: nolimit_holdem(3),
    "holdem-nolimit-6p": lambda: nolimit_holdem(6),
}

_NAMES = ", ".join(GAMES)
_HOLDEM = re.compile(r"holdem-(limit|nolimit)-([1-9][0-9]?)p")
MOST_PLAYERS = 10  # of the hold'em games that have names

# What the files of the competition are called, so that a log's header finds its game whatever folder it names.
GAME_FILES: dict[str, str] = {
    "holdem.limit.2p.reverse_blinds.game": "holdem-limit-2p",
    "holdem.limit.3p.game": "holdem-limit-3p",
    "holdem.nolimit.2p.reverse_blinds.game": "holdem-nolimit-2p",
    "holdem.nolimit.3p.game": "holdem-nolimit-3p",
    "holdem.nolimit.6p.game": "holdem-nolimit-6p",
    "kuhn.limit.2p.game": "kuhn",
    "kuhn.limit.3p.game": "kuhn-3p",
    "leduc.limit.2p.game": "leduc",
    "leduc.game": "leduc",
}


def named_game(text: str) -> Game | None:
    """The game called `text`: one of `GAMES`, or hold'em for another number of players; None if there is none."""
    if text in GAMES:
        return GAMES[text]()
    found = _HOLDEM.fullmatch(text)
    if found is None or not 2 <= int(found[2]) <= MOST_PLAYERS:
        return None
    return limit_holdem(int(found[2])) if found[1] == "limit" else nolimit_holdem(int(found[2]))


def load_game(name: str | Path | Game) -> Game:
    """The game called `name`, or the one defined in the file at that path; options may follow (see `with_options`).

    A `Game` comes back as it is.

    >>> load_game("leduc").raise_sizes
    (2, 4)
    >>> load_game("leduc,deck=lowest").deck_ranks
    'lowest'
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str | Path):
        raise GameError(f"{name!r} is not a game: give a Game, the path of a game definition, or one of {_NAMES}")
    text = str(name)
    if (game := named_game(text)) is not None:
        return game
    base, comma, options = text.partition(",")
    if comma and not _is_file(text):
        return with_options(load_game(base), options)
    path = Path(name)
    try:
        if path.is_file():
            return parse_gamedef(path.read_text(), name=path.name)
    except (GameError, UnicodeDecodeError) as error:
        raise GameError(f"{path}: {error}") from None
    except OSError as error:  # such as a name that is too long for a file
        raise GameError(f"no game {text!r}: {error.strerror}") from None
    if path.name in GAME_FILES:
        return GAMES[GAME_FILES[path.name]]()
    near = did_you_mean(text, GAMES)
    raise GameError(f"no game {text!r}{near}: it is neither a file nor one of {_NAMES}")


def rules_of(name: str | Path | Game) -> str:
    """The rules of the game called so, as a game definition: what tells it from others, whatever it is called."""
    return format_gamedef(load_game(name))


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long for a file
        return False
