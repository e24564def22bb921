"""Hidden cards are drawn from what the model makes of the betting: rejection, enumeration and the plain formulas."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from kibitz.learning import Structure
from kibitz.learning.histories import SHOWN
from kibitz.learning.opponents import Replay
from kibitz.random import derive_seed
from learning.opponents.conftest import playing_model
from learning.opponents.recording import record_hands
from learning.plain_structure import Plain

DRAWS, BINS = 4000, 12


def hidden_deciders(hands, hand, replay):
    """Seats with hidden cards and the numbers of their decisions, after `replay.watch`."""
    actors = replay.work["player"][: len(hands.actions_of(hand))]
    seats, counts = np.unique(actors, return_counts=True)
    return {int(p): int(n) for p, n in zip(seats, counts, strict=True) if hands.seen[hand, p] != SHOWN}


def find(hands, model, wanted):
    """The first hand whose hidden deciders are as wanted, watched."""
    replay = Replay(hands, model)
    for hand in range(len(hands)):
        replay.watch(hand)
        found = hidden_deciders(hands, hand, replay)
        if wanted(found):
            return replay, hand, found
    raise AssertionError("no such hand")


def free_pairs(hands, hand):
    known = {int(c) for c in hands.cards[hand] if c < 52}
    return list(combinations([c for c in range(52) if c not in known], 2))


def plain_likelihoods(model, hands, hand, seat):
    """The probability of a seat's actions with every free pair, by the plain formulas."""
    plain = Plain(model)
    players = int(hands.players[hand])
    free = [c for c in range(52) if c not in set(hands.cards[hand].tolist())]
    board = [int(c) for c in hands.cards[hand, 20:] if c < 52]
    board += [c for c in free if c not in board][: 5 - len(board)]  # cards that nobody saw
    holes = [free[10 + 2 * p : 12 + 2 * p] for p in range(players)]
    game = hands.rules[hands.rule_numbers[hand]].game(players)
    decisions = plain.walk(game, holes, board, hands.actions_of(hand))[0]
    found = []
    for pair in free_pairs(hands, hand):
        logits = {each.stage: plain.card_logits(each.stage, pair, board) for each in decisions if each.player == seat}
        found.append(
            np.prod([plain.chances(each, logits[each.stage], True)[each.action] for each in decisions
                     if each.player == seat])
        )  # fmt: skip
    return np.array(found)


def draw(replay, hand, seats, exact, count=DRAWS):
    """Pairs drawn for some seats: a list of tuples of pairs."""
    found, cards = [], replay.work["cards"]
    for number in range(count):
        assert replay.visit(hand, derive_seed(5, number, exact), exact)
        found.append(tuple(tuple(sorted(cards[2 * p : 2 * p + 2].tolist())) for p in seats))
    return found


def chi_square(drawn, pairs, shares):
    """Draws in bins of equal mass, the likeliest pairs first, against their shares."""
    order = np.argsort(-shares)
    bins = np.empty(len(pairs), dtype=int)
    bins[order] = np.minimum(np.cumsum(shares[order]) * BINS, BINS - 1).astype(int)
    expected = np.bincount(bins, weights=shares, minlength=BINS) * len(drawn)
    place = {pair: i for i, pair in enumerate(pairs)}
    counts = np.bincount([bins[place[pair]] for pair in drawn], minlength=BINS)
    kept = expected > 0
    return ((counts - expected)[kept] ** 2 / expected[kept]).sum(), int(kept.sum()) - 1


@pytest.mark.parametrize("structure", [Structure(), Structure(self_aware=True, public_observer=True)])
def test_rejection_and_enumeration_draw_from_the_posterior(structure):
    """One hidden hand with two to four decisions: both samplers, against all pairs by the plain formulas."""
    model = playing_model(1, structure)
    hands = record_hands(model, 3, 4, 40, seed=4)
    replay, hand, found = find(hands, model, lambda each: len(each) == 1 and 2 <= next(iter(each.values())) <= 4)
    (seat,) = found
    likely, pairs = plain_likelihoods(model, hands, hand, seat), free_pairs(hands, hand)
    assert likely.max() > 3 * likely.min()  # cards matter
    for exact in (False, True):
        drawn = [each[0] for each in draw(replay, hand, [seat], exact)]
        statistic, degrees = chi_square(drawn, pairs, likely / likely.sum())
        assert statistic < chi2.ppf(0.9999, degrees), exact
        replay.told[:] = 0.0
        assert replay.visit(hand, 1, exact)
        assert replay.logs.sum() == pytest.approx(np.log(likely.mean()) if exact else 0.0, abs=1e-9)


def test_hands_that_share_a_card_are_drawn_anew_as_a_whole():
    """Two hidden hands: the first is drawn less often where the second would want its cards."""
    model = playing_model(1)
    model.weights.cards[:] *= 3  # hands are all but known from the actions
    hands = record_hands(model, 2, 1, 200, seed=4)
    replay, hand, found = find(hands, model, lambda each: len(each) == 2 and sum(each.values()) >= 3)
    first, second = found
    pairs = free_pairs(hands, hand)
    shares = [plain_likelihoods(model, hands, hand, seat) for seat in found]
    shares = [each / each.sum() for each in shares]
    apart = np.array([[not set(a) & set(b) for b in pairs] for a in pairs])
    joint = shares[0] * (apart @ shares[1])
    joint /= joint.sum()
    rarer = joint < shares[0]  # pairs that stand in the other's way
    exact, biased = joint[rarer].sum(), shares[0][rarer].sum()
    error = np.sqrt(exact * (1 - exact) / (2 * DRAWS))
    assert abs(biased - exact) > 5 * error, (biased, exact)
    place = {pair: i for i, pair in enumerate(pairs)}
    for enumerated in (False, True):
        drawn = draw(replay, hand, [first, second], enumerated, 2 * DRAWS)
        assert all(not set(a) & set(b) for a, b in drawn)
        seen = np.mean([rarer[place[a]] for a, _ in drawn])
        assert abs(seen - exact) < 4 * error, (enumerated, seen, exact, biased)


def test_long_sequences_are_enumerated_and_short_ones_are_not(hands, model):
    replay = Replay(hands, model)
    for hand in range(len(hands)):
        replay.told[:] = 0.0
        replay.watch(hand)
        found = hidden_deciders(hands, hand, replay)
        assert replay.fill(hand, 3)
        drawing = replay.drawing
        if drawing["trials"] < 3000:  # else enumeration has come to the help of rejection
            assert drawing["enumerations"] == sum(count > 6 for count in found.values())
        assert drawing["rejections"] >= sum(count <= 6 for count in found.values()) - drawing["enumerations"]


def test_cards_that_were_seen_stay(hands, model):
    replay = Replay(hands, model)
    for hand in range(60):
        replay.visit(hand, hand)
        cards = replay.work["cards"]
        known = hands.cards[hand] < 52
        assert (cards[known] == hands.cards[hand][known]).all()
        dealt = [c for p in range(3) for c in cards[2 * p : 2 * p + 2].tolist() if c < 52]
        dealt += [c for c in cards[20:].tolist() if c < 52]
        assert len(set(dealt)) == len(dealt)
