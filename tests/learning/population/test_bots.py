"""What bots look at and what they do, against the same written plainly."""

import numpy as np
import pytest

from kibitz.compiling import njit
from kibitz.equity import compute_equity
from kibitz.learning.population import _kernels, load_population
from kibitz.learning.population._kernels import strength as kernels
from kibitz.learning.population.records import ENTERS, FIELDS, FOLDS, LEADS, load_equities, load_scores, make_bots
from kibitz.learning.records import make_work
from kibitz.learning.tables import TableRules
from learning.population import plain_bots as plain

CASES = 60
NOBODY = np.zeros((0, 2), np.uint8)


@njit(cache=True)
def look(holes, boards, counts, share, scores, keys, found, classes):
    """Strengths and classes of many hands."""
    for i in range(len(holes)):
        hole = kernels.card_bit(holes[i, 0]) | kernels.card_bit(holes[i, 1])
        board = np.uint64(0)
        for j in range(counts[i]):
            board |= kernels.card_bit(boards[i, j])
        kernels.measure(hole, board, counts[i] == 5, share, scores, keys[i], found[i])
        classes[i] = kernels.class_of(hole, board, counts[i] == 5)


def looked(count: int, share: float):
    rng = np.random.default_rng(5)
    cards = np.array([rng.permutation(52)[:7] for _ in range(count)])
    counts, keys = rng.integers(3, 6, count), rng.integers(0, 2**63, count).astype(np.uint64)
    found, classes = np.zeros((count, 2)), np.zeros(count, np.int64)
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


def test_shares_of_starting_hands_are_those_of_the_equity_calculator():
    shipped = load_equities()
    assert len(shipped) == 169
    for name in ("AA", "T9s", "72o", "55"):
        for opponents, share in zip(FIELDS, shipped[name], strict=True):
            found = compute_equity(name, *["random"] * opponents, method="sample", samples=20_000, seed=1)
            assert share == pytest.approx(found.equities[0], abs=5 * 0.5 / np.sqrt(20_000))


def test_scores_are_percentiles():
    scores = load_scores()
    aces, deuces = (51, 50), (0, 5)  # and the three and two of different suits
    assert scores[0][aces] == scores[0].max()
    assert scores[3][deuces] < 0.05
    assert np.allclose(scores, scores.transpose(0, 2, 1))
    apart = ~np.eye(52, dtype=bool)
    assert scores[:, apart].mean(axis=1) == pytest.approx(0.5, abs=1e-5)
    assert scores[2][0, 4] > scores[2][0, 5]  # three and two of one suit


class Table:
    """Deals at which the same bot sits in every seat, followed by the kernel from their actions."""

    def __init__(self, population: str, players: int) -> None:
        self.bots = make_bots(load_population(population).bots, np.zeros(players))
        self.work, self.rules, self.players = make_work(), TableRules().table, players

    @property
    def memory(self):
        return self.bots.memory[0]

    def ask(self, number: int, deal: int, key: int, play: plain.Play, holes=NOBODY):
        """The action of bot `number`, its chances with `holes`, and what it remembers and has worked out by then."""
        bots = self._sat(number)
        chances = np.zeros((3, len(holes)))
        action = self._follow(bots, deal, key, play, 1, holes, chances)
        return action, chances, bots.memory[0], bots.scratch[0]

    def remember(self, deal: int, play: plain.Play) -> None:
        assert self._follow(self.bots, deal, 0, play, 0, NOBODY, np.zeros((3, 0))) == -1

    def _sat(self, number: int):
        return self.bots._replace(
            seating=np.full(self.players, number), memory=self.bots.memory.copy(), scratch=self.bots.scratch.copy()
        )

    def _follow(self, bots, deal, key, play, asked, holes, chances):
        work = self.work
        work["players"], work["asked"], work["forced_count"] = self.players, asked, len(play.actions)
        work["forced"][0, : len(play.actions)] = play.actions
        work["cards"][0] = play.cards
        return _kernels.follow(deal, np.uint64(key), holes, chances, bots, work, self.rules)


def dealt(players: int, rng) -> np.ndarray:
    cards, order = np.zeros(25, np.uint8), rng.permutation(52)
    cards[: 2 * players], cards[20:] = order[: 2 * players], order[20:25]
    return cards


