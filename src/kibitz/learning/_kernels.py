"""Simulated deals of limit hold'em, compiled: play them with a learned policy, and sum up what they teach.

One deal is played in scratch memory (`records.WORK`); nothing is allocated. The policy (card mode) is a class-mixture
regression with a soft-max on top; the observer is a hidden Markov model over card-types that sees only what is public.
`model` has the formulas; the tests compute the same slowly.

Sets of players are bit masks. Actions are FOLD, CALL and RAISE, options (those with a value) CALL - 1 and RAISE - 1.
"""

from math import exp, log

import numpy as np

from kibitz.compiling import njit
from kibitz.evaluator._kernels import hand_value
from kibitz.learning.cards._kernels import board_features, hand_features
from kibitz.learning.records import BETS, CONSTANT, LISTS, MOVES, PRIVATE, PUBLIC, SEATS, SHORT, STAGES, STATES, TYPES
from kibitz.random._kernels import GAMMA, below, mix, stream, unit

FOLD, CALL, RAISE = 0, 1, 2
WORKED = 3  # players of a showdown that is always worked
MOST_WORKED = 6  # more players than this in a showdown teach the showdown estimator nothing
FAST = {"reassoc", "contract", "nsz", "arcp"}
SMALL = 1e-60
FAR = -30.0  # values and logits further below the best count as this: no probability is ever 0
DIVIDING = "numpy"  # a division by nothing makes weights that are not numbers, which `step` refuses
NO_BASELINE, FOLD_BASELINE, MEAN_BASELINE, LINEAR_BASELINE = 0, 1, 2, 3


# ---------------------------------------------------------------------------------------------------------------- deal


@njit(error_model=DIVIDING)
def deal_cards(key, cards, players):
    """Fill the hole cards of `players` and the board from the stream `key`."""
    word = np.uint64(0)
    dealt = np.uint64(0)
    for i in range(2 * players + 5):
        while True:  # rejection is faster than moving cards about: at most 24 of 52 are gone
            word += np.uint64(1)
            card = below(mix(key + word * GAMMA), np.uint64(52))
            if not dealt >> card & np.uint64(1):
                break
        dealt |= np.uint64(1) << card
        place = i if i < 2 * players else 2 * SEATS + i - 2 * players
        cards[place] = np.uint8(card)


@njit(forceinline=True, error_model=DIVIDING)
def next_of(mask, player, players):
    """The first of a mask of players from `player` on."""
    while not mask >> player & 1:
        player = player + 1 if player + 1 < players else 0
    return player


@njit(forceinline=True, error_model=DIVIDING)
def count_bits(mask):
    """The number of players in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(fastmath=FAST, error_model=DIVIDING)
def exponentials(weights, type_exp):
    """Fill type_exp with exp(types), each card-type's largest being 1: only ratios of outcome states matter."""
    for stage in range(STAGES):
        for c in range(TYPES):
            most = weights.types[stage, 0, c]
            for s in range(1, STATES):
                most = max(most, weights.types[stage, s, c])
            for s in range(STATES):
                type_exp[stage, s, c] = exp(max(weights.types[stage, s, c] - most, 2 * FAR))


@njit(fastmath=FAST, error_model=DIVIDING)
def open_stage(stage, players, active, policy, observer, mode, work):
    """Public features of a new stage, its transitions, and the beliefs about active players after it."""
    board = work.cards[2 * SEATS :]
    numbers, values = work.public_numbers, work.public_values
    if stage:
        work.public_counts[stage] = board_features(
            stage, board, mode.complete, mode.card_scales, mode.pairs, numbers[stage], values[stage]
        )
        if stage == 3:
            work.public_counts[SHORT] = board_features(
                SHORT, board, mode.complete, mode.card_scales, mode.pairs, numbers[SHORT], values[SHORT]
            )
    for s in range(STATES):
        work.board[0, s] = 0.0
        work.board[1, s] = 0.0
    for kind in range(1, LISTS):
        base = PUBLIC[stage, kind]
        if base < 0:
            continue
        for i in range(work.public_counts[kind]):
            row, value = base + numbers[kind, i], values[kind, i]
            for s in range(STATES):
                work.board[0, s] += policy.cards[row, s] * value
                work.board[1, s] += observer.cards[row, s] * value
    for seat in range(players):
        work.private_counts[stage, seat] = -1
    if stage == 0:
        return
    moves = work.moves[stage].reshape(TYPES * TYPES)
    for i in range(TYPES * TYPES):
        moves[i] = observer.transitions[CONSTANT[stage], i]
    for kind in range(1, LISTS):
        base = MOVES[stage, kind]
        if base < 0:
            continue
        for i in range(work.public_counts[kind]):
            row, value = base + numbers[kind, i], values[kind, i]
            for j in range(TYPES * TYPES):
                moves[j] += observer.transitions[row, j] * value
    most = moves[0]
    for i in range(1, TYPES * TYPES):
        most = max(most, moves[i])
    for i in range(TYPES * TYPES):  # only ratios matter: the largest becomes 1, and nothing overflows
        moves[i] = exp(max(moves[i] - most, 2 * FAR))
    for seat in range(players):
        if active >> seat & 1:
            move_belief(work.belief[seat], work.moves[stage], work.scratch[0])


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def move_belief(belief, moves, scratch):
    """A belief after new board cards, normalised."""
    for c in range(TYPES):
        scratch[c] = 0.0
    for before in range(TYPES):
        for c in range(TYPES):
            scratch[c] += belief[before] * moves[before, c]
    total = 0.0
    for c in range(TYPES):
        total += scratch[c]
    for c in range(TYPES):
        belief[c] = scratch[c] / total


