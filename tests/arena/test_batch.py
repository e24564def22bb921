"""The compiled simulator must play exactly what agents play one decision at a time."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.agents import FrequencyAgent, load_agent
from kibitz.arena import batch
from kibitz.arena.match import play_match
from kibitz.games import AcpcCards, Game, State, load_game
from kibitz.games.named import leduc_nolimit, limit_holdem, nolimit_holdem
from kibitz.policy.frequencies import MOVES


def watched(game, agents, seeds, hands, deal_seed):
    """The same match hand by hand: a witness keeps it out of the batch."""
    return play_match(game, agents, seeds, hands, AcpcCards(deal_seed), witness=lambda hand, state: None)


GAMES = ["kuhn", "kuhn-3p", "leduc", "leduc-nolimit", "rhode-island", "kuhn-nolimit", "holdem-limit-2p"]
GAMES += ["holdem-limit-3p", "holdem-nolimit-2p", "holdem-nolimit-3p", "holdem-nolimit-6p"]


@pytest.mark.parametrize("name", GAMES)
def test_batch_plays_the_same_hands(name):
    game = load_game(name)
    names = ["random", "example-player", "always-raise", "always-call", "random", "always-fold"][: game.players]
    seeds = [11 * (seat + 1) for seat in range(game.players)]
    agents = [load_agent(text) for text in names]
    assert batch.can_batch(game, agents)
    compiled = batch.play_batch(game, agents, seeds, 300, AcpcCards(7))
    np.testing.assert_array_equal(compiled, watched(game, agents, seeds, 300, 7))
    assert np.abs(compiled).sum() > 0
    np.testing.assert_allclose(compiled.sum(axis=1), 0, atol=1e-9)


frequencies = st.lists(st.floats(0, 1), min_size=len(MOVES), max_size=len(MOVES))
tables = st.lists(st.lists(frequencies, min_size=2, max_size=2), min_size=4, max_size=4)


@st.composite
def matches(draw):
    players = draw(st.integers(2, 5))
    stacks = tuple(draw(st.lists(st.integers(1, 400), min_size=players, max_size=players)))
    base = nolimit_holdem(players) if draw(st.booleans()) else limit_holdem(players)
    blinds = tuple(draw(st.lists(st.integers(0, 20), min_size=players, max_size=players)))
    game = Game(
        betting=base.betting,
        stacks=stacks,
        blinds=blinds,
        raise_sizes=base.raise_sizes,
        first_players=tuple(draw(st.lists(st.integers(0, players - 1), min_size=4, max_size=4))),
        max_raises=base.max_raises,
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        min_bet=draw(st.one_of(st.none(), st.integers(1, 30))) if base.betting == "nolimit" else None,
    )
    agents = [FrequencyAgent(draw(tables)) for _ in range(players)]
    return game, agents, draw(st.integers(0, 2**32 - 1))


@settings(max_examples=60, deadline=None)
@given(matches())
def test_batch_plays_the_same_hands_in_any_game(match):
    game, agents, seed = match
    seeds = list(range(seed, seed + game.players))
    compiled = batch.play_batch(game, agents, seeds, 12, AcpcCards(seed))
    np.testing.assert_array_equal(compiled, watched(game, agents, seeds, 12, seed))


def test_chunks_do_not_show(monkeypatch):
    game = leduc_nolimit()
    agents = [load_agent("random"), load_agent("random")]
    whole = batch.play_batch(game, agents, [1, 2], 500, AcpcCards(3))
    monkeypatch.setattr(batch, "CHUNK", 64)
    monkeypatch.setattr(batch, "SLICE", 7)
    np.testing.assert_array_equal(whole, batch.play_batch(game, agents, [1, 2], 500, AcpcCards(3)))


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_show(monkeypatch, threads):
    monkeypatch.setattr("numba.get_num_threads", lambda: threads)
    monkeypatch.setattr(batch, "SLICE", 50)
    game, agents = load_game("holdem-nolimit-3p"), [load_agent("random") for _seat in range(3)]
    np.testing.assert_array_equal(
        batch.play_batch(game, agents, [1, 2, 3], 500, AcpcCards(3)), watched(game, agents, [1, 2, 3], 500, 3)
    )


def test_few_hands_load_no_compiler():
    """Two matches of 1,000 hands are played before numba is loaded; the next one is worth it, and not before."""
    program = """if True:
        import sys
        from kibitz.agents import load_agent
        from kibitz.arena.match import play_match
        from kibitz.games import AcpcCards, load_game
        agents = [load_agent("always-call"), load_agent("always-fold")]
        for hands in (1000, 1000, 1):
            assert "numba" not in sys.modules
            play_match(load_game("leduc"), agents, [1, 2], hands, AcpcCards(0))
        assert "kibitz.arena._kernels" in sys.modules
        play_match(load_game("leduc"), agents, [1, 2], 1, AcpcCards(0))
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_batch_is_refused_where_the_kernels_do_not_know_the_rules():
    agents = [load_agent("random"), load_agent("random")]
    assert not batch.can_batch(load_game("clairvoyance"), agents)
    assert not batch.can_batch(load_game("leduc"), [object(), load_agent("random")])
    # ... and the object path plays them all the same.
    chips = play_match(load_game("clairvoyance"), agents, [1, 2], 200, AcpcCards(0))
    assert chips.any()
    assert State.start(load_game("clairvoyance")).player == 0


class Caller(FrequencyAgent):
    """Frequencies that always fold, and an `act` of its own that always calls."""

    def __init__(self):
        super().__init__([[[0, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]], "caller")

    def act(self, state):
        return "c"


class Policed:
    """An agent to whom `policy` means something else."""

    name = "policed"
    policy = None

    def reset(self, game, seed):
        self.policy = {"call": 1.0}

    def act(self, state):
        return "c"

    def observe(self, state, position):
        pass


@pytest.mark.parametrize("make", [Caller, Policed])
def test_agents_with_ways_of_their_own_are_asked(make):
    game = load_game("leduc")
    agents = [make(), load_agent("always-raise")]
    assert not batch.can_batch(game, agents)
    chips = play_match(game, agents, [1, 2], 50, AcpcCards(0))
    np.testing.assert_array_equal(
        chips, play_match(game, [load_agent("always-call"), agents[1]], [1, 2], 50, AcpcCards(0))
    )


def test_a_subclass_with_another_table_is_batched():
    class Folder(FrequencyAgent):
        def __init__(self):
            super().__init__([[[0, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]], "folder")

    one, two = Folder(), Folder()
    assert batch.can_batch(load_game("leduc"), [one, two])
    two.act = one.act
    assert not batch.can_batch(load_game("leduc"), [one, two])


def test_batch_lowers_bets_as_the_rules_do():
    """Limit raises of short stacks lower the bet; chips that only folders reached are then nobody's."""
    game = Game("limit", (40, 15, 12, 40), (4, 2, 0, 0), (8, 8), (2, 0), (4, 4), 4, 5, 2, (0, 3))
    row = {"fold": 1, "call": 1, "any": 2}
    agents, seeds = [FrequencyAgent.of("folds", row, row) for _seat in range(4)], [1, 2, 3, 4]
    compiled = batch.play_batch(game, agents, seeds, 400, AcpcCards(7))
    np.testing.assert_array_equal(compiled, watched(game, agents, seeds, 400, 7))
    assert (compiled.sum(axis=1) < -0.5).any()
    assert (compiled.sum(axis=1) < 1e-9).all()
