"""PHH hands to read: made by random players, in the two forms in which hands are published, and the Pluribus hands.

Nearly all hands that have been published in this format are of two kinds (the README of uoftcprg/phh-dataset):
21.6 million of cash tables (HandHQ, 2009), in cents, cards hidden unless shown, every stack another one, and the 10,000
of the Pluribus match, in whole chips with all cards known. `cash_texts` has the fields of the first in their order,
`phh_texts` those of the second.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from kibitz.games import Deal, Game, State, deal_hands, load_game
from kibitz.io.phh import write_phh
from kibitz.io.phh.games import make_game
from kibitz.io.phh.writing import format_actions
from kibitz.io.record import HandRecord

# How long hands are decides how the readers compare. Those who mostly fold come near the published hands in boards,
# bets and shows per hand; those who mostly call play 48 actions and 11 bets a hand, where Pluribus played 17 and 2.
MOSTLY_FOLD, MOSTLY_CALL = "ffffffccrr", "fccccccrrr"
# The Pluribus hands themselves are no part of the project.
PLURIBUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "phh" / "pluribus-sessions.tar.xz"
_TABLES = 50
_JAM = 0.05  # of the raises at a cash table are all-in
_RAKE = 0.05  # of a pot if there was a flop
_HIDE = 0.5  # of the hands at a showdown there are not shown


def played(state: State, wishes: str, rng: np.random.Generator, jam: float = 0.0) -> State:
    """`state` played to its end by players who draw their actions from `wishes`."""
    while not state.finished:
        legal = state.legal()
        wish = wishes[rng.integers(len(wishes))]
        if wish == "r" and legal.max_raise_to and not legal.limit:
            size = min(legal.min_raise_to + 25 * int(rng.integers(12)), legal.max_raise_to)
            wish += str(legal.max_raise_to if rng.random() < jam else size)
        state = state.apply(wish if wish in legal else "c")
    return state


def records(name: str, hands: int, wishes: str = MOSTLY_FOLD) -> list[HandRecord]:
    """Hands of the game `name` from a seed, by players who draw their actions from `wishes`."""
    game = load_game(name)
    names = tuple([f"player{seat}" for seat in range(game.players)])
    rng = np.random.default_rng(1)
    found = []
    for number, deal in zip(range(hands), deal_hands(game, 1), strict=False):
        state = played(State.start(game, deal), wishes, rng)
        seat = number % game.players  # the button moves on
        shown, players = deal._replace(board=state.board), names[seat:] + names[:seat]
        found.append(HandRecord(game, str(number), state.history, shown, players, state.returns()))
    return found


def phh_texts(hands: int, wishes: str) -> list[str]:
    """One `.phh` file a hand, of six players as in published sessions, under the rules that PHH takes for granted."""
    found = records("holdem-nolimit-6p", hands, wishes)
    game = replace(found[0].game, rules="tda", name="")
    return [write_phh(record._replace(game=game)) for record in found]


def pluribus_texts(hands: int) -> list[str]:
    """The `.phh` files of the match."""
    with tarfile.open(PLURIBUS) as archive:
        files = (archive.extractfile(member) for member in archive if member.isfile())
        return [file.read().decode() for file in islice(files, hands) if file is not None]


def cash_texts(hands: int, seed: int = 1) -> Iterator[str]:
    """One `.phh` file a hand, of cash tables for two to nine players with blinds of 0.50 and 1."""
    rng = np.random.default_rng(seed)
    for number in range(hands):
        players = 2 + number % _TABLES % 8
        blinds = (50, 100, *[0] * (players - 2))
        stacks = tuple([int(chips) for chips in rng.integers(1_500, 30_000, players)])
        game = make_game("NT", (0,) * players, blinds, (100,), stacks, False)
        cards = tuple([int(card) for card in rng.permutation(52)])
        hole = tuple(zip(cards[:players], cards[10 : 10 + players], strict=True))
        state = played(State.start(game, Deal(hole, cards[20:25])), MOSTLY_FOLD, rng, _JAM)
        yield _cash_text(number, game, state, Deal(hole, state.board), rng)


def _cash_text(number: int, game: Game, state: State, deal: Deal, rng: np.random.Generator) -> str:
    players = game.players
    strings = []
    for string in format_actions(game, state.history, deal, (), _amount):
        hidden = " dh " in string or (" sm " in string and rng.random() < _HIDE)
        strings.append(string[:-4] + "????" if hidden else string)
    second = sorted(state.spent)[-2]  # what nobody matched goes back
    won = [int(net + min(spent, second)) for net, spent in zip(state.returns(), state.spent, strict=True)]
    if state.round:
        won = [chips - int(_RAKE * chips) for chips in won]
    table, button = number % _TABLES, number // _TABLES
    seats = [(button + seat) % players + 1 for seat in range(players)]
    lines = {
        "variant": "'NT'",
        "ante_trimming_status": "false",
        "antes": [0] * players,
        "blinds_or_straddles": f"[0.50, 1{', 0' * (players - 2)}]",
        "min_bet": 1,
        "starting_stacks": f"[{', '.join(map(_amount, game.stacks))}]",
        "actions": strings,
        "venue": "'A Room'",
        "time": f"{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}",
        "day": 1,
        "month": 7,
        "year": 2009,
        "hand": 3_017_237_436 + 2 * number,
        "seats": seats,
        "table": f"'TABLE {table}'",
        "players": [f"a longer name {table}-{seat}" for seat in seats],
        "winnings": f"[{', '.join(_amount(chips) for chips in won)}]",
        "currency_symbol": "'$'",
    }
    return "".join(f"{key} = {value}\n" for key, value in lines.items())


def _amount(cents: int) -> str:
    return f"{cents // 100}" if cents % 100 == 0 else f"{cents / 100:.2f}"