@njit(fastmath=FAST, error_model=DIVIDING)
def look_at_hand(stage, seat, weights, mode, logits, work):
    """Features of a seat's cards at this stage, and the exponentials of the logits that all card features give."""
    numbers, values = work.private_numbers[stage, seat], work.private_values[stage, seat]
    first, second = np.int64(work.cards[2 * seat]), np.int64(work.cards[2 * seat + 1])
    board = work.cards[2 * SEATS :]
    count = hand_features(stage, first, second, board, mode.complete, mode.card_scales, mode.pairs, numbers, values)
    work.private_counts[stage, seat] = count
    hand = work.hand[seat]
    for s in range(STATES):
        hand[s] = logits[s]
    base = PRIVATE[stage]
    for i in range(count):
        row, value = base + numbers[i], values[i]
        for s in range(STATES):
            hand[s] += weights.cards[row, s] * value
    to_exponentials(hand)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def to_exponentials(logits):
    """Replace logits by their exponentials, the largest being 1."""
    most = logits[0]
    for s in range(1, STATES):
        most = max(most, logits[s])
    for s in range(STATES):
        logits[s] = exp(max(logits[s] - most, 2 * FAR))


# ------------------------------------------------------------------------------------------------------------ decision


@njit(forceinline=True, error_model=DIVIDING)
def bet_features(option, seat, stage, players, active, pending, spent, bet, raises, table, scales, found):
    """Fill found : float64[BETS + 1] with the bet features after an option, scaled; the last is its cost."""
    after = bet + (table.raise_sizes[stage] if option else 0)
    cost = after - spent[seat]
    opponents = active & ~(1 << seat)
    count = count_bits(opponents)
    still = count if option else count_bits(pending & ~(1 << seat))
    pot, owed = cost, 0
    for p in range(players):
        pot += spent[p]
        if opponents >> p & 1:
            owed += after - spent[p]
    behind = count_bits(opponents >> (seat + 1)) if stage < 3 else 0
    heads_up = count == 1
    left = table.max_raises[stage] - raises - option
    if heads_up and table.uncapped_heads_up:
        left = 4
    found[0] = count * scales[0]
    found[1] = 1.0 if still == 0 else 0.0
    found[2] = pot * scales[2]
    found[3] = owed * scales[3]
    found[4] = (pot + owed) / (count + 1) * scales[4]
    found[5] = still * scales[5]
    found[6] = behind * scales[6]
    found[7] = 1.0 if heads_up else 0.0
    found[8] = left * scales[8]
    found[9] = cost * scales[9]


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def shared_logits(weights, stage, features, opponents, logits, values):
    """Fill logits and values : float64[s] of outcome states with all that does not come from cards."""
    for s in range(STATES):
        logits[s] = weights.bets[stage, BETS, s]
        values[s] = 0.0
    for f in range(BETS):
        x = features[f]
        for s in range(STATES):
            logits[s] += weights.bets[stage, f, s] * x
            values[s] += weights.values[stage, f, s] * x
    for c in range(TYPES):
        x = opponents[c]
        for s in range(STATES):
            logits[s] += weights.beliefs[stage, c, s] * x


@njit(fastmath=FAST, error_model=DIVIDING)
def ask_types(d, stage, can_fold, options, observer, mode, work):
    """What each card-type would do in decision d: fills type_sum, type_mean and type_chance."""
    chance = work.type_chance[d]
    for c in range(TYPES):
        chance[FOLD, c] = 0.0
        chance[CALL, c] = 0.0
        chance[RAISE, c] = 0.0
    for option in range(options):
        sums, means = work.type_sum[d, option], work.type_mean[d, option]
        for c in range(TYPES):
            sums[c] = 0.0
            means[c] = 0.0
        for s in range(STATES):
            weight = work.state_exp[d, option, s]
            value = weight * work.state_value[d, option, s]
            for c in range(TYPES):
                sums[c] += weight * work.type_exp[stage, s, c]
                means[c] += value * work.type_exp[stage, s, c]
        cost = observer.costs[stage] * work.features[d, option, BETS]
        for c in range(TYPES):
            means[c] /= sums[c]
            chance[option + 1, c] = means[c] - cost
    for c in range(TYPES):
        most = chance[CALL, c]
        if options > 1:
            most = max(most, chance[RAISE, c])
        if can_fold:
            most = max(most, 0.0)
            chance[FOLD, c] = exp(max(-most, FAR))
        chance[CALL, c] = exp(max(chance[CALL, c] - most, FAR))
        if options > 1:
            chance[RAISE, c] = exp(max(chance[RAISE, c] - most, FAR))
        total = chance[FOLD, c] + chance[CALL, c] + chance[RAISE, c]
        chance[FOLD, c] /= total
        chance[CALL, c] /= total
        chance[RAISE, c] /= total