@pytest.mark.parametrize(("bots", "deals"), [(range(24), 40), (range(24, 39), 60), (range(39, 43), 24)])
def test_decisions_are_those_of_the_plain_version(bots, deals):
    """Follow whole deals; the plain version sees memory and strength as they are."""
    rng, players, checked = np.random.default_rng(3), 4, np.zeros((4, 3), int)
    table = Table("calibrated", players)
    for deal in range(deals):
        number, key = int(rng.choice(bots)), int(rng.integers(2**63))
        play = plain.Play(players, dealt(players, rng))
        while not play.over:
            action, _, memory, scratch = table.ask(number, deal, key, play)
            fold, lift = chances_of(table.bots.bots[number], memory, scratch, play, key)
            assert action == drawn(fold, lift, play, key)
            holes = np.array([sorted(play.hand)], dtype=np.uint8)
            found = table.ask(number, deal, key, play, holes)[1][:, 0]
            lift = lift if play.can_raise else 0.0
            fold = fold * (1 - lift) if play.bet > play.spent[play.seat] else 0.0
            assert found == pytest.approx([fold, 1 - fold - lift, lift], abs=1e-9)
            checked[play.stage, action] += 1
            play.apply(action)
        table.remember(deal, play)
    assert checked[0].min() > 2
    assert checked[1:].sum(axis=0).min() > 2


def word_of(play, key: int) -> int:
    """The word of a decision."""
    return plain.mix(key + (len(play.actions) + 1) * plain.GAMMA & plain.MASK)


def chances_of(bot, memory, scratch, play, key: int) -> tuple[float, float]:
    field = {1: 0, 2: 1}.get(len(play.others), 2)
    score = load_scores()[field][tuple(play.cards[2 * play.seat : 2 * play.seat + 2])]
    found = scratch["strength"][play.seat, play.stage]
    if play.stage and bot["family"] == 1:
        return plain.rule_of(bot, play.hand, play)
    if play.stage and bot["family"] == 2:
        return plain.simulated(bot, memory, play, load_scores(), word_of(play, key))
    if play.stage:
        start = plain.scatter(key + (4 * play.seat + play.stage) * plain.GAMMA & plain.MASK)
        share = plain.share_of(bot, memory, memory["chairs"][play.others])
        wanted = plain.measure(play.hand, play.board, share, load_scores()[field], start)
        assert found.tolist() == pytest.approx(wanted, abs=1e-12)
    return plain.chances(bot, memory, found, play, score)


def drawn(fold: float, lift: float, play, key: int) -> int:
    word = word_of(play, key)
    if play.can_raise and plain.unit(plain.mix(word + plain.GAMMA & plain.MASK)) < lift:
        return 2
    owed = play.bet > play.spent[play.seat]
    return 0 if owed and plain.unit(plain.mix(word + 2 * plain.GAMMA & plain.MASK)) < fold else 1


def test_what_a_table_remembers():
    """Two deals of three players, by hand; chairs keep their players while the button moves on."""
    table = Table("calibrated", 3)
    play = plain.Play(3, dealt(3, np.random.default_rng(1)))
    for action in (2, 0, 1, 1, 2, 0):  # a raise, a fold, a call; then a check, a bet, a fold
        play.apply(action)
    table.remember(0, play)
    assert table.memory["of"][ENTERS, :3].tolist() == [1, 1, 1]
    assert table.memory["done"][ENTERS, :3].tolist() == [0, 1, 1]
    assert (table.memory["of"][FOLDS, :3].tolist(), table.memory["done"][FOLDS, :3].tolist()) == ([0, 1, 0], [0, 1, 0])
    assert (table.memory["of"][LEADS, :3].tolist(), table.memory["done"][LEADS, :3].tolist()) == ([0, 1, 1], [0, 0, 1])
    play = plain.Play(3, play.cards)
    for action in (0, 0):  # the button and the small blind: chairs 0 and 1
        play.apply(action)
    table.remember(1, play)
    assert table.memory["chairs"][:3].tolist() == [1, 2, 0]
    assert table.memory["of"][ENTERS, :3].tolist() == [2, 2, 2]
    assert table.memory["done"][ENTERS, :3].tolist() == [0, 1, 1]


def test_who_remembers_folds_bluffs_more():
    """A bot that adapts bets weak hands more often against those who have folded to every bet."""
    table = Table("calibrated", 2)
    rng, bluffs = np.random.default_rng(8), []
    number = int(np.argmax(load_population("calibrated").bots["adapt"][:24]))
    table.bots.bots["adapt"][number] = 1.0
    play = plain.Play(2, dealt(2, rng))
    play.waiting = [1, 0]
    for folds in (0, 60):
        table.memory["of"][FOLDS] = table.memory["done"][FOLDS] = folds
        work, holes = table.work, np.array([[0, 5], [1, 6]], dtype=np.uint8)
        work["cards"][0, 20:23] = 51, 46, 30
        bots, chances = table._sat(number), np.zeros((3, 2))
        work["players"], work["asked"], work["forced_count"] = 2, 1, 2
        work["forced"][0, :2] = 1
        _kernels.follow(0, np.uint64(7), holes, chances, bots, work, table.rules)
        bluffs.append(chances[2].min())
    assert bluffs[1] > bluffs[0] + 0.1
