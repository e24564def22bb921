"""The rules on arrays, compiled: deal, start, legal, apply and pay, for many hands side by side.

They are those of `State` under ACPC rules without antes, and tests hold them to it. A kernel that plays whole hands
takes the helpers and keeps a `Hand` in registers: scalars in, scalars out, so that nothing is lost by the call.
"""

from typing import NamedTuple

import numpy as np

from kibitz.compiling import njit

HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
MAX_ACTIONS_PER_ROUND = 64
FOLD, CALL = -1, 0  # actions; any other is the amount to raise to, over the whole hand
NEVER = 2**62  # chips that nobody has


class Rules(NamedTuple):
    """What kernels know of a game; see `kibitz.games.Game`."""

    stacks: np.ndarray  # int64[players]
    blinds: np.ndarray  # int64[players]
    raise_sizes: np.ndarray  # int64[rounds], all 0 for no-limit
    first: np.ndarray  # int64[rounds], who opens each
    max_raises: np.ndarray  # int64[rounds]
    opening: int  # chips that the first no-limit raise adds to the blinds
    smallest: int  # chips that the first no-limit bet of a later round adds


class Hand(NamedTuple):
    """The numbers of a `State`, all int64; sets of players are bit masks. Chips put in are an array beside it."""

    round: int
    player: int  # to act; -1 when the round is over
    folded: int
    able: int
    pending: int
    raises: int
    actions: int
    bet: int
    min_raise_to: int


@njit(inline="always")
def next_pending(player, pending, players):
    """The first of `pending` from `player` on."""
    while not pending >> player & 1:
        player = player + 1 if player + 1 < players else 0
    return player


@njit(inline="always")
def first_round(able, bet, first, opening, players):
    """The hand before anybody acts; one player alone is asked in the first round only."""
    player = next_pending(first, able, players) if able else -1
    return Hand(0, player, 0, able, able, 0, 0, bet, bet + opening)


@njit(inline="always")
def goes_on(hand, rounds):
    """Whether more betting follows the round that is over: two can act, and it was not the last."""
    return hand.able & (hand.able - 1) != 0 and hand.round + 1 < rounds


@njit(inline="always")
def next_round(hand, first, smallest, players):
    """The hand as its next round begins."""
    player = next_pending(first, hand.able, players)
    return Hand(hand.round + 1, player, hand.folded, hand.able, hand.able, 0, 0, hand.bet, hand.bet + smallest)


@njit(inline="always")
def can_raise(hand, stack, limit, max_raises, players):
    """Whether the player to act may raise; a limit raise of all there is may lower the bet."""
    return (
        hand.raises < max_raises
        and (limit or stack > hand.bet)
        and hand.able & ~(1 << hand.player) != 0
        and hand.actions + players <= MAX_ACTIONS_PER_ROUND
    )


@njit(inline="always")
def raise_range(hand, stack, raise_size):
    """Smallest and largest amount to raise to, for one who may raise; raise_size is 0 for no-limit."""
    if raise_size:
        size = min(hand.bet + raise_size, stack)
        return size, size
    return min(hand.min_raise_to, stack), stack


@njit(inline="always")
def chips_after(action, spent, bet, stack):
    """What the player to act has put in after an action."""
    if action == FOLD:
        return spent
    return min(bet, stack) if action == CALL else action


@njit(inline="always")
def act(hand, action, is_all_in, players):
    """The hand after a legal action, in the same round."""
    round_, player, folded, able, pending, raises, actions, bet, least = hand
    bit = 1 << player
    alone = False
    if action == CALL:
        pending &= ~bit
    elif action == FOLD:
        pending &= ~bit
        able &= ~bit
        folded |= bit
        left = ~folded & ((1 << players) - 1)
        alone = left & (left - 1) == 0
    else:
        least = max(least, 2 * action - bet)
        bet = action
        raises += 1
        pending = able & ~bit
    if is_all_in:
        able &= ~bit
    player = -1 if alone or pending == 0 else next_pending(player, pending, players)
    return Hand(round_, player, folded, able, pending, raises, actions + 1, bet, least)