@njit(fastmath=FAST, error_model=DIVIDING)
def watch(d, stage, can_fold, options, observer, mode, work):
    """What card-types would do in decision d, whose bet features and summed beliefs are recorded."""
    for option in range(options):
        features, opponents = work.features[d, option], work.opponents[d]
        logits, values = work.state_exp[d, option], work.state_value[d, option]
        shared_logits(observer, stage, features, opponents, logits, values)
        if mode.public_observer:
            for s in range(STATES):
                logits[s] += work.board[1, s]
        to_exponentials(logits)
    ask_types(d, stage, can_fold, options, observer, mode, work)


@njit(fastmath=FAST, error_model=DIVIDING)
def decide(d, seat, stage, can_fold, options, policy, separate, mode, work):
    """The probabilities of the actions of a seat in decision d with its cards, after `watch`."""
    chance = work.chance[d]
    for option in range(options):
        outcome, values = work.outcome[d, option], work.own_value[d, option]
        # The observer's exponentials serve the policy too, where both have the same weights and inputs.
        if separate or mode.self_aware or mode.public_observer:
            shared_logits(policy, stage, work.features[d, option], work.opponents[d], outcome, values)
            if mode.self_aware:
                look_ahead(work.belief[seat], work.type_chance[d, option + 1], work.ahead[d, option])
                for c in range(TYPES):
                    x = work.ahead[d, option, c]
                    for s in range(STATES):
                        outcome[s] += policy.own[stage, c, s] * x
            to_exponentials(outcome)
        else:
            for s in range(STATES):
                outcome[s] = work.state_exp[d, option, s]
                values[s] = work.state_value[d, option, s]
        total = mean = 0.0
        for s in range(STATES):
            outcome[s] *= work.hand[seat, s]
            total += outcome[s]
            mean += outcome[s] * values[s]
        for s in range(STATES):
            outcome[s] /= total
        work.mean[d, option] = mean / total
        chance[option + 1] = mean / total - policy.costs[stage] * work.features[d, option, BETS]
    soften(chance, can_fold, options)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def look_ahead(belief, chance, ahead):
    """Fill ahead with the belief about a player after an action that card-types take with `chance`."""
    total = 0.0
    for c in range(TYPES):
        ahead[c] = belief[c] * chance[c]
        total += ahead[c]
    for c in range(TYPES):
        ahead[c] /= total


@njit(forceinline=True, error_model=DIVIDING)
def soften(chance, can_fold, options):
    """The soft-max of the values of the legal actions, in place; that of a fold is 0."""
    most = chance[CALL]
    if options > 1:
        most = max(most, chance[RAISE])
    if can_fold:
        most = max(most, 0.0)
    chance[FOLD] = exp(max(-most, FAR)) if can_fold else 0.0
    chance[CALL] = exp(max(chance[CALL] - most, FAR))
    chance[RAISE] = exp(max(chance[RAISE] - most, FAR)) if options > 1 else 0.0
    total = chance[FOLD] + chance[CALL] + chance[RAISE]
    chance[FOLD] /= total
    chance[CALL] /= total
    chance[RAISE] /= total


@njit(error_model=DIVIDING)
def play_deal(players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work):
    """Play the deal in work.cards, with actions drawn from the stream `key`; fills the records and work.net.

    forced : int64[n]   actions to take in the first `forced_count` decisions, whatever their probability; -1 at its
                        end stops the deal there, before anybody looks at cards
    Returns the number of decisions; those after the cap are calls, and not counted.
    """
    spent = work.spent
    bet = 0
    for p in range(players):
        spent[p] = table.blinds[players, p]
        bet = max(bet, spent[p])
        for c in range(TYPES):
            work.belief[p, c] = observer.initial[c]
    active = pending = (1 << players) - 1
    stage = raises = d = np.int64(0)  # not literals, for which helpers would be compiled once more
    asked = forced_count > 0 and forced[forced_count - 1] < 0
    open_stage(stage, players, active, policy, observer, mode, work)
    seat = table.first[players, 0]
    while True:
        seat = next_of(pending, seat, players)
        owes = spent[seat] != bet
        action = CALL
        if d < table.decision_cap:
            can_fold = owes or table.free_folds
            two_left = active & (active - 1) & ((active & (active - 1)) - 1) == 0
            can_raise = raises < table.max_raises[stage] or (table.uncapped_heads_up and two_left)
            options = 2 if can_raise else 1
            own = separate and learners >> seat & 1 != 0
            if work.private_counts[stage, seat] < 0 and not asked:
                if own or not separate:
                    look_at_hand(stage, seat, policy, mode, work.board[0], work)
                else:
                    look_at_hand(stage, seat, observer, mode, work.board[1], work)
            opponents = work.opponents[d]
            for c in range(TYPES):
                opponents[c] = 0.0
            for p in range(players):
                if p != seat and active >> p & 1:
                    for c in range(TYPES):
                        opponents[c] += work.belief[p, c]
            for option in range(options):
                bet_features(
                    option, seat, stage, players, active, pending, spent, bet, raises, table, mode.bet_scales,
                    work.features[d, option],
                )  # fmt: skip
            if asked and d == forced_count - 1:
                work.player[d], work.stage[d], work.action[d], work.paid[d] = seat, stage, can_fold, options
                break
            watch(d, stage, can_fold, options, observer, mode, work)
            if own or not separate:
                decide(d, seat, stage, can_fold, options, policy, own, mode, work)
            else:
                decide(d, seat, stage, can_fold, options, observer, own, mode, work)
            if d < forced_count:
                action = forced[d]
            else:
                drawn = unit(mix(key + np.uint64(d + 1) * GAMMA))
                fold, call = work.chance[d, FOLD], work.chance[d, CALL]
                action = FOLD if drawn < fold else (CALL if drawn < fold + call or options < 2 else RAISE)
            work.player[d], work.stage[d], work.action[d], work.paid[d] = seat, stage, action, spent[seat]
            look_ahead(work.belief[seat], work.type_chance[d, action], work.belief[seat])
            d += 1
        pending &= ~(1 << seat)
        if action == FOLD:
            active &= ~(1 << seat)
            work.last[seat] = stage
        elif action == CALL:
            spent[seat] = bet
        else:
            bet += table.raise_sizes[stage]
            spent[seat] = bet
            raises += 1
            pending = active & ~(1 << seat)
        if active & (active - 1) == 0:
            break
        if pending == 0:
            if stage == 3:
                break
            stage += 1
            raises = 0
            pending = active
            open_stage(stage, players, active, policy, observer, mode, work)
            seat = table.first[players, stage]
    for p in range(players):
        if active >> p & 1:
            work.last[p] = stage
    work.counts[0], work.counts[1], work.counts[2], work.counts[3] = d, active, stage, players
    if not asked:
        pay(players, active, work)
    return d


