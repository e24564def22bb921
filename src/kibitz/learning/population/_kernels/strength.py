"""How good a hand is: against sampled hands, by class, and in simulated deals.

Cards in sets are bits of a word, as `kibitz.evaluator` has them. A stream is its last word, a multiple of GAMMA on.
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.learning._kernels.betting import DIVIDING, ROUNDS, active_in, card_bit, count_bits, count_options
from kibitz.learning.records import SEATS
from kibitz.random._kernels import GAMMA, below, mix, stream, unit

SAMPLES = 64  # opponents' hands
TRIES = 12  # of a hand that an opponent would play
SLIP = 0.1  # chance of a hand outside the share that opponents play
DECK = np.uint64(52)
RANKS = 0x1FFF


@njit(forceinline=True)
def hole_of(seat, work):
    """The hole cards of a seat, as a set."""
    return card_bit(work.cards[2 * seat]) | card_bit(work.cards[2 * seat + 1])


@njit(forceinline=True)
def board_of(stage, work):
    """The board of a stage after the first, as a set."""
    board = np.uint64(0)
    for i in range(2 + stage):
        board |= card_bit(work.cards[2 * SEATS + i])
    return board


@njit(forceinline=True)
def draw_card(key, used):
    """A card that is not in `used`, its bit, and the stream after it."""
    while True:
        key += GAMMA
        card = np.int64(below(mix(key), DECK))
        bit = card_bit(card)
        if not used & bit:
            return card, bit, key


@njit
def draw_hand(key, used, share, scores):
    """Two cards that a player of the best `share` of hands has, as a set, and the stream after them.

    scores : float32[52, 52]   percentiles of starting hands; hands below 1 - share are kept with the chance SLIP
    """
    hand = np.uint64(0)
    for _ in range(TRIES):
        first, one, key = draw_card(key, used)
        second, other, key = draw_card(key, used | one)
        hand = one | other
        if scores[first, second] >= 1.0 - share:
            break
        key += GAMMA
        if unit(mix(key)) < SLIP:
            break
    return hand, key


@njit(forceinline=True)
def compare(mine, yours):
    """1 for the better value, 1/2 for a tie, 0 for the worse."""
    return 1.0 if mine > yours else (0.5 if mine == yours else 0.0)


@njit
def measure(hole, board, is_last, share, scores, key, found):
    """Fill found with the strength of a hand and its potential to get ahead, from SAMPLES hands.

    Strength is P(ahead) + P(tied) / 2 now; potential is what one more card does to hands that are behind, or tied
    (half), and none is left on the river.
    """
    own = hand_value(hole | board)
    ahead = behind = gained = 0.0
    for _ in range(SAMPLES):
        other, key = draw_hand(key, hole | board, share, scores)
        now = compare(own, hand_value(other | board))
        ahead += now
        if not is_last:
            _, card, key = draw_card(key, hole | board | other)
            behind += 1.0 - now
            gained += (1.0 - now) * compare(hand_value(hole | board | card), hand_value(other | board | card))
    found[0] = ahead / SAMPLES
    found[1] = gained / behind if behind > 0.0 else 0.0


@njit
def class_of(hole, board, is_last):
    """The number of the class of a hand, see `records.CLASSES`: what it makes of the board beyond the board itself."""
    value, common = np.int64(hand_value(hole | board)), np.int64(hand_value(board))
    category, shared = value >> 26, common >> 26
    if category >= 3 and category > shared:
        return 5
    if category == 2 and shared == 0:
        return 4
    if category > shared:  # one pair beyond the board's: of its highest rank, or above that?
        own = (value & ~common) >> 13 & RANKS
        return 3 if 2 * own > ((common >> 13 | common) & RANKS) else 2
    if category >= 3 and value != common:
        return 3  # the board's own, improved
    return 1 if not is_last and has_draw(hole, board) else 0


@njit
def has_draw(hole, board):
    """Whether four cards of a suit, one of them in hand, or two ranks that complete a straight are there."""
    ranks = table = 0
    for suit in range(4):
        shift = np.uint64(16 * suit)
        held, common = np.int64(hole >> shift) & RANKS, np.int64(board >> shift) & RANKS
        if held and count_bits(held | common) >= 4:
            return True
        ranks |= held | common
        table |= common
    outs = 0
    for rank in range(13):
        new = 1 << rank
        outs += not ranks & new and has_straight(ranks | new) and not has_straight(table | new)
    return outs >= 2


@njit(forceinline=True)
def has_straight(ranks):
    """Whether five ranks in a row are set, the ace being high or low."""
    low = ranks << 1 | ranks >> 12
    low &= low << 1
    return ranks & low & low << 2 != 0


@njit(error_model=DIVIDING)
def simulate(hand, key, bot, mind, work, table):
    """The mean chips that a call and a raise win from here on, where a fold wins 0; a raise that is not legal, nothing.

    The same bot.trials deals serve both: opponents' hands from scratch.shares, the board as it may come. Who leads on a
    street bets with the chance bot.leads; who is behind folds to a bet with the chance bot.yields, else calls.
    """
    can_raise = count_options(hand, work.players, table) > 1
    call = lift = 0.0
    for trial in range(bot.trials):
        after = draw_deal(hand, stream(key, np.uint64(trial)), mind, work)
        call += play_out(hand.bet, hand, after, bot, mind.scratch, work, table)
        if can_raise:
            level = hand.bet + table.raise_sizes[hand.round]
            lift += play_out(level, hand, after, bot, mind.scratch, work, table)
    return call / bot.trials, lift / bot.trials


@njit(error_model=DIVIDING)
def draw_deal(hand, key, mind, work):
    """Draw hands of opponents and the rest of the board, and evaluate all from this stage on; the stream after it."""
    scratch, seat, active = mind.scratch, hand.player, active_in(hand, work.players)
    board = board_of(hand.round, work)
    scratch.hands[seat] = hole_of(seat, work)
    used = board | scratch.hands[seat]
    for p in range(work.players):
        if p != seat and active >> p & 1:
            scratch.hands[p], key = draw_hand(key, used, scratch.shares[p], mind.scores.by_field[1])
            used |= scratch.hands[p]
    for street in range(hand.round, ROUNDS):
        if street > hand.round:
            _, bit, key = draw_card(key, used)
            used |= bit
            board |= bit
        for p in range(work.players):
            if active >> p & 1:
                scratch.made[street, p] = hand_value(scratch.hands[p] | board)
    return key


@njit(error_model=DIVIDING)
def play_out(level, hand, key, bot, scratch, work, table):
    """Chips that the player to act wins from here on by putting in all but `level`, in the deal in `scratch`."""
    seat, players, made = hand.player, work.players, scratch.made
    pot, left = 0, active_in(hand, players)
    for p in range(players):
        pot += work.spent[p]
        if p != seat and left >> p & 1 and work.spent[p] < level:
            key += GAMMA
            if made[hand.round, p] < made[hand.round, seat] and unit(mix(key)) < bot.yields:
                left &= ~(1 << p)
            else:
                pot += level - work.spent[p]
    paid = level - work.spent[seat]
    pot += paid
    for street in range(hand.round + 1, ROUNDS):
        leader = -1
        for p in range(players):
            if left >> p & 1 and (leader < 0 or made[street, p] > made[street, leader]):
                leader = p
        if left == 1 << leader:
            break
        key += GAMMA
        if unit(mix(key)) >= bot.leads:
            continue
        for p in range(players):
            if not left >> p & 1:
                continue
            key += GAMMA
            if p != leader and unit(mix(key)) < bot.yields:
                left &= ~(1 << p)
                if p == seat:
                    return -1.0 * paid
            else:
                pot += table.raise_sizes[street]
                paid += table.raise_sizes[street] if p == seat else 0
    best, winners = np.int64(-1), 0
    for p in range(players):
        if left >> p & 1:
            if made[ROUNDS - 1, p] > best:
                best, winners = made[ROUNDS - 1, p], 0
            winners += made[ROUNDS - 1, p] == best
    return (pot / winners if made[ROUNDS - 1, seat] == best else 0.0) - paid