@njit(inline="always")
def pay(spent, folded, strength, value, net):
    """Fill net : float64[players] with what a finished hand brings, as `pots.payoffs` with split odd chips.

    spent, strength : int64 and int32[players]    folded : mask    value : int64[players], overwritten
    """
    players = len(net)
    overall = -1
    left = 0
    for p in range(players):
        net[p] = -np.float64(spent[p])
        value[p] = -1 if folded >> p & 1 else np.int64(strength[p])
        overall = max(overall, value[p])
        left += value[p] >= 0
    below = 0
    while True:
        level = np.int64(NEVER)
        for p in range(players):
            if below < spent[p] < level:
                level = spent[p]
        if level == NEVER:
            break
        contributors = 0
        best = -1
        for p in range(players):
            if spent[p] >= level:
                contributors += 1
                best = max(best, value[p])
        reached = level
        if best < 0 and left > 1:  # only folders have reached this: nobody gets it
            below = level
            continue
        if best < 0:
            best = overall
            reached = 0
        winners = 0
        for p in range(players):
            if spent[p] >= reached and value[p] == best:
                winners += 1
        pot = (level - below) * contributors
        for p in range(players):
            if spent[p] >= reached and value[p] == best:
                net[p] += pot / winners
        below = level


@njit(inline="always")
def take_card(place, number, left, places, drawn):
    """Take card `number` of a hand from a place of the deck, as `dealing` does, and note both.

    left : uint8[size] is the deck    places : int64[cards]    drawn : uint8[cards]
    """
    places[number] = place
    drawn[number] = left[place]
    left[place] = left[len(left) - 1 - number]


@njit(inline="always")
def put_back(left, places, drawn):
    """Undo all draws of a hand, which is cheaper than a fresh deck."""
    for i in range(len(drawn) - 1, -1, -1):
        left[places[i]] = drawn[i]


@njit(inline="always")
def draw_with_words(words, start, left, places, drawn):
    """Draw a hand with words : uint32[n] of the ACPC dealer's generator, from `start` on."""
    for i in range(len(drawn)):
        take_card(np.int64(words[start + i] % np.uint32(len(left) - i)), i, left, places, drawn)


@njit(inline="always")
def draw_with_few(a, b, c, left, places, drawn):
    """Draw a hand with 96 bits, the lowest 32 in `a`, as `draw_with_part` would; in registers, so much faster."""
    for i in range(len(drawn)):
        cards = np.uint64(len(left) - i)
        a = a * cards
        b = b * cards + (a >> HALF)
        c = c * cards + (b >> HALF)
        take_card(np.int64(c >> HALF), i, left, places, drawn)
        a, b, c = a & LOW, b & LOW, c & LOW


@njit(inline="always")
def draw_with_part(words, begin, length, left, places, drawn):
    """Draw a hand with `length` words : uint32[16] of a digest, the lowest bits first; they are used up."""
    for i in range(len(drawn)):
        carry = np.uint64(0)
        for j in range(begin, begin + length):
            carry += np.uint64(words[j]) * np.uint64(len(left) - i)
            words[j] = np.uint32(carry & LOW)
            carry >>= HALF
        take_card(np.int64(carry), i, left, places, drawn)


@njit(inline="always")
def read_hand(row):
    """The hand in row : int64[fields of Hand]."""
    return Hand(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8])


@njit(inline="always")
def write_hand(hand, rounds, players, row):
    """Fill row : int64[fields of Hand]; at a showdown all rounds are over."""
    left = ~hand.folded & ((1 << players) - 1)
    row[0] = rounds - 1 if hand.player < 0 and left & (left - 1) else hand.round
    row[1], row[2], row[3], row[4] = hand.player, hand.folded, hand.able, hand.pending
    row[5], row[6], row[7], row[8] = hand.raises, hand.actions, hand.bet, hand.min_raise_to


@njit(inline="always")
def write_hands(hand, drawn, held, cards, masks):
    """Write down what was drawn for a hand, as far as there is room: see `deal_words`."""
    players = masks.shape[1]
    if len(cards) > 0:
        for i in range(len(drawn)):
            cards[hand, i] = drawn[i]
    board = np.uint64(0)
    for i in range(held * players, len(drawn)):
        board |= np.uint64(1) << np.uint64(16 * (drawn[i] & 3) + (drawn[i] >> 2))
    for p in range(players):
        mask = board
        for i in range(held * p, held * (p + 1)):
            mask |= np.uint64(1) << np.uint64(16 * (drawn[i] & 3) + (drawn[i] >> 2))
        masks[hand, p] = mask