@njit(forceinline=True, error_model=DIVIDING)
def pay(players, active, work):
    """Fill work.net; tied hands share the pot."""
    pot = best = winners = 0
    for p in range(players):
        pot += work.spent[p]
    alone = active & (active - 1) == 0
    winning = active
    if not alone:
        board = np.uint64(0)
        for i in range(5):
            card = work.cards[2 * SEATS + i]
            board |= np.uint64(1) << np.uint64(16 * (card & 3) + (card >> 2))
        best = -1
        winning = 0
        for p in range(players):
            if active >> p & 1:
                mask = board
                for i in range(2):
                    card = work.cards[2 * p + i]
                    mask |= np.uint64(1) << np.uint64(16 * (card & 3) + (card >> 2))
                value = np.int64(hand_value(mask))
                if value > best:
                    best = value
                    winning = 0
                if value == best:
                    winning |= 1 << p
    winners = count_bits(winning)
    for p in range(players):
        work.net[p] = (pot / winners if winning >> p & 1 else 0.0) - work.spent[p]
    work.counts[4] = winning


# ------------------------------------------------------------------------------------------------------------ learning


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_policy(run, learners, mode, work, linear, gradient, linear_gradient):
    """Add the REINFORCE gradient of a deal: sum over decisions of (return - baseline) times grad ln probability.

    linear, linear_gradient : float64[stages, BETS + 1]   the baseline where it is learned, and its own gradient
    """
    count, players = work.counts[0], work.counts[3]
    by_hand = work.by_hand
    for stage in range(work.counts[2] + 1):
        for p in range(players):
            for s in range(STATES):
                by_hand[stage, p, s] = 0.0
    change = work.scratch[2]
    for d in range(count):
        seat, stage, action = work.player[d], work.stage[d], work.action[d]
        if run.separate and not learners >> seat & 1:
            continue
        won = work.net[seat]
        if run.baseline:
            won += work.paid[d]  # what a fold would lose is the return to compare with
        if run.baseline == MEAN_BASELINE:
            expected = linear[stage, BETS]
            linear_gradient[stage, BETS] += won - expected
            won -= expected
        elif run.baseline == LINEAR_BASELINE:
            expected = linear[stage, BETS]
            size = 1.0
            for f in range(BETS):
                expected += linear[stage, f] * work.features[d, 0, f]
                size += work.features[d, 0, f] ** 2
            won -= expected
            error = won / size  # large pots must not overshoot
            for f in range(BETS):
                linear_gradient[stage, f] += error * work.features[d, 0, f]
            linear_gradient[stage, BETS] += error
        advantage = won / run.reward_scale
        if run.pot_scaling:  # a rate of its own for every decision: what is at stake counts in pots, not in chips
            advantage *= run.reward_scale * mode.bet_scales[2] / work.features[d, 0, 2]
        chance = work.chance[d]
        options = 2 if chance[RAISE] > 0.0 else 1
        disorder = 0.0
        if run.entropy > 0.0:
            for a in range(3):
                if chance[a] > 0.0:
                    disorder -= chance[a] * log(chance[a])
        for s in range(STATES):
            change[s] = 0.0
        for option in range(options):
            probability = chance[option + 1]
            push = advantage * ((action == option + 1) - probability)
            if run.entropy > 0.0 and probability > 0.0:
                push -= run.entropy * probability * (log(probability) + disorder)
            features = work.features[d, option]
            gradient.costs[stage] -= push * features[BETS]
            mean = work.mean[d, option]
            outcome, values = work.outcome[d, option], work.own_value[d, option]
            logit, weight = work.scratch[3], work.scratch[4]
            for s in range(STATES):
                weight[s] = push * outcome[s]
                logit[s] = weight[s] * (values[s] - mean)
                change[s] += logit[s]
                gradient.bets[stage, BETS, s] += logit[s]
            for f in range(BETS):
                x = features[f]
                for s in range(STATES):
                    gradient.bets[stage, f, s] += x * logit[s]
                    gradient.values[stage, f, s] += x * weight[s]
            if mode.self_aware:
                for c in range(TYPES):
                    x = work.ahead[d, option, c]
                    for s in range(STATES):
                        gradient.own[stage, c, s] += x * logit[s]
        for c in range(TYPES):
            x = work.opponents[d, c]
            for s in range(STATES):
                gradient.beliefs[stage, c, s] += x * change[s]
        for s in range(STATES):
            by_hand[stage, seat, s] += change[s]
    learn_cards(work, gradient)


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_cards(work, gradient):
    """Add the gradients of the weights of card features, from those of the logits by stage and seat."""
    change = work.scratch[2]
    for stage in range(work.counts[2] + 1):
        for s in range(STATES):
            change[s] = 0.0
        base = PRIVATE[stage]
        for p in range(work.counts[3]):
            count = work.private_counts[stage, p] if work.last[p] >= stage else -1
            if count < 0:
                continue
            for s in range(STATES):
                change[s] += work.by_hand[stage, p, s]
            for i in range(count):
                row, x = base + work.private_numbers[stage, p, i], work.private_values[stage, p, i]
                for s in range(STATES):
                    gradient.cards[row, s] += x * work.by_hand[stage, p, s]
        for kind in range(1, LISTS):
            base = PUBLIC[stage, kind]
            if base < 0:
                continue
            for i in range(work.public_counts[kind]):
                row, x = base + work.public_numbers[kind, i], work.public_values[kind, i]
                for s in range(STATES):
                    gradient.cards[row, s] += x * change[s]


