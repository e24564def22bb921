"""Limit games with finite stacks under ACPC rules, against the original dealer's arithmetic told in plain words.

The dealer keeps what each player has spent, the largest amount to match, and the list of this round's actions with
their players; everything else it counts anew from these. A raise needs another player who can act and room under the
limit of raises, but no chips: all-in by a raise makes one's stack the amount to match, be it less than before.
"""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.evaluator import evaluate
from kibitz.games import Deal, Game, State, deal_hands
from kibitz.io.hand_check import check
from kibitz.io.record import HandRecord
from kibitz.testing import check_game
from kibitz.translation.bets import Reading
from kibitz.translation.places import TreePlace
from kibitz.translation.tracker import Tracker
from kibitz.tree import build_tree
from kibitz.tree.size import size_report

MOST_ACTIONS = 64


class Original:
    """One hand as the dealer program keeps it."""

    def __init__(self, game):
        self.game = game
        self.spent = list(game.blinds)
        self.to_match = max(game.blinds)
        self.folded = [False] * game.players
        self.rounds = [[]]  # of (player, letter)
        self.finished = False

    @property
    def acting(self):
        """Who can still act."""
        stacks = self.game.stacks
        return [p for p in range(self.game.players) if not self.folded[p] and self.spent[p] < stacks[p]]

    @property
    def player(self):
        actions = self.rounds[-1]
        before = actions[-1][0] if actions else self.game.first_players[len(self.rounds) - 1] - 1
        order = [(before + step) % self.game.players for step in range(1, self.game.players + 1)]
        return next(p for p in order if p in self.acting)

    def legal(self):
        player, actions = self.player, self.rounds[-1]
        letters = "c"
        if self.spent[player] != self.to_match:
            letters += "f"
        raises = sum(letter == "r" for _player, letter in actions)
        room = len(actions) + self.game.players <= MOST_ACTIONS
        if raises < self.game.max_raises[len(self.rounds) - 1] and room and len(self.acting) > 1:
            letters += "r"
        return set(letters)

    def act(self, letter):
        player, stack = self.player, self.game.stacks[self.player]
        self.rounds[-1].append((player, letter))
        if letter == "f":
            self.folded[player] = True
        elif letter == "c":
            self.spent[player] = min(self.to_match, stack)
        else:
            raised = self.to_match + self.game.raise_sizes[len(self.rounds) - 1]
            self.to_match = self.spent[player] = min(raised, stack)
        if sum(self.folded) == self.game.players - 1:
            self.finished = True
        elif self.called() >= len(self.acting):
            self.close()

    def called(self):
        """How many who can still act have called the last raise of the round, its author among them."""
        count = 0
        for player, letter in reversed(self.rounds[-1]):
            count += letter in "cr" and player in self.acting
            if letter == "r":
                break
        return count

    def close(self):
        last = self.game.rounds - len(self.rounds)
        if len(self.acting) > 1 and last:
            self.rounds.append([])
        else:
            self.rounds += [[] for _ in range(last)]
            self.finished = True

    @property
    def history(self):
        return "/".join("".join(letter for _player, letter in actions) for actions in self.rounds)

    def values(self, deal):
        """Net chips of every player: each goes through the side pots that he is in, smallest first."""
        players = range(self.game.players)
        left = [p for p in players if not self.folded[p]]
        if len(left) == 1:
            others = sum(self.spent) - self.spent[left[0]]
            return [Fraction(others if p == left[0] else -self.spent[p]) for p in players]
        strength = {p: evaluate(deal.hole[p] + deal.board) for p in left}
        return [self.value(p, strength) if p in left else Fraction(-self.spent[p]) for p in players]

    def value(self, player, strength):
        rest = {p: chips for p, chips in enumerate(self.spent) if chips}
        value = Fraction(0)
        while player in rest:
            size = min(rest.values())
            best = max(strength.get(p, -1) for p in rest)
            winners = [p for p in rest if strength.get(p, -1) == best]
            if player in winners:
                value += Fraction(size * (len(rest) - len(winners)), len(winners))
            else:
                value -= size
            rest = {p: chips - size for p, chips in rest.items() if chips > size}
        return value


@st.composite
def games(draw, most_players=6):
    """Games of all sorts of stacks, most of them short; a blind is never more than its owner's stack."""
    count = draw(st.integers(2, most_players))
    rounds = draw(st.integers(1, 3))
    big = draw(st.integers(1, 6))
    blinds = (big, draw(st.integers(0, big)), *(0,) * (count - 2))
    most = draw(st.sampled_from([6, 15, 40]))
    return Game(
        betting="limit",
        stacks=tuple(max(blind, draw(st.integers(1, most))) for blind in blinds),
        blinds=blinds,
        raise_sizes=tuple(draw(st.integers(1, 9)) for _ in range(rounds)),
        first_players=(draw(st.integers(0, count - 1)),) + (0,) * (rounds - 1),
        max_raises=(draw(st.sampled_from([255, 4, 2, 1])),) * rounds,
        suits=4,
        ranks=5,  # so that ties are common
        hole_cards=2,
        board_cards=(0, 3, 1)[:rounds],
    )


