"""Betting of limit games: a walk down the tree counts what following the rules counts; coverage is that of visits."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import KibitzError
from kibitz.games import State, load_game
from kibitz.modelling.frequentist import coverage
from kibitz.modelling.frequentist.bettings import Bettings
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel
from kibitz.translation import Reading

GAMES = ("leduc", "kuhn-3p", "holdem-limit-2p")


@cache
def bettings(name):
    return Bettings(Problem(load_game(name)).tree, Reading())


def playout(game, choices):
    """The betting of a hand; choices are of fold, call and raise."""
    state, choices = State.start(game), iter(choices * 40)
    while not state.finished:
        legal, choice = state.legal(), next(choices)
        state = state.apply("r" if choice == 2 and legal.max_raise_to else "f" if choice == 0 and legal.fold else "c")
    return state.history


def outcome(read):
    """What reading gives, or says."""
    try:
        return read()
    except KibitzError as error:
        return str(error)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_the_walk_down_the_tree_equals_the_rules(name, choices):
    reader, game = bettings(name), load_game(name)
    history = playout(game, choices)
    found = reader.read(game, history)
    assert found == reader._read_in_tree(history) == reader._read(game, history, None)[0]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(GAMES), st.lists(st.integers(1, 3), min_size=1, max_size=40), st.randoms())
def test_broken_betting_is_refused_as_the_rules_say(name, choices, random):
    reader, game = bettings(name), load_game(name)
    history = playout(game, choices)
    at = random.randrange(len(history))
    broken = history[:at] + random.choice(["", "r20", "x", "/", "ff"]) + history[at + random.randrange(2) :]
    told = [outcome(lambda: reader._read(game, broken, None)[0]), outcome(lambda: reader.read(game, broken))]
    assert told[0] == told[1]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 1))
def test_coverage_is_that_of_the_visits(seed, seen):
    generator, layout = np.random.default_rng(seed), Problem(load_game("leduc")).vector.layout
    counts = generator.integers(1, 12, layout.size) * (generator.random(layout.size) < seen)
    model = FrequentistModel(layout, counts.astype(float))
    rows = coverage(model)
    firsts = np.concatenate(
        [np.arange(layout.offset[n], layout.offset[n] + layout.states[n]) for n in range(len(layout.tree))]
    )
    visits = model.visits[firsts.astype(int)]
    whole = rows[-1]
    assert (whole["infosets"], whole["unseen"]) == (len(visits), (visits == 0).sum())
    assert (whole["few"], whole["many"]) == (((visits > 0) & (visits <= 10)).sum(), (visits > 10).sum())
    assert whole["decisions"] == counts.sum() == sum(row["decisions"] for row in rows[:-1])
    for name in ("infosets", "unseen", "few", "many"):
        assert whole[name] == sum(row[name] for row in rows[:-1])
    raised = sum(
        model.at(node)[i].sum()
        for node in layout.tree.decisions
        for i, a in enumerate(layout.tree.offered(node))
        if a == "r"
    )
    assert whole["raise"] * whole["decisions"] == pytest.approx(raised)