@njit(fastmath=FAST, error_model=DIVIDING)
def forward(observer, work):
    """Forward factors alpha_i of every player, before and after the actions of a stage, and their totals.

    Products of many actions would fall below the smallest numbers: they are scaled up now and then, which changes
    nothing but the likelihood. Returns the logarithm that this leaves out of it.
    """
    players = work.counts[3]
    left_out = 0.0
    for stage in range(work.counts[2] + 1):
        for p in range(players):
            for c in range(TYPES):
                work.likely[stage, p, c] = 1.0
    for d in range(work.counts[0]):
        likely = work.likely[work.stage[d], work.player[d]]
        most = 0.0
        for c in range(TYPES):
            likely[c] *= work.type_chance[d, work.action[d], c]
            most = max(most, likely[c])
        if most < SMALL:
            left_out += log(most)
            for c in range(TYPES):
                likely[c] /= most
    for p in range(players):
        for stage in range(work.last[p] + 1):
            prior, alpha, likely = work.prior[stage, p], work.alpha[stage, p], work.likely[stage, p]
            if stage == 0:
                for c in range(TYPES):
                    prior[c] = observer.initial[c]
            else:
                before = work.alpha[stage - 1, p]
                for c in range(TYPES):
                    prior[c] = 0.0
                for b in range(TYPES):
                    for c in range(TYPES):
                        prior[c] += before[b] * work.moves[stage, b, c]
            ahead = after = 0.0
            for c in range(TYPES):
                alpha[c] = prior[c] * likely[c]
                ahead += prior[c]
                after += alpha[c]
            work.total[stage, p, 0] = ahead
            work.total[stage, p, 1] = after
    return left_out


@njit(fastmath=FAST, error_model=DIVIDING)
def backward(p, work):
    """Backward factors and adjusted posteriors of a player, from those of his last stage, which are there."""
    for stage in range(work.last[p] - 1, -1, -1):
        beta, next_beta, likely = work.beta[stage, p], work.beta[stage + 1, p], work.likely[stage + 1, p]
        inverse, after = 1.0 / work.total[stage, p, 1], 1.0 / work.total[stage + 1, p, 0]
        worth = work.scratch[5]
        for c in range(TYPES):
            worth[c] = likely[c] * next_beta[c] - after
        for b in range(TYPES):
            total = inverse
            for c in range(TYPES):
                total += work.moves[stage + 1, b, c] * worth[c]
            beta[b] = total
            work.gamma[stage, p, b] = work.alpha[stage, p, b] * total


@njit(fastmath=FAST, error_model=DIVIDING)
def work_showdown(observer, winner, work, boost, gradient, floor, usage):
    """Last backward factors of the players of a showdown, and the gradient of ln q; returns ln Z.

    Runs through all combinations of card-types of those who are in, the last one's side by side.
    """
    players, active = work.counts[3], work.counts[1]
    q, sums = work.scratch[0], work.scratch[6]
    for c in range(TYPES):
        q[c] = exp(observer.showdown[c])
        sums[c] = 0.0
    seats, place = work.combination[0], work.combination[1]
    count = 0
    for p in range(players):
        if active >> p & 1:
            seats[count] = p
            place[count] = 0
            count += 1
            for c in range(TYPES):
                work.gamma[3, p, c] = 0.0
                work.beta[3, p, c] = 0.0  # sums of joint / sum of q for now
    last = seats[count - 1]
    alpha = work.alpha[3, last]
    total = 0.0
    joint, shared = work.scratch[3], work.scratch[4]
    while True:
        weight, weights_q, won = 1.0, 0.0, 0.0
        for k in range(count - 1):
            p, c = seats[k], place[k]
            weight *= work.alpha[3, p, c]
            weights_q += q[c]
            if p == winner:
                won = q[c]
        both = ratio = 0.0
        for c in range(TYPES):
            inverse = 1.0 / (weights_q + q[c])
            joint[c] = weight * alpha[c] * inverse * (q[c] if last == winner else won)
            shared[c] = joint[c] * inverse
            both += joint[c]
            ratio += shared[c]
            work.gamma[3, last, c] += joint[c]
            work.beta[3, last, c] += shared[c]
        total += both
        for k in range(count - 1):
            work.gamma[3, seats[k], place[k]] += both
            work.beta[3, seats[k], place[k]] += ratio
        k = count - 2
        while k >= 0 and place[k] == TYPES - 1:
            place[k] = 0
            k -= 1
        if k < 0:
            break
        place[k] += 1
    for k in range(count):
        p = seats[k]
        for c in range(TYPES):
            sums[c] -= q[c] * work.beta[3, p, c] / total
            work.gamma[3, p, c] /= total
            if p == winner:
                sums[c] += work.gamma[3, p, c]
            work.beta[3, p, c] = work.gamma[3, p, c] / max(work.alpha[3, p, c], 1e-300)
    for c in range(TYPES):
        gradient.showdown[c] += boost * sums[c] / max(usage[3, c], floor)
    return log(total)