def play_both(game, seed):
    """A random hand by the rules and by the original, compared at every step."""
    random, deal = Random(seed), next(deal_hands(game, seed))
    state, original = State.start(game, deal), Original(game)
    if not original.acting:  # everybody is all-in by a blind: the original would look for a player for ever
        assert state.finished
        return None
    while not original.finished:
        assert not state.finished
        assert state.player == original.player
        assert set(state.legal().actions()) == original.legal()
        action = random.choice(sorted(original.legal()) + ["r"] * ("r" in original.legal()))
        state = state.apply(action)
        original.act(action)
        assert (list(state.spent), state.bet) == (original.spent, original.to_match)
    assert state.finished
    assert state.history == original.history
    assert state.returns() == pytest.approx([float(chips) for chips in original.values(deal)], abs=1e-9)
    return state


SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=600, deadline=None)
@given(games(), SEEDS)
def test_hands_are_those_of_the_original(game, seed):
    play_both(game, seed)


TABLE = Game("limit", (40, 15, 12, 40), (4, 2, 0, 0), (8, 8), (2, 0), (4, 4), 4, 5, 2, (0, 3))


def test_the_comparison_meets_what_is_rare():
    met = set()
    for seed in range(400):
        state = play_both(TABLE, seed)
        again = State.start(TABLE, state.deal)
        for letter in state.history.replace("/", ""):
            before, again = again, again.apply(letter)
            met |= {"lowered"} if again.bet < before.bet else set()
            met |= {"taken back"} if letter == "c" and before.to_call < 0 else set()
            met |= {"folded above the bet"} if letter == "f" and before.to_call < 0 else set()
        met |= {"lost"} if sum(state.returns()) < -0.5 else set()
    assert met == {"lowered", "taken back", "folded above the bet", "lost"}


def test_a_raise_of_a_short_stack_lowers_the_bet():
    game = Game("limit", (100, 15), (10, 5), (10,), (1,), (3,), 4, 13, 2, (0,))
    state = State.start(game).play("cr")
    assert (state.bet, state.to_call, str(state.legal())) == (20, 5, "f, c, r")
    state = state.apply("r")
    assert (state.bet, state.spent, state.to_call, str(state.legal())) == (15, (20, 15), -5, "f, c")
    assert state.apply("f").returns() == (-20, 20)
    game = Game("limit", (100, 15, 100), (10, 5, 0), (10,), (2,), (3,), 4, 13, 2, (0,))
    state = State.start(game).play("rf")  # player 2 raises, player 0 folds
    assert (state.player, state.bet, str(state.legal())) == (1, 20, "f, c, r")
    state = state.apply("r")
    assert (state.player, state.bet, state.spent, state.to_call) == (2, 15, (10, 15, 20), -5)
    assert str(state.legal()) == "f, c"
    assert state.apply("c").spent == (10, 15, 15)
    assert state.apply("f").returns() == (-10, 30, -20)


@pytest.mark.parametrize("rules", ["acpc", "tda"])
@settings(max_examples=25, deadline=None)
@given(game=games())
def test_the_contract_is_kept(rules, game):
    check_game(replace(game, rules=rules), playouts=20)


def test_tda_tables_never_lower_a_bet():
    game = replace(Game("limit", (100, 15, 100), (10, 5, 0), (10,), (2,), (3,), 4, 13, 2, (0,)), rules="tda")
    assert str(State.start(game).play("rf").legal()) == "f, c"


def short_leduc(*stacks):
    """Leduc with these stacks, for two or three."""
    players = len(stacks)
    return Game("limit", stacks, (1,) * players, (2, 4), (0, 0), (2, 2), 2, players + 1, 1, (0, 1))


@pytest.mark.parametrize("stacks", [(20, 8), (8, 4), (12, 7, 20), (5, 20, 9)])
def test_trees_and_counts_have_the_lowered_bets(stacks):
    game = short_leduc(*stacks)
    tree = build_tree(game)
    decisions = lowered = 0
    waiting = [(0, State.start(game))]
    while waiting:
        node, state = waiting.pop()
        assert tree.spent[node].tolist() == list(state.spent)
        if state.finished:
            continue
        decisions += 1
        assert state.player == tree.player[node]
        first = int(tree.first_child[node])
        children = range(first, first + int(tree.children[node]))
        actions = list(state.legal().actions())
        if state.to_call < 0:
            lowered += 1
            actions.remove("f")  # nobody needs to fold chips that can be taken back
        assert [tree.actions[child] for child in children] == actions
        waiting += [(child, state.apply(tree.actions[child])) for child in children]
    assert lowered
    report = size_report(game, "full")
    assert report.nodes == len(tree)
    assert decisions == len(tree.decisions)


def test_logs_with_chips_that_nobody_gets_replay():
    met = 0
    for seed in range(400):
        state = play_both(TABLE, seed)
        hand = HandRecord(
            TABLE, "0", state.history, Deal(state.hole, state.board), tuple("abcd"), tuple(map(float, state.returns()))
        )
        assert check(hand) == []
        hidden = hand._replace(deal=Deal((), state.board))
        assert check(hidden) == []
        met += sum(state.returns()) < -0.5
        if state.showdown:
            assert check(hidden._replace(returns=(hand.returns[0] + 1, *hand.returns[1:])))
    assert met


def test_readers_of_bets_follow_a_lowered_bet():
    game = short_leduc(12, 7, 20)
    tree = build_tree(game)
    lowered = 0
    for seed in range(100):
        random, state = Random(seed), State.start(game)
        tracker = Tracker(TreePlace(tree), Reading(), random.random)
        while not state.finished:
            place = tracker.place_of(state)
            assert place.node == tree.find(state.history)
            lowered += state.to_call < 0
            actions = [action for action in state.legal().actions() if action != "f" or state.to_call > 0]
            action = random.choice(actions)
            tracker.follow(state, action)
            state = state.apply(action)
    assert lowered
