"""The rules on arrays, compiled: deal, start, legal, apply and pay, for many hands side by side.

They are those of `State` under ACPC rules without antes, and tests hold them to it. A kernel that plays whole hands
takes the helpers and keeps a `Hand` in registers: scalars in, scalars out, so that nothing is lost by the call.
"""

from typing import NamedTuple

import numpy as np

from kibitz.compiling import njit

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
def draw_cards(words, start, left, places, drawn):
    """Fill drawn : uint8[cards] as `dealing.deal_from` draws with words[start:]; `left` is the deck, and stays so.

    words : uint32[n]    left : uint8[size]    places : int64[cards], overwritten
    """
    count, size = len(drawn), len(left)
    for i in range(count):
        place = np.int64(words[start + i] % np.uint32(size - i))
        places[i] = place
        drawn[i] = left[place]
        left[place] = left[size - 1 - i]
    for i in range(count - 1, -1, -1):  # undo the draws, which is cheaper than a fresh deck
        left[places[i]] = drawn[i]


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


@njit(cache=True, nogil=True)
def deal_all(words, deck, cards):
    """Fill cards : uint8[hands, k] from words : uint32[hands * k]; deck : uint8[size]."""
    hands, count = cards.shape
    left = deck.copy()
    places = np.empty(count, np.int64)
    for hand in range(hands):
        draw_cards(words, hand * count, left, places, cards[hand])


@njit(cache=True, nogil=True)
def deal_masks(words, deck, held, masks):
    """Fill masks with the showdown hand of every player, dealt as `deal_hands` deals.

    words : uint32[hands * k]    deck : uint8[size]    held : hole cards per player
    masks : uint64[hands, players]   hole cards and the whole board, as `cards.cards_to_mask`
    """
    hands, players = masks.shape
    count = len(words) // hands
    left = deck.copy()
    places = np.empty(count, np.int64)
    drawn = np.empty(count, np.uint8)
    for hand in range(hands):
        draw_cards(words, hand * count, left, places, drawn)
        board = np.uint64(0)
        for i in range(held * players, count):
            board |= np.uint64(1) << np.uint64(16 * (drawn[i] & 3) + (drawn[i] >> 2))
        for p in range(players):
            mask = board
            for i in range(held * p, held * (p + 1)):
                mask |= np.uint64(1) << np.uint64(16 * (drawn[i] & 3) + (drawn[i] >> 2))
            masks[hand, p] = mask


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