@njit(fastmath=FAST, error_model=DIVIDING)
def observe(observer, work, floor, key, gradient):
    """Forward and backward pass over a deal; fills gamma, and adds the gradient of ln q where the showdown is worked.

    Returns the conditional log-likelihood of actions and showdown. `key` draws the winner of a tie, and whether a
    showdown of more than three players is worked.
    """
    likelihood = forward(observer, work)
    players, active = work.counts[3], work.counts[1]
    left = count_bits(active)
    worked = False
    if left > 1 and left <= MOST_WORKED:
        boost = 1.0
        for _ in range(WORKED, left):
            boost *= TYPES
        worked = boost == 1.0 or unit(mix(key)) * boost < 1.0
        if worked:
            winners, place = work.counts[4], 0
            if count_bits(winners) > 1:
                place = np.int64(below(mix(key + GAMMA), np.uint64(count_bits(winners))))
            winner = next_of(winners, 0, players)
            for _ in range(place):
                winner = next_of(winners, winner + 1, players)
            likelihood += work_showdown(observer, winner, work, boost, gradient, floor, observer.usage)
    for p in range(players):
        last = work.last[p]
        shown = worked and active >> p & 1
        if not shown:
            inverse = 1.0 / work.total[last, p, 1]
            for c in range(TYPES):
                work.beta[last, p, c] = inverse
                work.gamma[last, p, c] = work.alpha[last, p, c] * inverse
        backward(p, work)
        for stage in range(last + 1):
            if stage:
                likelihood -= log(work.total[stage, p, 0])
            if stage < last or not shown:
                likelihood += log(work.total[stage, p, 1])
    return likelihood


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_observer(observer, work, floor, gradient):
    """Add the gradients of card-type weights and transitions, rescaled by running averages, and the sums of gamma."""
    players, usage = work.counts[3], observer.usage
    stages = work.counts[2] + 1
    push, sums = work.scratch[3], work.scratch[4]
    for d in range(work.counts[0]):
        seat, stage, action = work.player[d], work.stage[d], work.action[d]
        options = 2 if work.chance[d, RAISE] > 0.0 else 1
        gamma = work.gamma[stage, seat]
        for option in range(options):
            for c in range(TYPES):
                taken = 1.0 if action == option + 1 else 0.0
                push[c] = gamma[c] / max(usage[stage, c], floor) * (taken - work.type_chance[d, option + 1, c])
                sums[c] = push[c] / work.type_sum[d, option, c]
            for s in range(STATES):
                weight, value = work.state_exp[d, option, s], work.state_value[d, option, s]
                for c in range(TYPES):
                    gradient.types[stage, s, c] += (
                        sums[c] * weight * work.type_exp[stage, s, c] * (value - work.type_mean[d, option, c])
                    )
    for p in range(players):
        for stage in range(work.last[p] + 1):
            for c in range(TYPES):
                gradient.usage[stage, c] += max(work.gamma[stage, p, c], 0.0)
            if stage == 0:
                for c in range(TYPES):
                    gradient.initial[c] += max(work.gamma[0, p, c], 0.0)
    for stage in range(1, stages):
        learn_moves(stage, observer, work, floor, gradient)


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_moves(stage, observer, work, floor, gradient):
    """Add the gradient of the transitions into a stage."""
    usage = observer.usage
    moved = work.moved[stage]
    for b in range(TYPES):
        for c in range(TYPES):
            moved[b, c] = 0.0
    worth = work.scratch[5]
    for p in range(work.counts[3]):
        if work.last[p] < stage:
            continue
        after = 1.0 / work.total[stage, p, 0]
        for c in range(TYPES):
            worth[c] = work.likely[stage, p, c] * work.beta[stage, p, c] - after
        for b in range(TYPES):
            alpha = work.alpha[stage - 1, p, b]
            for c in range(TYPES):
                moved[b, c] += alpha * worth[c]
    for b in range(TYPES):
        before = 1.0 / max(usage[stage - 1, b], floor)
        for c in range(TYPES):
            moved[b, c] *= work.moves[stage, b, c] * before / max(usage[stage, c], floor)
    flat = moved.reshape(TYPES * TYPES)
    row = CONSTANT[stage]
    for i in range(TYPES * TYPES):
        gradient.transitions[row, i] += flat[i]
    for kind in range(1, LISTS):
        base = MOVES[stage, kind]
        if base < 0:
            continue
        for i in range(work.public_counts[kind]):
            row, x = base + work.public_numbers[kind, i], work.public_values[kind, i]
            for j in range(TYPES * TYPES):
                gradient.transitions[row, j] += x * flat[j]


