"""The rules told a second time, as a table with chips, seats and a queue, and compared on random play.

Nothing here shares an idea with `State`: chips move one by one, whoever must act stands in a queue, and pots are
counted chip level by chip level in fractions.
"""

from collections import deque
from fractions import Fraction
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.evaluator import evaluate
from kibitz.games import Game, State, deal_hands


class Seat:
    """One player: chips behind, chips put in, and what was the bet when they last acted in this round."""

    def __init__(self, number, stack, ante, blind):
        self.number = number
        self.ante = min(stack, ante)
        self.behind = stack - self.ante
        self.put_in = 0
        self.folded = False
        self.acted_at = None
        self.put(blind)

    def put(self, chips):
        """Move up to `chips` from behind into the pot, or so many back."""
        while chips < 0:
            self.behind += 1
            self.put_in -= 1
            chips += 1
        for _ in range(chips):
            if not self.behind:
                break
            self.behind -= 1
            self.put_in += 1

    @property
    def can_act(self):
        return not self.folded and self.behind > 0

    @property
    def total(self):
        return self.behind + self.put_in


class Table:
    """A hand in progress, changed by every action."""

    def __init__(self, game):
        self.game = game
        self.seats = [
            Seat(*them) for them in zip(range(game.players), game.stacks, game.antes, game.blinds, strict=True)
        ]
        self.bet = max(seat.put_in for seat in self.seats)
        self.full_raise = max(1, *game.blinds)
        self.least = self.bet + self.full_raise
        self.betting = [""]
        self.over = False
        self.open_round()

    def clockwise(self, start):
        """All seats once, from number `start` on."""
        seats = deque(self.seats)
        seats.rotate(-start)
        return seats

    def open_round(self):
        self.raises = self.actions = 0
        for seat in self.seats:
            seat.acted_at = None
        self.queue = deque(s for s in self.clockwise(self.game.first_players[len(self.betting) - 1]) if s.can_act)

    @property
    def history(self):
        return "/".join(self.betting)

    def options(self):
        """(may fold, smallest raise, largest raise) of the next in the queue; None where no raise is possible."""
        game, seat = self.game, self.queue[0]
        others = [other for other in self.seats if other.can_act and other is not seat]
        may_raise = others and self.raises < game.max_raises[len(self.betting) - 1]
        may_raise = may_raise and (seat.total > self.bet or (game.betting, game.rules) == ("limit", "acpc"))
        if game.rules == "acpc":
            may_fold = seat.put_in != self.bet
            may_raise = may_raise and self.actions + game.players <= 64
        else:
            may_fold = True
            reopened = seat.acted_at is None or self.bet - seat.acted_at >= self.full_raise
            answered = any(other.total > self.bet for other in others)  # somebody has chips for more than a call
            may_raise = may_raise and reopened and answered
        if not may_raise:
            return may_fold, None, None
        if game.betting == "limit":
            size = min(seat.total, self.bet + game.raise_sizes[len(self.betting) - 1])
            return may_fold, size, size
        return may_fold, min(self.least, seat.total), seat.total

    def act(self, action):
        seat = self.queue.popleft()
        self.betting[-1] += action
        self.actions += 1
        if action == "f":
            seat.folded = True
        elif action == "c":
            seat.put(self.bet - seat.put_in)
        else:
            size = int(action[1:]) if len(action) > 1 else self.raise_size(seat)
            self.raise_to(seat, size)
        seat.acted_at = self.bet
        left = [s for s in self.seats if not s.folded]
        if len(left) == 1:
            self.over = True
        elif not self.queue or self.nobody_to_bet_against(left):
            self.close_round()

    def nobody_to_bet_against(self, left):
        """In a room, the last player with chips is not asked once they have matched every all-in."""
        able = [seat for seat in left if seat.can_act]
        if self.game.rules == "acpc" or len(able) > 1:
            return False
        return not able or all(other.put_in <= able[0].put_in for other in left)

    def raise_size(self, seat):
        return min(seat.total, self.bet + self.game.raise_sizes[len(self.betting) - 1])

    def raise_to(self, seat, size):
        seat.put(size - seat.put_in)
        added = size - self.bet
        if self.game.rules == "acpc":
            self.least = max(self.least, size + added)
        else:
            self.full_raise = max(self.full_raise, added)
            self.least = size + self.full_raise
        self.bet = size
        self.raises += 1
        self.queue = deque(s for s in self.clockwise(seat.number + 1) if s.can_act and s is not seat)

    def close_round(self):
        able = [seat for seat in self.seats if seat.can_act]
        rounds = self.game.rounds
        if len(self.betting) == rounds:
            self.over = True
        elif len(able) < 2:
            self.betting += [""] * (rounds - len(self.betting))
            self.over = True
        else:
            self.betting.append("")
            self.full_raise = max(1, *self.game.blinds)
            self.least = self.bet + self.full_raise
            self.open_round()

    def returns(self, deal):
        """Net chips, as fractions: pots built up chip level by chip level."""
        left = [seat for seat in self.seats if not seat.folded]
        strength = {seat: evaluate(deal.hole[seat.number] + deal.board) if len(left) > 1 else 0 for seat in left}
        net = [Fraction(-seat.put_in - seat.ante) for seat in self.seats]
        pots = {}  # who may win it -> chips
        for dead, chips in ((True, lambda seat: seat.ante), (False, lambda seat: seat.put_in)):
            contenders = tuple(s.number for s in left)
            for level in range(1, 1 + max(map(chips, self.seats))):
                reached = tuple(s.number for s in left if chips(s) >= level)
                if not reached and not dead and len(left) > 1 and self.game.rules == "acpc":
                    continue  # folded by somebody who could have had it back
                contenders = reached or contenders
                pots[contenders] = pots.get(contenders, 0) + sum(chips(seat) >= level for seat in self.seats)
        for contenders, pot in pots.items():
            best = max(strength[self.seats[number]] for number in contenders)
            winners = [number for number in contenders if strength[self.seats[number]] == best]
            for place, winner in enumerate(winners):
                share = Fraction(pot, len(winners))
                if self.game.rules == "tda":
                    share = Fraction(pot // len(winners) + (place < pot % len(winners)))
                net[winner] += share
        return net


@st.composite
def games(draw, rules, betting="nolimit"):
    """Small games of two to six players; everybody has more than their ante and blind."""
    players = draw(st.integers(2, 6))
    rounds = draw(st.integers(1, 4))
    big = draw(st.integers(0, 6))
    small = draw(st.integers(0, big))
    blinds = {2: (big, small)}.get(players, (small, big, *(0,) * (players - 2)))
    ante = draw(st.sampled_from([0, 0, 1, 3]))
    most = draw(st.sampled_from([8, 30, 200]))
    stacks = tuple(ante + blind + draw(st.integers(1, most)) for blind in blinds)
    first = draw(st.integers(0, players - 1))
    raises = draw(st.sampled_from([255, 255, 4, 1, 0]))
    return Game(
        betting=betting,
        stacks=stacks,
        blinds=blinds,
        raise_sizes=tuple(draw(st.integers(1, 9)) for _ in range(rounds)) if betting == "limit" else (),
        first_players=(first,) + (0,) * (rounds - 1),
        max_raises=(raises,) * rounds,
        suits=4,
        ranks=5,  # so that ties are common
        hole_cards=2,
        board_cards=(0, 3, 1, 1)[:rounds],
        antes=(ante,) * players,
        rules=rules,
    )


def choose(random, may_fold, least, most, limit):
    """An action, often a small or an all-in raise."""
    action = random.choices("fcr", weights=(1 if may_fold else 0, 3, 4 if most else 0))[0]
    if action != "r" or limit:
        return action
    return f"r{random.choice((least, most, random.randint(least, most), min(most, least + 1)))}"


def compare(game, seed):
    random = Random(seed)
    deal = next(deal_hands(game, seed))
    state, table = State.start(game, deal), Table(game)
    while not table.over:
        seat = table.queue[0]
        may_fold, least, most = table.options()
        legal = state.legal()
        assert (state.player, state.history) == (seat.number, table.history)
        assert (legal.fold, legal.min_raise_to, legal.max_raise_to) == (may_fold, least or 0, most or 0), state.history
        assert state.spent == tuple(seat.put_in for seat in table.seats)
        assert state.pot == sum(seat.put_in + seat.ante for seat in table.seats)
        assert state.to_call == min(table.bet, seat.total) - seat.put_in
        action = choose(random, may_fold, least, most, game.betting == "limit")
        state = state.apply(action)
        table.act(action)
    assert state.finished
    assert state.history == table.history
    assert state.returns() == pytest.approx([float(chips) for chips in table.returns(deal)], abs=1e-9)


SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=400, deadline=None)
@given(games("acpc"), SEEDS)
def test_nolimit_under_acpc_rules(game, seed):
    compare(game, seed)


