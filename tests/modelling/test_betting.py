"""What the letters of a betting sequence tell of whoever acts next, at tables of any size."""

from __future__ import annotations

import random
from dataclasses import replace

import polars as pl
import pytest

from kibitz.games import State, load_game
from kibitz.modelling.cases import CaseBase, CaseIndex, Description, Features, Similarity
from kibitz.modelling.cases.base import SCHEMA
from kibitz.modelling.cases.betting import LIMIT, SARTRE, SequenceReader, faces_bet
from kibitz.translation import Reading

HARD = Reading("det-geo")


@pytest.mark.parametrize(
    ("text", "players", "facing"),
    [
        ("", 3, True),
        ("c", 3, True),  # the small blind, half paid
        ("cc", 3, False),  # the big blind
        ("fc", 3, False),
        ("ff", 6, True),
        ("ffc", 6, True),
        ("ffhc", 6, True),  # a call does not pay for those behind it
        ("ffffc", 6, False),
        ("cffff", 6, False),
        ("ccccc", 6, False),
        ("cccch", 6, True),
        ("ccccch", 6, True),
        ("ffhcfc-", 6, False),
        ("ffhcfc-c", 6, False),
        ("ffhcfc-cpf", 6, True),
        ("ffhcfc-cpc", 6, True),
        ("ffhcfc-f", 6, False),  # nothing was to be paid
    ],
)
def test_facing_a_bet(text, players, facing):
    assert faces_bet(text, players) is facing


def play_randomly(game, rng):
    """The states of a hand, each with its sequence."""
    reader = SequenceReader(LIMIT if game.betting == "limit" else SARTRE, HARD)
    state = State.start(game)
    while not state.finished:
        yield state, reader.sequence
        legal = state.legal()
        actions = ["c", "c", *"f" * legal.fold]
        if legal.max_raise_to:
            size = min(legal.min_raise_to * rng.choice((1, 1, 2, 50)), legal.max_raise_to)
            actions.append("r" if legal.limit else f"r{size}")
        action = rng.choice(actions)
        before, state = state, state.apply(action)
        reader.follow(before, action, state)


@pytest.mark.parametrize("rules", ["acpc", "tda"])
@pytest.mark.parametrize(
    "name", ["holdem-nolimit-2p", "holdem-nolimit-3p", "holdem-nolimit-6p", "holdem-limit-2p", "holdem-limit-3p"]
)
def test_facing_a_bet_is_having_to_pay(name, rules):
    game, rng = replace(load_game(name), rules=rules), random.Random(7)
    found = {(True, 0): 0, (False, 0): 0, (True, 1): 0, (False, 1): 0}
    for _ in range(300):
        for state, sequence in play_randomly(game, rng):
            assert faces_bet(sequence, game.players) is (state.to_call > 0), state
            found[state.to_call > 0, min(state.round, 1)] += 1
    assert all(found.values())


def test_sequences_are_those_of_two_players_unless_told():
    for _ in range(100):
        for _state, sequence in play_randomly(load_game("holdem-nolimit-2p"), random.Random(3)):
            assert faces_bet(sequence) is faces_bet(sequence, 2)


def test_without_betting_only_those_compare_who_both_face_a_bet():
    rows = [("ffc", 1, 1, 0, SARTRE.name.index("f"), 1, 0), ("ffffc", 1, 1, 0, SARTRE.name.index("c"), 1, 0)]
    base = CaseBase(
        pl.DataFrame(rows, schema=SCHEMA, orient="row"), Description(strength="made-hand"), {"players": [6]}
    )
    index = CaseIndex(base, Similarity(weights=(1, 0, 1, 1)))
    for sequence, letter in {"fcc": "f", "ffhc": "f", "": "f", "c": "f", "cffff": "c", "fffcc": "c"}.items():
        solution = index.advise(Features(1, sequence, 1, "A")).solution
        assert SARTRE.name[solution.actions.argmax()] == letter, sequence