# --------------------------------------------------------------------------------------------------------------- runs


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play_and_ask(
    players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work, holes, chances
):  # fmt: skip
    """`play_deal`; where that stops before a decision, what the player to act does with each of holes : uint8[n, 2].

    chances : float64[3, n], filled      The records of the last hand stay in work. Returns the number of decisions.
    """
    record, deal = policy[0], work[0]
    exponentials(observer[0], deal.type_exp)
    d = play_deal(players, key, forced, forced_count, record, observer[0], learners, separate, table[0], mode[0], deal)
    if len(holes) == 0:
        return d
    seat, stage, can_fold, options = deal.player[d], deal.stage[d], deal.action[d] != 0, deal.paid[d]
    watch(d, stage, can_fold, options, observer[0], mode[0], deal)
    for i in range(len(holes)):
        deal.cards[2 * seat] = holes[i, 0]
        deal.cards[2 * seat + 1] = holes[i, 1]
        look_at_hand(stage, seat, record, mode[0], deal.board[0], deal)
        decide(d, seat, stage, can_fold, options, record, separate, mode[0], deal)
        for action in range(3):
            chances[action, i] = deal.chance[d, action]
    return d


NO_HOLES, NO_CHANCES = np.zeros((0, 2), np.uint8), np.zeros((3, 0))


def play_one(players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work) -> int:
    """`play_deal` for Python, which gives records as arrays of one; returns the number of decisions."""
    return play_and_ask(
        players, key, forced, forced_count, policy, observer, learners, separate, table, mode, work, NO_HOLES,
        NO_CHANCES,
    )  # fmt: skip


def advise(players, forced, holes, weights, table, mode, work, chances) -> int:
    """Fill chances : float64[3, n] with what the player to act does with each of holes : uint8[n, 2].

    forced : int64[n]   the actions before, then -1; the board is in work
    """
    return play_and_ask(
        players, np.uint64(0), forced, len(forced), weights, weights, 0, False, table, mode, work, holes, chances
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model=DIVIDING)
def learn_one(key, learners, observer, run, mode, work, linear, gradient, linear_gradient):
    """Add the gradients of the deal in `work`, as it was played, for Python; returns its conditional log-likelihood.

    key : uint64   draws the winner of a tie, and whether a showdown of more than three players is worked
    """
    if run[0].learn_policy:
        learn_policy(run[0], learners, mode[0], work[0], linear, gradient[0], linear_gradient)
    if not run[0].learn_observer:
        return 0.0
    likelihood = observe(observer[0], work[0], run[0].floor, key, gradient[0])
    learn_observer(observer[0], work[0], run[0].floor, gradient[0])
    return likelihood


@njit(forceinline=True, error_model=DIVIDING)
def draw_players(key, seats):
    """A number of players from cumulative chances."""
    drawn = unit(mix(key))
    players = 2
    while players < SEATS and drawn >= seats[players]:
        players += 1
    return players


@njit(error_model=DIVIDING)
def run_over(seed, start, count, policy, observer, run, table, mode, work, linear, gradient, linear_gradient, told):
    """Play deals start .. start + count - 1 of the stream `seed`, and add up what is to be learned.

    told : float64[TOLD]   sums over the deals, see `tell`
    Deal n depends on the seed and n alone, and on the weights.
    """
    exponentials(observer, work.type_exp)
    forced = work.player  # none are forced
    root = stream(np.uint64(0), np.uint64(seed))
    for number in range(start, start + count):
        key = stream(root, np.uint64(number))
        players = draw_players(key, run.seats)
        deal_cards(key, work.cards, players)
        learners = run.learners
        if run.separate and learners == 0:  # one learner, whose seat goes round
            learners = 1 << (number % players)
        play_deal(players, mix(key), forced, 0, policy, observer, learners, run.separate, table, mode, work)
        if run.learn_policy:
            learn_policy(run, learners, mode, work, linear, gradient, linear_gradient)
        if run.learn_observer:
            told[0] += observe(observer, work, run.floor, mix(key ^ GAMMA), gradient)
            learn_observer(observer, work, run.floor, gradient)
        tell(players, learners, work, told)


TOLD = 64


@njit(forceinline=True, error_model=DIVIDING)
def tell(players, learners, work, told):
    """Add a deal to the sums: 0 log-likelihood, 1 deals, 2 seats, 3 showdowns, 4 seats in them, 5 learners' chips,
    6 their squares, 7 learners, 8-11 decisions by stage, 12-23 actions by stage, 24-27 entropy by stage, 28 seats that
    put chips in of their own accord, 29 squares of all chips won, 30 seats dealt in.
    """
    told[1] += 1.0
    told[2] += players
    left = count_bits(work.counts[1])
    if left > 1:
        told[3] += 1.0
        told[4] += left
    voluntary = 0
    for d in range(work.counts[0]):
        stage, action = work.stage[d], work.action[d]
        told[8 + stage] += 1.0
        told[12 + 3 * stage + action] += 1.0
        disorder = 0.0
        for a in range(3):
            chance = work.chance[d, a]
            if chance > 0.0:
                disorder -= chance * log(chance)
        told[24 + stage] += disorder
        if action == RAISE or (action == CALL and work.features[d, 0, BETS] > 0.0):
            voluntary |= 1 << work.player[d]
    told[28] += count_bits(voluntary)
    for p in range(players):
        told[29] += work.net[p] * work.net[p]
        if learners >> p & 1:
            told[5] += work.net[p]
            told[6] += work.net[p] * work.net[p]
            told[7] += 1.0


