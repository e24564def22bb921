"""How good a hand is: hand strength and potential against sampled hands, classes of hands, scores of starting hands.

Cards in sets are bits of a word, as `kibitz.evaluator` has them: 16 * suit + rank.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.learning.population.records import FIELDS
from kibitz.random._kernels import GAMMA, below, mix, stream, unit

SAMPLES = 64  # opponents' hands
TRIES = 12  # of a hand that an opponent would play
DECK = np.uint64(52)
ONE, TWO = np.uint64(1), np.uint64(2)
RANKS = np.uint64(0x1FFF)
SLIP = 0.1  # chance of a hand outside the share that opponents play


@njit(forceinline=True)
def bit_of(card):
    """The bit of a card."""
    return ONE << np.uint64(16 * (card & 3) + (card >> 2))


@njit(forceinline=True)
def draw_card(key, word, used):
    """A card that is not in `used`, its bit, and the number of the next word of the stream."""
    while True:
        word += ONE
        card = np.int64(below(mix(key + word * GAMMA), DECK))
        bit = bit_of(card)
        if not used & bit:
            return card, bit, word


@njit
def draw_hand(key, word, used, share, scores):
    """Two cards that a player of the best `share` of hands has, as a set, and the next word.

    scores : float32[52, 52]   percentiles of starting hands; hands below 1 - share are kept with the chance SLIP
    """
    hand = np.uint64(0)
    for _ in range(TRIES):
        first, one, word = draw_card(key, word, used)
        second, other, word = draw_card(key, word, used | one)
        hand = one | other
        if scores[first, second] >= 1.0 - share:
            break
        word += ONE
        if unit(mix(key + word * GAMMA)) < SLIP:
            break
    return hand, word


@njit
def measure(hand, board, last, share, scores, key, out):
    """Fill out with strength, potential to get ahead and potential to fall behind, from SAMPLES hands.

    hand, board   sets of cards; last, whether no card is to come
    strength is P(ahead) + P(tied) / 2 now; the potentials are what one more card does to hands that are behind or tied
    (half), and to those ahead or tied (half).
    """
    own = hand_value(hand | board)
    ahead = behind = tied = 0.0
    gained = lost = 0.0
    word = np.uint64(0)
    for _ in range(SAMPLES):
        other, word = draw_hand(key, word, hand | board, share, scores)
        theirs = hand_value(other | board)
        now = 1.0 if own > theirs else (0.5 if own == theirs else 0.0)
        ahead += now
        if last:
            continue
        _, card, word = draw_card(key, word, hand | board | other)
        mine, yours = hand_value(hand | board | card), hand_value(other | board | card)
        after = 1.0 if mine > yours else (0.5 if mine == yours else 0.0)
        behind += 1.0 - now
        tied += now
        gained += (1.0 - now) * after
        lost += now * (1.0 - after)
    out[0] = ahead / SAMPLES
    out[1] = gained / behind if behind > 0.0 else 0.0
    out[2] = lost / tied if tied > 0.0 else 0.0


@njit(forceinline=True)
def rank_set(cards):
    """The ranks of a set of cards, as 13 bits."""
    both = cards | cards >> np.uint64(32)
    return (both | both >> np.uint64(16)) & RANKS


@njit(forceinline=True)
def bits_of(word):
    """The number of bits set."""
    count = 0
    while word:
        word &= word - ONE
        count += 1
    return count


@njit
def class_of(hand, board, last):
    """The number of the class of a hand, see `records.CLASSES`: what it makes of the board beyond the board itself."""
    value, common = hand_value(hand | board), hand_value(board)
    category, shared = value >> 26, common >> 26
    if category >= 3 and category > shared:
        return 5
    if category == 2 and category > shared:
        # A pair on the board and one in hand is no more than a pair.
        return 4 if shared == 0 else 3 if top_pair(hand, board) else 2
    if category == 1 and shared == 0:
        return 3 if top_pair(hand, board) else 2
    if category >= 3 and value != common:
        return 3  # the board's own, improved
    if not last and has_draw(hand, board):
        return 1
    return 0


@njit(forceinline=True)
def top_pair(hand, board):
    """Whether the hand has a pair with the highest rank of the board, or a pocket pair above it."""
    high, mine = rank_set(board), rank_set(hand)
    best = ONE
    while best << ONE <= high:
        best <<= ONE
    if mine & (mine - ONE) == 0:  # a pocket pair
        return mine > best
    return mine & best != 0


@njit
def has_draw(hand, board):
    """Whether four cards of a suit, one of them in hand, or eight cards that complete a straight are there."""
    for suit in range(4):
        shift = np.uint64(16 * suit)
        if (hand >> shift) & RANKS and bits_of(((hand | board) >> shift) & RANKS) >= 4:
            return True
    ranks, table = rank_set(hand | board), rank_set(board)
    outs = 0
    for rank in range(13):
        new = ONE << np.uint64(rank)
        if not ranks & new and has_straight(ranks | new) and not has_straight(table | new):
            outs += 1
    return outs >= 2


@njit(forceinline=True)
def has_straight(ranks):
    """Whether five ranks in a row are set, the ace being high or low."""
    low = ranks << ONE | ranks >> np.uint64(12)
    low &= low << ONE
    return ranks & low & low << TWO != 0


@njit(cache=True, nogil=True)
def simulate_starting_hands(seed, first, second, samples, won):
    """Add up shares of the pot that two cards win when all stay to the showdown.

    won : float64[len(FIELDS)]   against FIELDS opponents with random hands
    """
    hand = bit_of(first) | bit_of(second)
    root = stream(np.uint64(seed), np.uint64(52 * first + second))
    for number in range(samples):
        key = stream(root, np.uint64(number))
        word = np.uint64(0)
        used = hand
        board = np.uint64(0)
        for _ in range(5):
            _, bit, word = draw_card(key, word, used)
            used |= bit
            board |= bit
        own = hand_value(hand | board)
        ties = 1
        dealt = 0
        lost = False
        for i in range(len(FIELDS)):
            while dealt < FIELDS[i] and not lost:
                _, one, word = draw_card(key, word, used)
                _, other, word = draw_card(key, word, used | one)
                used |= one | other
                dealt += 1
                theirs = hand_value(one | other | board)
                lost = theirs > own
                ties += theirs == own
            if lost:
                break
            won[i] += 1.0 / ties
