"""What bots look at and what they do, against the same written plainly."""

import numpy as np
import pytest

from kibitz.compiling import njit
from kibitz.learning.population import _kernels as matches
from kibitz.learning.population import load_population
from kibitz.learning.population._kernels import strength as kernels
from kibitz.learning.population.records import MEMORY, SCRATCH
from kibitz.learning.population.starting_hands import load_equities, load_scores, simulate_equities
from kibitz.learning.records import make_record
from kibitz.learning.tables import TableRules
from learning.population import plain_bots as plain

CASES = 60


@njit(cache=True)
def look(holes, boards, counts, share, scores, keys, found, classes):
    """Strengths and classes of many hands."""
    for i in range(len(holes)):
        hand = kernels.bit_of(holes[i, 0]) | kernels.bit_of(holes[i, 1])
        board = np.uint64(0)
        for j in range(counts[i]):
            board |= kernels.bit_of(boards[i, j])
        kernels.measure(hand, board, counts[i] == 5, share, scores, keys[i], found[i])
        classes[i] = kernels.class_of(hand, board, counts[i] == 5)


def looked(count: int, share: float):
    rng = np.random.default_rng(5)
    cards = np.array([rng.permutation(52)[:7] for _ in range(count)])
    counts, keys = rng.integers(3, 6, count), rng.integers(0, 2**63, count).astype(np.uint64)
    found, classes = np.zeros((count, 3)), np.zeros(count, np.int64)
    look(cards[:, :2], cards[:, 2:], counts, share, load_scores()[0], keys, found, classes)
    sets = [({*row[:2].tolist()}, {*row[2 : 2 + n].tolist()}) for row, n in zip(cards, counts, strict=True)]
    return sets, keys, found, classes


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_strength_and_potential_are_those_of_the_plain_version(share):
    sets, keys, found, _ = looked(CASES, share)
    for (hand, board), key, row in zip(sets, keys.tolist(), found, strict=True):
        assert row == pytest.approx(plain.measure(hand, board, share, load_scores()[0], key), abs=1e-12)


def test_sampled_strength_is_near_the_exact_one():
    sets, _, found, _ = looked(12, 1.0)
    errors = [row[0] - plain.exact_strength(*each) for each, row in zip(sets, found, strict=True)]
    assert np.abs(errors).max() < 4 * 0.5 / np.sqrt(plain.SAMPLES)
    assert abs(np.mean(errors)) < 0.05


def test_classes_are_those_of_the_plain_version():
    sets, _, _, classes = looked(4000, 1.0)
    assert classes.tolist() == [plain.class_of(*each) for each in sets]
    assert {*classes.tolist()} == {0, 1, 2, 3, 4, 5}


def test_scores_of_starting_hands_follow_from_the_simulation():
    again = simulate_equities(2000)
    shipped = np.array([*load_equities().values()])
    assert np.abs(again - shipped).max() < 5 * 0.5 / np.sqrt(2000)
    scores = load_scores()
    aces, deuces = (51, 50), (0, 5)  # and the three and two of different suits
    assert scores[0][aces] == scores[0].max()
    assert scores[3][deuces] < 0.05
    assert np.allclose(scores, scores.transpose(0, 2, 1))
    assert scores[2][~np.eye(52, dtype=bool)].mean() == pytest.approx(0.5, abs=1e-6)


def test_decisions_of_a_strength_bot_are_those_of_the_plain_version():
    """Follow whole deals, the same bot in every seat; the plain version sees memory and strength as they are."""
    population, table, scores = load_population("calibrated"), TableRules().table, load_scores()
    rng, players, checked = np.random.default_rng(3), 4, np.zeros((4, 3), int)
    memory = make_record(MEMORY)
    for deal in range(40):
        number, key = int(rng.integers(24)), int(rng.integers(2**63))
        cards = np.zeros(25, np.uint8)
        dealt = rng.permutation(52)
        cards[: 2 * players], cards[20:] = dealt[: 2 * players], dealt[20:25]
        play = Play(players)
        while not play.over:
            now, scratch = memory.copy(), make_record(SCRATCH)
            action = matches.follow(
                players, deal, np.array(play.actions, dtype=np.int64), population.bots, number, now, scratch, cards,
                table, scores, np.uint64(key),
            )  # fmt: skip
            assert action == decide_plainly(population.bots[number], now[0], scratch[0], cards, play, key)
            checked[play.stage, action] += 1
            play.apply(action)
        matches.follow(players, deal, np.array(play.actions, dtype=np.int64), population.bots, -1, memory,
                       make_record(SCRATCH), cards, table, scores, np.uint64(key))  # fmt: skip
    assert checked[0].min() > 10
    assert checked[1:].sum(axis=0).min() > 10


def decide_plainly(bot, memory, scratch, cards, play, key):
    found = scratch["strength"][play.seat, play.stage]
    if play.stage:
        hand = {*cards[2 * play.seat : 2 * play.seat + 2].tolist()}
        board = {*cards[20 : 22 + play.stage].tolist()}
        others = [p for p in range(play.players) if p != play.seat and play.active >> p & 1]
        chairs = memory["chairs"][others]
        shares = [plain.habit(memory["entered"][c], memory["deals"][c], bot["share"], bot["adapt"]) for c in chairs]
        field = {1: 0, 2: 1}.get(len(others), 2)
        start = plain.scatter(key + (4 * play.seat + play.stage) * plain.GAMMA & plain.MASK)
        wanted = plain.measure(hand, board, float(np.mean(shares)), load_scores()[field], start)
        assert found.tolist() == pytest.approx(wanted, abs=1e-12)
    opponents = bin(play.active).count("1") - 1
    score = load_scores()[{1: 0, 2: 1}.get(opponents, 2)][tuple(cards[2 * play.seat : 2 * play.seat + 2])]
    fold, lift = plain.chances(
        bot, memory, found, play.spent, play.seat, play.stage, play.players, play.bet, play.raises, play.active, score
    )
    word = plain.mix(key + (len(play.actions) + 1) * plain.GAMMA & plain.MASK)
    can_raise = play.raises < (3 if play.stage == 0 else 4) or opponents == 1
    if can_raise and plain.unit(plain.mix(word + plain.GAMMA & plain.MASK)) < lift:
        return 2
    owed = play.bet > play.spent[play.seat]
    return 0 if owed and plain.unit(plain.mix(word + 2 * plain.GAMMA & plain.MASK)) < fold else 1


class Play:
    """The betting of one deal."""

    def __init__(self, players: int) -> None:
        self.players, self.active, self.actions = players, (1 << players) - 1, []
        self.spent, self.bet, self.stage, self.raises = [1, 2] + [0] * (players - 2), 2, 0, 0
        self.waiting = [(2 + step) % players for step in range(players)]
        self.over = False

    @property
    def seat(self) -> int:
        return self.waiting[0]

    def apply(self, action: int) -> None:
        seat = self.waiting.pop(0)
        self.actions.append(action)
        if action == 0:
            self.active &= ~(1 << seat)
        elif action == 1:
            self.spent[seat] = self.bet
        else:
            self.bet += 2 if self.stage < 2 else 4
            self.spent[seat], self.raises = self.bet, self.raises + 1
            order = [(seat + step) % self.players for step in range(1, self.players)]
            self.waiting = [p for p in order if self.active >> p & 1]
        alone = self.active & (self.active - 1) == 0
        if alone or (not self.waiting and self.stage == 3):
            self.over = True
        elif not self.waiting:
            self.stage, self.raises = self.stage + 1, 0
            self.waiting = [p for p in range(self.players) if self.active >> p & 1]