@njit(error_model=DIVIDING)
def step(flat, gradient, anchor, groups, rates, settings, deals, norms):
    """Move the weights by the gradient of `deals` deals, and clear it; False, and nothing changed, if it is not finite.

    flat, gradient, anchor : float64[n]   weights, gradient and lagging anchor, one after the other
    groups : int64[g + 1]                 where groups of weights begin; beyond the last are running averages
    rates : float64[g]                    learning rates, of the sum over deals
    settings : float64[4]                 bound on the norm of the mean gradient; pull of the anchor and how fast it
                                          follows; 0 for none
    norms : float64[2]                    norms of the mean gradients: policy (first two groups), observer
    """
    count = len(rates)
    norms[0] = norms[1] = 0.0
    for g in range(count):
        for i in range(groups[g], groups[g + 1]):
            norms[0 if g < 2 else 1] += gradient[i] * gradient[i]
    norms[0] = norms[0] ** 0.5 / deals
    norms[1] = norms[1] ** 0.5 / deals
    if not (np.isfinite(norms[0]) and np.isfinite(norms[1])):
        return False
    clip, pull, follow = settings[0], settings[1], settings[2]
    for g in range(count):
        norm = norms[0 if g < 2 else 1]
        rate = rates[g] * (clip / norm if norm > clip > 0.0 else 1.0)
        for i in range(groups[g], groups[g + 1]):
            change = rate * gradient[i]
            if pull > 0.0 and g < 2:
                change -= rates[g] * deals * pull * (flat[i] - anchor[i])
            flat[i] += change
            gradient[i] = 0.0
    if pull > 0.0:
        for i in range(groups[0], groups[2]):
            anchor[i] += min(follow * deals, 1.0) * (flat[i] - anchor[i])
    return True


@njit(error_model=DIVIDING)
def average(weights, gradient, constant):
    """Move running averages towards the sums of adjusted posteriors in the gradient, and clear those."""
    for stage in range(STAGES):
        total = 0.0
        for c in range(TYPES):
            total += gradient.usage[stage, c]
        if total > 0.0:
            part = 1.0 - (1.0 - constant) ** total
            for c in range(TYPES):
                weights.usage[stage, c] += part * (gradient.usage[stage, c] / total - weights.usage[stage, c])
                gradient.usage[stage, c] = 0.0
    total = 0.0
    for c in range(TYPES):
        total += gradient.initial[c]
    if total > 0.0:
        part = 1.0 - (1.0 - constant) ** total
        for c in range(TYPES):
            weights.initial[c] += part * (gradient.initial[c] / total - weights.initial[c])
            gradient.initial[c] = 0.0


@njit(cache=True, nogil=True, error_model=DIVIDING)
def train_batches(
    seed, start, batches, size, flats, groups, rates, settings, policy, observer, gradient, run, table, mode,
    work, linear, linear_gradient, told, norms, stepping
):  # fmt: skip
    """Learn from batches of deals, one step each; returns how many were learned from before a gradient was not finite.

    flats : float64[3, n]     weights of the policy, their gradient and their lagging anchor; `policy`, `observer` and
                              `gradient` are views of them, but for an observer of its own
    settings : float64[6]     see `step`; [3] the constant of running averages, [4] deals after which rates are halved
                              (0: constant), [5] the rate of a learned baseline
    norms : float64[2]        sums over batches of the norms of gradients
    """
    now, scaled = np.zeros(2), rates.copy()
    for batch in range(batches):
        first = start + batch * size
        run_over(
            seed, first, size, policy[0], observer[0], run[0], table[0], mode[0], work[0], linear, gradient[0],
            linear_gradient, told,
        )  # fmt: skip
        if not stepping:  # the gradient is what is wanted
            continue
        slower = 1.0 / (1.0 + first / settings[4]) if settings[4] > 0.0 else 1.0
        for g in range(len(rates)):
            scaled[g] = rates[g] * slower
        if not step(flats[0], flats[1], flats[2], groups, scaled, settings, size, now):
            return batch
        norms += now
        if run[0].learn_observer:
            average(observer[0], gradient[0], settings[3])
        for stage in range(STAGES):
            for f in range(BETS + 1):
                linear[stage, f] += settings[5] * linear_gradient[stage, f]
                linear_gradient[stage, f] = 0.0
    return batches


def run_deals(
    seed, start, count, policy, observer, run, table, mode, work, linear, gradient, linear_gradient, told
) -> None:
    """`run_over` for Python, which gives records as arrays of one: gradients are added up, and no step is taken."""
    nothing = np.zeros((3, 1))
    train_batches(
        seed, start, 1, count, nothing, NO_GROUPS, nothing[0], nothing[0], policy, observer, gradient, run, table, mode,
        work, linear, linear_gradient, told, nothing[1], False,
    )  # fmt: skip


NO_GROUPS = np.zeros(1, np.int64)
