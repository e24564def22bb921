"""How often the buckets of two players meet on a board, and who wins then.

Of n hands that fit a board, nearly all n^2 pairs are possible, so pairs are counted bucket by bucket as if all were,
and those that share a card are taken off again: 48,000 of them instead of half a million pairs.
"""

import numpy as np

from kibitz.compiling import njit

FREE = 52 - 5  # cards left beside a board


@njit
def _number(states, order, hands, local, found):
    """Number the states of this board's hands from 0 as they are met; return how many there are."""
    count = 0
    for i in range(hands):
        state = states[order[i]]
        if local[state] < 0:
            local[state] = count
            found[count] = state
            count += 1
    return count


@njit
def _list_by_card(order, hands, cards, lists, lengths):
    """The hands that hold each card, weakest first."""
    lengths[:] = 0
    for i in range(hands):
        for k in range(2):
            card = cards[order[i], k]
            lists[card, lengths[card]] = order[i]
            lengths[card] += 1


@njit
def _count_meetings(order, hands, lists, lengths, mine, theirs, wide, width, meetings):
    """meetings[a, b] = pairs of a hand of mine in a and one of theirs in b; different hands share one card at most."""
    rows, columns = np.zeros(wide, np.int32), np.zeros(width, np.int32)
    for i in range(hands):
        rows[mine[order[i]]] += 1
        columns[theirs[order[i]]] += 1
    for a in range(wide):
        for b in range(width):
            meetings[a, b] = rows[a] * columns[b]
    for i in range(hands):
        meetings[mine[order[i]], theirs[order[i]]] -= 1
    for card in range(52):
        for i in range(lengths[card]):
            for j in range(i):
                one, other = lists[card, i], lists[card, j]
                meetings[mine[one], theirs[other]] -= 1
                meetings[mine[other], theirs[one]] -= 1


@njit
def _count_wins(order, strengths, hands, lists, lengths, mine, theirs, wide, width, below, wins):
    """wins[a, b] = pairs of one of my hands in a that beats one of theirs in b."""
    wins[:wide, :width] = 0
    below[:width] = 0  # of their hands so far, weakest first
    start = 0
    while start < hands:
        end = start
        while end < hands and strengths[order[end]] == strengths[order[start]]:
            row = mine[order[end]]
            if row >= 0:
                for b in range(width):
                    wins[row, b] += below[b]
            end += 1
        for i in range(start, end):
            below[theirs[order[i]]] += 1
        start = end
    for card in range(52):
        for i in range(lengths[card]):
            for j in range(i):
                strong, weak = lists[card, i], lists[card, j]
                if strengths[weak] < strengths[strong]:
                    wins[mine[strong], theirs[weak]] -= 1


@njit
def _weakest_first(board, cards, strength, hands_of):
    """The hands that share no card with the board, weakest first: int64[hands]. hands_of : int64[1326], scratch."""
    hands = 0
    for h in range(1326):
        free = True
        for k in range(5):
            free &= cards[h, 0] != board[k] and cards[h, 1] != board[k]
        if free:
            hands_of[hands] = h
            hands += 1
    return hands_of[:hands][np.argsort(strength[hands_of[:hands]])]


@njit(cache=True, nogil=True)
def add_boards(boards, weights, cards, strengths, first, second, same, weight, sign):
    """Add boards to the joint counts of two players' states.

    boards    : uint8[m, 5]; weights : float64[m], how many boards each stands for
    cards     : uint8[1326, 2], all hole hands
    strengths : int32[m, 1326]; first, second : int32[m, 1326], the players' states; anything where the board blocks
    same      : whether both players have the same states
    weight    : float64[states of 0, states of 1] += pairs of hands
    sign      : in the same way, those that player 0 wins less those he loses
    """
    hands_of = np.empty(1326, np.int64)
    size = (FREE * (FREE - 1)) // 2
    numbers = (np.full(weight.shape[0], -1, np.int32), np.full(weight.shape[1], -1, np.int32))
    found = (np.empty(size, np.int64), np.empty(size, np.int64))
    mine, theirs = np.empty(1326, np.int32), np.empty(1326, np.int32)
    meetings, wins, losses = (
        np.empty((size, size), np.int32),
        np.empty((size, size), np.int32),
        np.empty((size, size), np.int32),
    )
    below = np.empty(size, np.int32)
    lists, lengths = np.empty((52, FREE), np.int32), np.empty(52, np.int64)
    for m in range(len(boards)):
        order = _weakest_first(boards[m], cards, strengths[m], hands_of)
        hands = len(order)
        wide = _number(first[m], order, hands, numbers[0], found[0])
        width = _number(second[m], order, hands, numbers[1], found[1])
        for i in range(hands):
            mine[order[i]] = numbers[0][first[m, order[i]]]
            theirs[order[i]] = numbers[1][second[m, order[i]]]
        by_card = (lists, lengths)
        _list_by_card(order, hands, cards, *by_card)
        _count_meetings(order, hands, *by_card, mine, theirs, wide, width, meetings)
        _count_wins(order, strengths[m], hands, *by_card, mine, theirs, wide, width, below, wins)
        if not same:
            _count_wins(order, strengths[m], hands, *by_card, theirs, mine, width, wide, below, losses)
        for a in range(wide):
            for b in range(width):
                at, to = found[0][a], found[1][b]
                weight[at, to] += weights[m] * meetings[a, b]
                lost = wins[b, a] if same else losses[b, a]
                sign[at, to] += weights[m] * (wins[a, b] - lost)
        for a in range(wide):
            numbers[0][found[0][a]] = -1
        for b in range(width):
            numbers[1][found[1][b]] = -1


@njit(cache=True, nogil=True)
def add_ties(boards, weights, cards, strengths, first, second, ties):
    """Add boards to the weight of ties between two players' states; arguments are those of `add_boards`.

    ties : float64[states of 0, states of 1] += pairs of hands that share no card and are equally strong
    """
    hands_of = np.empty(1326, np.int64)
    for m in range(len(boards)):
        order = _weakest_first(boards[m], cards, strengths[m], hands_of)
        hands = len(order)
        start = 0
        while start < hands:
            end = start + 1
            while end < hands and strengths[m, order[end]] == strengths[m, order[start]]:
                end += 1
            for i in range(start, end):
                a, b = cards[order[i], 0], cards[order[i], 1]
                row = first[m, order[i]]
                for j in range(start, end):
                    c, d = cards[order[j], 0], cards[order[j], 1]
                    if a != c and a != d and b != c and b != d:
                        ties[row, second[m, order[j]]] += weights[m]
            start = end
