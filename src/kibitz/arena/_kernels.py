"""Compiled play of whole batches of hands: deal, bet, settle.

The betting loop follows `games.state.State` under ACPC rules, and the random numbers those of `kibitz.random`;
tests hold the kernels to both. Cards are ranked between `play_hands` and `settle` by the evaluator's own batch.
"""

import numpy as np
from numba import prange

from kibitz.compiling import njit
from kibitz.random._kernels import mix, unit

MAX_ACTIONS_PER_ROUND = 64
FOLD, CALL, MIN, HALF_POT, POT, ALL_IN, ANY = range(7)
MOVES = 7
BLOCK = 512  # hands that share one set of scratch arrays


@njit(cache=True, parallel=True)
def deal_masks(words, deck, held, masks):
    """Fill masks with the showdown hand of every player, dealt as `games.dealing.deal_hands` deals.

    words : uint32[hands * k]    deck : uint8[size]    held : hole cards per player
    masks : uint64[hands, players]   hole cards and the whole board, as `cards.cards_to_mask`
    """
    hands, players = masks.shape
    count = len(words) // hands
    size = len(deck)
    for block in prange((hands + BLOCK - 1) // BLOCK):
        left = deck.copy()
        places = np.empty(count, np.int64)
        drawn = np.empty(count, np.uint8)
        for hand in range(block * BLOCK, min(hands, (block + 1) * BLOCK)):
            for i in range(count):
                place = np.int64(words[hand * count + i] % np.uint32(size - i))
                places[i] = place
                drawn[i] = left[place]
                left[place] = left[size - 1 - i]
            # Undo the draws, which is cheaper than a fresh deck.
            for i in range(count - 1, -1, -1):
                left[places[i]] = drawn[i]
            board = np.uint64(0)
            for i in range(held * players, count):
                board |= np.uint64(1) << np.uint64(16 * (drawn[i] & 3) + (drawn[i] >> 2))
            for p in range(players):
                mask = board
                for i in range(held * p, held * (p + 1)):
                    mask |= np.uint64(1) << np.uint64(16 * (drawn[i] & 3) + (drawn[i] >> 2))
                masks[hand, p] = mask


@njit(cache=True, parallel=True)
def play_hands(first_hand, policies, seeds, stacks, blinds, raise_sizes, first, max_raises, opening, smallest, out):
    """Bet out hands first_hand .. first_hand + len(out), position p being seat (p + hand) mod players.

    policies : float64[seats, rounds, 2, 7]   frequencies of `agents.frequency.MOVES`, by seat
    seeds    : uint64[seats]                  of the seats' random numbers
    stacks, blinds : int64[players]           raise_sizes : int64[rounds], all 0 for no-limit
    first, max_raises : int64[rounds]         opening, smallest : chips of the first raise before and after the flop
    out      : int64[hands, players + 1]      chips spent per position, then the mask of those who folded
    """
    hands = out.shape[0]
    players = len(stacks)
    rounds = len(first)
    limit = raise_sizes[0] > 0
    for block in prange((hands + BLOCK - 1) // BLOCK):
        spent = np.empty(players, np.int64)
        decisions = np.empty(players, np.int64)
        keys = np.empty(players, np.uint64)
        weights = np.empty(MOVES, np.float64)
        for index in range(block * BLOCK, min(hands, (block + 1) * BLOCK)):
            hand = first_hand + index
            bet = 0
            able = 0  # mask of those who have chips left and have not folded
            for p in range(players):
                spent[p] = min(blinds[p], stacks[p])
                bet = max(bet, spent[p])
                decisions[p] = 0
                keys[p] = mix(mix(seeds[(p + hand) % players]) ^ np.uint64(hand))
                if spent[p] < stacks[p]:
                    able |= 1 << p
            least = bet + opening
            folded = 0
            standing = players
            for round_ in range(rounds):
                if able == 0:
                    break
                if able & (able - 1) == 0 and round_ > 0:  # one player alone is asked before the flop only
                    break
                pending = able
                raises = 0
                actions = 0
                player = first[round_]
                while pending:
                    while not pending >> player & 1:
                        player = player + 1 if player + 1 < players else 0
                    bit = 1 << player
                    stack = stacks[player]
                    called = min(bet, stack)
                    to_call = called - spent[player]
                    seat = (player + hand) % players
                    row = policies[seat, round_, 1 if to_call > 0 else 0]
                    can_raise = (
                        raises < max_raises[round_]
                        and (limit or stack > bet)  # a limit raise of all there is may lower the bet
                        and able & ~bit != 0
                        and actions + players <= MAX_ACTIONS_PER_ROUND
                    )
                    word = mix(keys[player] ^ np.uint64(decisions[player]))
                    decisions[player] += 1
                    total = 0.0
                    for move in range(MOVES):
                        weight = row[move]
                        if (move == FOLD and spent[player] == bet) or (move > CALL and not can_raise):
                            weight = 0.0
                        weights[move] = weight
                        total += weight
                    chosen = CALL
                    if total > 0.0:
                        target = unit(word) * total
                        running = 0.0
                        for move in range(MOVES):
                            if weights[move] > 0.0:
                                running += weights[move]
                                chosen = move
                                if target < running:
                                    break
                    actions += 1
                    if chosen == FOLD:
                        folded |= bit
                        able &= ~bit
                        pending &= ~bit
                        standing -= 1
                        if standing == 1:
                            break
                    elif chosen == CALL:
                        spent[player] = called
                        if called == stack:
                            able &= ~bit
                        pending &= ~bit
                    else:
                        low = min(least, stack)
                        if limit:
                            size = min(bet + raise_sizes[round_], stack)
                        elif chosen == MIN:
                            size = low
                        elif chosen == ALL_IN:
                            size = stack
                        elif chosen == ANY:
                            size = low + np.int64(mix(word) % np.uint64(stack - low + 1))
                        else:
                            pot = to_call
                            for p in range(players):
                                pot += spent[p]
                            size = bet + (pot // 2 if chosen == HALF_POT else pot)
                            size = min(max(size, low), stack)
                        least = max(least, 2 * size - bet)
                        bet = size
                        spent[player] = size
                        raises += 1
                        if size == stack:
                            able &= ~bit
                        pending = able & ~bit
                if standing == 1:
                    break
                least = bet + smallest
            for p in range(players):
                out[index, p] = spent[p]
            out[index, players] = folded


@njit(cache=True, parallel=True)
def settle(first_hand, played, strength, chips):
    """Fill chips : float64[hands, seats] with net results, as `games.pots.payoffs` with split odd chips.

    played   : int64[hands, players + 1]   from `play_hands`
    strength : int32[hands, players]       showdown values by position
    """
    hands, players = chips.shape
    for block in prange((hands + BLOCK - 1) // BLOCK):
        net = np.empty(players, np.float64)
        value = np.empty(players, np.int64)
        for index in range(block * BLOCK, min(hands, (block + 1) * BLOCK)):
            folded = played[index, players]
            overall = -1
            left = 0
            for p in range(players):
                net[p] = -np.float64(played[index, p])
                value[p] = -1 if folded >> p & 1 else np.int64(strength[index, p])
                overall = max(overall, value[p])
                left += value[p] >= 0
            below = 0
            while True:
                level = np.int64(2**62)
                for p in range(players):
                    if below < played[index, p] < level:
                        level = played[index, p]
                if level == 2**62:
                    break
                contributors = 0
                best = -1
                for p in range(players):
                    if played[index, p] >= level:
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
                    if played[index, p] >= reached and value[p] == best:
                        winners += 1
                pot = (level - below) * contributors
                for p in range(players):
                    if played[index, p] >= reached and value[p] == best:
                        net[p] += pot / winners
                below = level
            for p in range(players):
                chips[index, (p + first_hand + index) % players] = net[p]