@settings(max_examples=400, deadline=None)
@given(games("tda"), SEEDS)
def test_nolimit_under_tda_rules(game, seed):
    compare(game, seed)


@settings(max_examples=200, deadline=None)
@given(games("acpc", "limit"), SEEDS)
def test_limit_under_acpc_rules(game, seed):
    compare(game, seed)


def test_the_comparison_meets_what_is_rare():
    """Side pots, ties, short all-ins and run-outs all occur among the hands compared."""
    met = set()
    game = Game("nolimit", (9, 30, 14, 50), (1, 2, 0, 0), (), (2, 0, 0, 0), (255,) * 4, 4, 5, 2, (0, 3, 1, 1))
    for seed, deal in enumerate(islice(deal_hands(game, 5), 500)):
        random, state = Random(seed), State.start(game, deal)
        while not state.finished:
            legal = state.legal()
            action = choose(random, legal.fold, legal.min_raise_to, legal.max_raise_to, limit=False)
            if action[0] == "r" and int(action[1:]) < state.min_raise_to:
                met.add("short all-in")
            state = state.apply(action)
        if state.showdown:
            met.add("run-out" if state.history.endswith("/") else "river")
            levels = {chips for player, chips in enumerate(state.spent) if not state.folded >> player & 1}
            met.add("side pots" if len(levels) > 2 else "one pot")
            if any(chips % 1 for chips in state.returns()):
                met.add("odd chips")
    assert met >= {"short all-in", "run-out", "river", "side pots", "one pot", "odd chips"}
