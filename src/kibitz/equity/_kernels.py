"""Dealing boards and counting who wins on them. The hands are valued by `kibitz.evaluator`, in between.

These loops know values only as integers: a larger one wins, and a negative one says that the hand and the
board share a card, so the board does not count.
"""

import numpy as np
from numba import int32, uint64

from kibitz.compiling import njit
from kibitz.random._kernels import GAMMA, below, scatter, unit

# The share of weighted draws that ignore the weights of hands: a hand of little weight may be the only one a player
# can hold beside the others, and so part of most deals, without being drawn in any sample (Hesterberg 1995).
EVENLY = 0.1


@njit(cache=True, nogil=True)
def next_boards(deck, tails, tail_starts, state, boards):
    """Fill boards (uint64[n]) with the next combinations of the deck in lexicographic order, and move `state` on.

    A board is a prefix of k cards, by position in the deck, and a tail, so that runs of boards are one list
    joined to one prefix.
    deck        : uint64[m], one bit each
    tails       : uint64, the last cards of a board (and those all boards have), in lexicographic order
    tail_starts : int64[m + 1], the first tail whose cards all have position p or more
    state       : int64[k + 1], the prefix's positions, then the next tail's number
    """
    length = state.shape[0] - 1
    count = 0
    while count < boards.shape[0]:
        prefix = uint64(0)
        for k in range(length):
            prefix |= deck[state[k]]
        tail = state[length]
        run = min(tails.shape[0] - tail, boards.shape[0] - count)
        filled, joined = boards[count : count + run], tails[tail : tail + run]
        for i in range(run):
            filled[i] = prefix | joined[i]
        count += run
        state[length] += run
        while state[length] >= tails.shape[0]:  # the next prefix that leaves room for a tail
            k = length - 1
            while k >= 0 and state[k] + length - k >= deck.shape[0]:
                k -= 1
            if k < 0:
                return
            state[k] += 1
            for j in range(k + 1, length):
                state[j] = state[j - 1] + 1
            state[length] = tail_starts[state[length - 1] + 1]


@njit(cache=True, nogil=True)
def count_pairs(values, boards, rows, weights, shares):
    """Add to shares[p, w] the weight of the boards that player p wins with w - 1 others; two players.

    values : int32[hands, >= boards]    rows : int32[m, 2], each player's row of `values`
    weights : float64[m]                shares : float64[2, 3], column 0 unused
    """
    for deal in range(rows.shape[0]):
        ours, theirs = values[rows[deal, 0]], values[rows[deal, 1]]
        wins, losses, ties = int32(0), int32(0), int32(0)
        for i in range(boards):
            our, their = ours[i], theirs[i]
            both = (our >= 0) & (their >= 0)
            wins += int32(both & (our > their))
            losses += int32(both & (our < their))
            ties += int32(both & (our == their))
        shares[0, 1] += weights[deal] * wins
        shares[1, 1] += weights[deal] * losses
        shares[0, 2] += weights[deal] * ties
        shares[1, 2] += weights[deal] * ties


@njit(cache=True, nogil=True)
def count_players(values, boards, rows, weights, shares):
    """As `count_pairs` for any number of players n: rows int32[m, n], shares float64[n, n + 1]."""
    players = rows.shape[1]
    counts = np.zeros((players, players + 1), dtype=np.int64)
    for deal in range(rows.shape[0]):
        counts[:] = 0
        for i in range(boards):
            best, worst, winners = int32(-1), int32(0x7FFF_FFFF), 0
            for p in range(players):
                value = values[rows[deal, p], i]
                worst = min(worst, value)
                if value > best:
                    best, winners = value, 1
                elif value == best:
                    winners += 1
            if worst >= 0:
                for p in range(players):
                    if values[rows[deal, p], i] == best:
                        counts[p, winners] += 1
        for p in range(players):
            for w in range(1, players + 1):
                shares[p, w] += weights[deal] * counts[p, w]


@njit(inline="always")
def _draw_hand(state, cumulative, first, last):
    """A number from first to last, by the distribution function cumulative[first], ..., cumulative[last] = 1."""
    target = unit(scatter(state))
    low, high = first, last
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def _draw_cards(state, used, count):
    """`count` cards that are not in `used`, as a mask, and the generator's next state."""
    cards = uint64(0)
    while count > 0:
        state += GAMMA
        card = below(scatter(state), uint64(52))
        bit = uint64(1) << (((card & uint64(3)) << uint64(4)) | (card >> uint64(2)))
        if not (used | cards) & bit:
            cards |= bit
            count -= 1
    return cards, state


