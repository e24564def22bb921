"""The contract of agents: the built-in ones keep it, and each way to break it is caught."""

import random
import sys
import time

import numpy as np
import pytest

from kibitz.agents import AGENTS
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.testing import check_agent


class Honest:
    """Raises its better cards now and then, from a generator of its own."""

    name = "honest"

    def reset(self, game, seed):
        self.rng = random.Random(seed)
        self.hands = 0

    def act(self, state):
        legal = state.legal()
        if legal.max_raise_to and state.hole[state.player][0] > 30 and self.rng.random() < 0.5:
            return "r" if legal.limit else f"r{legal.min_raise_to}"
        return "c"

    def observe(self, state, position):
        assert state.finished
        self.hands += 1


@pytest.mark.parametrize("name", AGENTS)
def test_built_in_agents_keep_the_contract(name):
    check_agent(name, hands=30)


def test_an_honest_agent_passes():
    check_agent(Honest, hands=60)


def test_games_may_be_given():
    check_agent(Honest, games=["kuhn-3p", load_game("rhode-island")], hands=20)
    check_agent("tight-aggressive", games=["clairvoyance", "kuhn-half-street", "holdem-nolimit-6p"], hands=20)


class NoName(Honest):
    name = ""


class ColonInName(Honest):
    name = "a:b"


class BlankInName(Honest):
    name = "my agent"


class BarInName(Honest):
    name = "a|b"


class NumberForName(Honest):
    name = 7


class NoObserve:
    name = "no-observe"
    reset, act = Honest.reset, Honest.act


class FoldsForNothing(Honest):
    def act(self, state):
        return "f"


class RaisesWithoutSize(Honest):
    def act(self, state):
        return "r" if state.legal().max_raise_to else "c"


class SaysNothing(Honest):
    def act(self, state):
        return None


class Falls(Honest):
    def act(self, state):
        return state.board[0]


class FallsAtTheEnd(Honest):
    def observe(self, state, position):
        raise KeyError("results")


class FallsAtTheStart(Honest):
    def reset(self, game, seed):
        raise ValueError("boom")


class FallsWhenMade(Honest):
    def __init__(self):
        sys.exit(4)


class FallsWhenAsked(Honest):
    def plays(self, game):
        return game.name[99]


class Leaves(Honest):
    def act(self, state):
        sys.exit(3)


class LeavesAtTheEnd(Honest):
    def observe(self, state, position):
        sys.exit()


class Whimsical(Honest):
    """Draws from the global generator."""

    def act(self, state):
        return "f" if state.legal().fold and random.random() < 0.5 else "c"


class GlobalSeed(Honest):
    """Seeds the global generator, which belongs to everybody at the table."""

    def reset(self, game, seed):
        np.random.seed(seed % 2**32)

    def act(self, state):
        return "f" if state.legal().fold and np.random.random() < 0.5 else "c"

    def observe(self, state, position):
        pass


class Remembers(Honest):
    """Goes on counting hands after reset, and plays by the count."""

    def __init__(self):
        self.hands = 0

    def reset(self, game, seed):
        pass

    def act(self, state):
        return "f" if state.legal().fold and self.hands % 7 == 0 else "c"


class RemembersInTheClass(Honest):
    """The same, in a memory shared by all that were ever made."""

    seen = 0

    def act(self, state):
        RemembersInTheClass.seen += 1
        return "f" if state.legal().fold and self.seen % 7 == 0 else "c"


class Colludes(Honest):
    """Twins lay their cards on a common table: honest-looking against strangers."""

    table: dict[int, int] = {}  # noqa: RUF012 - shared on purpose

    def reset(self, game, seed):
        self.table.clear()

    def act(self, state):
        own = state.hole[state.player][0]
        others = [card for position, card in self.table.items() if position != state.player]
        self.table[state.player] = own
        return "f" if state.legal().fold and any(card > own for card in others) else "c"

    def observe(self, state, position):
        self.table.clear()