@njit(cache=True, nogil=True)
def deal_words(words, deck, count, held, cards, masks):
    """Deal hands of `count` cards with the words of the ACPC dealer's generator : uint32[hands * count].

    deck  : uint8[size]
    held  : hole cards per player
    cards : uint8[hands, count], filled in the order in which they are drawn; no hands for none
    masks : uint64[hands, players], filled with the showdown hand of every player; no players for none
    """
    left, places, drawn = deck.copy(), np.empty(count, np.int64), np.empty(count, np.uint8)
    for hand in range(len(masks)):
        draw_with_words(words, hand * count, left, places, drawn)
        put_back(left, places, drawn)
        write_hands(hand, drawn, held, cards, masks)


@njit(inline="always")
def deal_parts(words, first, length, deck, count, held, cards, masks):
    """What `deal_keyed` does."""
    left, places, drawn = deck.copy(), np.empty(count, np.int64), np.empty(count, np.uint8)
    parts = 16 // length
    number, part = 0, first
    for hand in range(len(masks)):
        if part == parts:
            number, part = number + 1, 0
        begin = 16 * number + part * length
        if length == 3:
            a, b, c = np.uint64(words[begin]), np.uint64(words[begin + 1]), np.uint64(words[begin + 2])
            draw_with_few(a, b, c, left, places, drawn)
        else:
            draw_with_part(words, begin, length, left, places, drawn)
        part += 1
        put_back(left, places, drawn)
        write_hands(hand, drawn, held, cards, masks)


@njit(cache=True, nogil=True)
def deal_keyed(words, first, length, deck, count, held, cards, masks):
    """Deal as `deal_words` does, with `length` of the 16 words of a digest per hand, as `dealing.KeyedCards`.

    words : uint32[16 * digests], used up    first: which part of the first digest is that of the first hand
    """
    if length == 3:  # apart, so that machine code knows it
        deal_parts(words, first, 3, deck, count, held, cards, masks)
    else:
        deal_parts(words, first, length, deck, count, held, cards, masks)


@njit(cache=True, nogil=True)
def start_all(rules, table, spent):
    """Fill table : int64[hands, fields of Hand] and spent : int64[hands, players] with hands that begin."""
    hands, players = spent.shape
    for index in range(hands):
        bet = 0
        able = 0
        for p in range(players):
            spent[index, p] = min(rules.blinds[p], rules.stacks[p])
            bet = max(bet, spent[index, p])
            if spent[index, p] < rules.stacks[p]:
                able |= 1 << p
        hand = first_round(able, bet, rules.first[0], rules.opening, players)
        write_hand(hand, len(rules.first), players, table[index])


@njit(cache=True, nogil=True)
def legal_all(rules, table, spent, fold, low, high):
    """Fill fold : bool[hands], low and high : int64[hands] with what the players to act may do; 0 for no raise."""
    hands, players = spent.shape
    limit = rules.raise_sizes[0] > 0
    for index in range(hands):
        hand = read_hand(table[index])
        p = hand.player
        fold[index], low[index], high[index] = False, 0, 0
        if p < 0:
            continue
        fold[index] = spent[index, p] != hand.bet
        if can_raise(hand, rules.stacks[p], limit, rules.max_raises[hand.round], players):
            low[index], high[index] = raise_range(hand, rules.stacks[p], rules.raise_sizes[hand.round])


@njit(cache=True, nogil=True)
def apply_all(rules, table, spent, actions):
    """Apply actions : int64[hands], each legal, to the hands that are not over."""
    hands, players = spent.shape
    rounds = len(rules.first)
    for index in range(hands):
        hand = read_hand(table[index])
        p = hand.player
        if p < 0:
            continue
        stack = rules.stacks[p]
        spent[index, p] = chips_after(actions[index], spent[index, p], hand.bet, stack)
        hand = act(hand, actions[index], spent[index, p] == stack, players)
        if hand.player < 0 and goes_on(hand, rounds):
            hand = next_round(hand, rules.first[hand.round + 1], rules.smallest, players)
        write_hand(hand, rounds, players, table[index])


@njit(cache=True, nogil=True)
def pay_all(table, spent, strength, net):
    """Fill net : float64[hands, players]; strength : int32[hands, players], of those who have not folded."""
    hands, players = net.shape
    value = np.empty(players, np.int64)
    for index in range(hands):
        pay(spent[index], read_hand(table[index]).folded, strength[index], value, net[index])