@njit(cache=True, nogil=True)
def deal_samples(key, start, hole_cards, cumulative, starts, free, fixed, missing, tries, hands):
    """Fill hands (uint64[players, n]) with samples start, start + 1, ... in at most `tries` tries.

    hole_cards : uint64[all hands of all players]     cumulative : float64, of each player's weights, ending in 1
    starts     : int64[players + 1], a player's part  free : bool[players], whether any two cards are as likely
    fixed      : uint64, the board so far             missing : cards to come

    Returns the samples dealt and the tries they took. A sample depends on (key, its number) alone. Hole cards are
    drawn player by player and all drawn again when two share a card, so deals come in proportion to the product of
    their weights. Free players take what is left: they have as many possible hands whatever the others hold, so this
    changes no proportion.
    """
    players = hands.shape[0]
    tried = 0
    for i in range(hands.shape[1]):
        state = scatter(key ^ scatter(uint64(start + i)))
        used = fixed
        player = 0
        if tried == tries:
            return i, tried
        tried += 1
        while player < players:
            if not free[player]:
                state += GAMMA
                hole = hole_cards[_draw_hand(state, cumulative, starts[player], starts[player + 1] - 1)]
                if hole & used:
                    if tried == tries:
                        return i, tried
                    used, player = fixed, 0
                    tried += 1
                    continue
                hands[player, i] = hole
                used |= hole
            player += 1
        _deal_rest(state, used, free, fixed, missing, hands, i)
    return hands.shape[1], tried


@njit(cache=True, nogil=True)
def _deal_rest(state, used, free, fixed, missing, hands, i):
    """Give the free players of sample i two cards each, deal the board, and join it to all hands."""
    for p in range(hands.shape[0]):
        if free[p]:
            hole, state = _draw_cards(state, used, 2)
            hands[p, i] = hole
            used |= hole
    board, state = _draw_cards(state, used, missing)
    for p in range(hands.shape[0]):
        hands[p, i] |= fixed | board


@njit(inline="always")
def _weigh_left(hole_cards, weights, first, end, used):
    """The weight and the number of the hands first, ..., end - 1 without a card of `used`."""
    left, count = 0.0, 0
    for hand in range(first, end):
        if not hole_cards[hand] & used:
            left += weights[hand]
            count += 1
    return left, count


@njit(inline="always")
def _chance(weight, left, count):
    """How probably a hand of `weight` is drawn among `count` that weigh `left` together."""
    return (1.0 - EVENLY) * (weight / left) + EVENLY / count


@njit(inline="always")
def _draw_left(hole_cards, weights, first, end, used, left, count, target):
    """The hand of first, ..., end - 1 without a card of `used` at which the sum of chances passes `target`."""
    passed, drawn = 0.0, first
    for hand in range(first, end):
        if not hole_cards[hand] & used:
            drawn = hand
            passed += _chance(weights[hand], left, count)
            if passed > target:
                break
    return drawn


@njit(cache=True, nogil=True)
def deal_weighted(key, start, hole_cards, weights, starts, order, free, fixed, missing, tries, hands, log_weights):
    """As `deal_samples`, but a hand is drawn among those that the cards dealt so far have left.

    weights : float64[all hands of all players]       order : int64[players], who draws first, second, ...

    Of n hands left that weigh R together, player p draws the one of weight w_p with probability
    q_p = (1 - EVENLY) w_p / R + EVENLY / n. A deal comes with probability prod_p q_p, so it has to count
    prod_p w_p / q_p, whose logarithm goes to log_weights (float64[samples]): sequential importance sampling. A try
    that leaves a player nothing would count 0, and all hands are drawn again.
    """
    players = hands.shape[0]
    tried = 0
    for i in range(hands.shape[1]):
        state = scatter(key ^ scatter(uint64(start + i)))
        used, log_weight, turn = fixed, 0.0, 0
        if tried == tries:
            return i, tried
        tried += 1
        while turn < players:
            player = order[turn]
            if not free[player]:
                first, end = starts[player], starts[player + 1]
                left, count = _weigh_left(hole_cards, weights, first, end, used)
                if count == 0:
                    if tried == tries:
                        return i, tried
                    used, log_weight, turn = fixed, 0.0, 0
                    tried += 1
                    continue
                state += GAMMA
                target = unit(scatter(state))
                hand = _draw_left(hole_cards, weights, first, end, used, left, count, target)
                hands[player, i] = hole_cards[hand]
                used |= hole_cards[hand]
                log_weight += np.log(weights[hand]) - np.log(_chance(weights[hand], left, count))
            turn += 1
        log_weights[i] = log_weight
        _deal_rest(state, used, free, fixed, missing, hands, i)
    return hands.shape[1], tried