class Slow(Honest):
    def act(self, state):
        time.sleep(0.02)
        return "c"


class PlaysNothing(Honest):
    def plays(self, game):
        return False


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        (NoName, "the name '' cannot stand in a log"),
        (ColonInName, "the name 'a:b' cannot stand"),
        (BlankInName, "the name 'my agent' cannot stand"),
        (BarInName, "cannot stand in a log"),
        (NumberForName, "the name 7 is not a text"),
        (NoObserve, "NoObserve has no observe"),
        (FoldsForNothing, "honest answered 'f' in kuhn, :.*: legal are c, r"),
        (RaisesWithoutSize, r"answered 'r' in leduc-nolimit, .*: legal are .*r\d+"),
        (SaysNothing, "answered None"),
        (Falls, "honest raised IndexError"),
        (FallsAtTheEnd, r"honest raised KeyError\('results'\) at the end of"),
        (FallsAtTheStart, r"^honest raised ValueError\('boom'\) in reset for kuhn$"),
        (FallsWhenMade, r"FallsWhenMade'> raised SystemExit\(4\) instead of making an agent"),
        (FallsWhenAsked, "honest raised IndexError.* when asked about kuhn"),
        (Leaves, r"honest raised SystemExit\(3\) in kuhn, :"),
        (LeavesAtTheEnd, r"honest raised SystemExit\(\) at the end of kuhn, "),
        (Whimsical, "randomness must come from the seed"),
        (GlobalSeed, "randomness must come from the seed"),
        (Remembers, "reset must drop all that was remembered"),
        (RemembersInTheClass, "a new agent with the same seed"),
        (Colludes, "cards it cannot see"),
        (PlaysNothing, "honest plays none of kuhn, leduc"),
    ],
)
def test_broken_agents_are_caught(agent, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_agent(agent, hands=60)


def test_a_slow_agent_is_caught():
    with pytest.raises(AssertionError, match=r"honest took .* s in kuhn"):
        check_agent(Slow, games=["kuhn"], hands=2, seconds=0.01)


def test_twins_that_leave_are_caught_where_it_is_their_turn():
    class Leaver(Honest):
        """The one of this number leaves. The first two play matches, the next two a hand, then it is dealt again."""

        made, leaver = 0, 0

        def __init__(self):
            Leaver.made += 1
            self.number = Leaver.made

        def act(self, state):
            return sys.exit(5) if self.number == self.leaver else "c"

    Leaver.leaver = 5  # asked with its own cards as they were
    with pytest.raises(AssertionError, match=r"honest raised SystemExit\(5\) in kuhn, :"):
        check_agent(Leaver, games=["kuhn"], hands=2)
    Leaver.made, Leaver.leaver = 0, 6  # its cards are others, and what it answers does not count
    check_agent(Leaver, games=["kuhn"], hands=2)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"hands": 0}, "^0 hands of 6 games: an agent is checked in at least one of each$"),
        ({"hands": -3}, "^-3 hands of 6 games"),
        ({"games": []}, "^200 hands of 0 games"),
        ({"games": ()}, "^200 hands of 0 games"),
    ],
)
def test_nothing_to_check_is_no_check(settings, sentence):
    with pytest.raises(KibitzError, match=sentence):
        check_agent(Honest, **settings)


def test_an_agent_may_say_what_it_plays():
    class KuhnOnly(Honest):
        def plays(self, game):
            return game.name == "kuhn"

        def reset(self, game, seed):
            assert game.name == "kuhn"
            super().reset(game, seed)

    check_agent(KuhnOnly, hands=20)


def test_the_global_generators_are_left_as_they_were():
    random.seed(1)
    np.random.seed(1)
    check_agent("random", games=["kuhn"], hands=10)
    after = random.random(), np.random.random()
    random.seed(1)
    np.random.seed(1)
    assert after == (random.random(), np.random.random())
