"""What an observer believes of cards and player types at once: the joint filter J(p, c) of every seat.

With E_s the exponentials of the logits that all share, the action probabilities of a card-type c and a type p need the
products E_s exp(H_sc) exp(Y_sp) alone (Sweeney 2012, section 6.3): the last two are stored.
"""

from math import exp, factorial

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, FOLD, RAISE
from kibitz.learning._kernels.deciding import FAR, FAST, look_at_hand, soften
from kibitz.learning.records import BETS, STAGES, STATES, TYPES

NEVER = -1e9  # value of what is not legal
MIDDLE = -FAR / 128
AT_MIDDLE = exp(-MIDDLE)
SERIES = tuple(1.0 / factorial(k) for k in range(11, -1, -1))  # of exp
FAINT = 1e-30  # chances of types are not carried below this, lest they vanish for ever


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def bounded_exp(x):
    """exp(x) of FAR <= x <= 0, or of FAR where x is less, to 14 digits: (exp(x / 64))^64, without a branch or a call.

    A compiler can work several of these side by side, and none of the library's.
    """
    r = max(x, FAR) * (1.0 / 64.0) + MIDDLE
    y = SERIES[0]
    for i in range(1, 12):
        y = y * r + SERIES[i]
    y *= AT_MIDDLE
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    return y


@njit(fastmath=FAST, error_model=DIVIDING)
def own_exponentials(kinds, match):
    """Fill own_exp with exp(Y), each type's largest being 1."""
    for stage in range(STAGES):
        for p in range(match.count):
            most = kinds.own[stage, p, 0]
            for s in range(1, STATES):
                most = max(most, kinds.own[stage, p, s])
            for s in range(STATES):
                match.own_exp[stage, p, s] = exp(max(kinds.own[stage, p, s] - most, 2 * FAR))


@njit(error_model=DIVIDING)
def open_filter(players, cards, kinds, afresh, match, found):
    """Beliefs at the start of a deal: P(C_0) times what is carried of types, or, afresh, times how they begin.

    cards : float64[c]   P(C_0)
    """
    for seat in range(players):
        for p in range(match.count):
            now = kinds.initial[p] if afresh else match.carried[match.player[seat], p]
            found.start[seat, p] = now
            found.kinds[seat, p] = now
            for c in range(TYPES):
                found.joint[seat, p, c] = cards[c] * now
        for c in range(TYPES):
            found.belief[seat, c] = cards[c]


@njit(error_model=DIVIDING)
def sum_beliefs(seat, players, active, count, found):
    """O and Q: sums over the active opponents of a seat."""
    for c in range(TYPES):
        found.opponents[c] = 0.0
    for p in range(count):
        found.summed[p] = 0.0
    for other in range(players):
        if other != seat and active >> other & 1:
            for c in range(TYPES):
                found.opponents[c] += found.belief[other, c]
            for p in range(count):
                found.summed[p] += found.kinds[other, p]


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def add_summed(kinds, stage, summed, count, logits):
    """Add the logits of Q."""
    for p in range(count):
        for s in range(STATES):
            logits[s] += kinds.opponents[stage, p, s] * summed[p]


@njit(fastmath=FAST, error_model=DIVIDING)
def ask_kinds(d, stage, can_fold, options, costs, work, match, found):
    """Fill chance : float64[3, p, c] with what every type would do with every card-type in decision d.

    The exponentials of the logits that all share are in work.state_exp[d], without those of the board.
    """
    chance = found.chance
    for option in range(options):
        cost = costs[stage] * work.features[d, option, BETS]
        for p in range(match.count):
            sums, means = found.scratch[0], found.scratch[1]
            for c in range(TYPES):
                sums[c] = 0.0
                means[c] = 0.0
            for s in range(STATES):
                weight = work.state_exp[d, option, s] * match.board_exp[s] * match.own_exp[stage, p, s]
                value = weight * work.state_value[d, option, s]
                for c in range(TYPES):
                    sums[c] += weight * work.type_exp[stage, s, c]
                    means[c] += value * work.type_exp[stage, s, c]
            for c in range(TYPES):
                chance[option + 1, p, c] = means[c] / sums[c] - cost
    for p in range(match.count):
        folds, calls, raises = chance[FOLD, p], chance[CALL, p], chance[RAISE, p]
        for c in range(TYPES):  # what is not legal is as far below as can be, and cleared in the end
            folds[c] = 0.0 if can_fold else NEVER
            if options == 1:
                raises[c] = NEVER
        for c in range(TYPES):
            most = max(folds[c], max(calls[c], raises[c]))
            fold = bounded_exp(folds[c] - most) * can_fold
            call = bounded_exp(calls[c] - most)
            raise_ = bounded_exp(raises[c] - most) * (options - 1)
            inverse = 1.0 / (fold + call + raise_)
            folds[c] = fold * inverse
            calls[c] = call * inverse
            raises[c] = raise_ * inverse


@njit(fastmath=FAST, error_model=DIVIDING)
def update_joint(seat, action, count, found):
    """J(p, c) after an action, and its marginals; returns the chance that it had."""
    joint = found.joint[seat]
    for p in range(count):
        for c in range(TYPES):
            joint[p, c] *= found.chance[action, p, c]
    return take_marginals(seat, count, found)


@njit(fastmath=FAST, error_model=DIVIDING)
def move_joint(seat, count, moves, found):
    """J(p, c) after new board cards, and its marginals: moves : float64[c before, c after] know nothing of types."""
    row = found.scratch[0]
    for p in range(count):
        joint = found.joint[seat, p]
        for c in range(TYPES):
            row[c] = 0.0
        for before in range(TYPES):
            for c in range(TYPES):
                row[c] += joint[before] * moves[before, c]
        for c in range(TYPES):
            joint[c] = row[c]
    take_marginals(seat, count, found)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def take_marginals(seat, count, found):
    """Normalise J(p, c) of a seat and fill its marginals; returns what it had summed to."""
    joint, belief, kinds = found.joint[seat], found.belief[seat], found.kinds[seat]
    total = 0.0
    for p in range(count):
        for c in range(TYPES):
            total += joint[p, c]
    for c in range(TYPES):
        belief[c] = 0.0
    inverse = 1.0 / total
    for p in range(count):
        kinds[p] = 0.0
        for c in range(TYPES):
            joint[p, c] *= inverse
            kinds[p] += joint[p, c]
            belief[c] += joint[p, c]
    return total


@njit(fastmath=FAST, error_model=DIVIDING)
def act_with_cards(d, p, hand, costs, work, match, chance):
    """Fill chance : float64[3] with what type p does in decision d; hand : float64[s] are exponentials of his cards."""
    stage = work.stage[d]
    for option in range(match.options[d]):
        total = mean = 0.0
        for s in range(STATES):
            weight = work.state_exp[d, option, s] * match.own_exp[stage, p, s] * hand[s]
            total += weight
            mean += weight * work.state_value[d, option, s]
        chance[option + 1] = mean / total - costs[stage] * work.features[d, option, BETS]
    soften(chance, match.can_fold[d] != 0, match.options[d])


@njit(fastmath=FAST, error_model=DIVIDING)
def correct_kinds(seat, model, mode, work, match, found):
    """Beliefs about the type of a seat whose cards are seen: from the start of the deal, with P(actions | cards, p)."""
    kinds = found.kinds[seat]
    for p in range(match.count):
        kinds[p] = found.start[seat, p]
    seen = -1
    chance = work.scratch[7]
    for d in range(work.counts[0]):
        if work.player[d] != seat:
            continue
        stage = work.stage[d]
        if stage != seen:
            look_at_hand(stage, seat, model, mode, match.board[stage], work)
            seen = stage
        total = 0.0
        for p in range(match.count):
            act_with_cards(d, p, work.hand[seat], model.costs, work, match, chance)
            kinds[p] *= chance[work.action[d]]
            total += kinds[p]
        for p in range(match.count):
            kinds[p] /= total


@njit(error_model=DIVIDING)
def carry(players, match, found):
    """Keep what is believed of types for the next deal, by player."""
    for seat in range(players):
        total = 0.0
        for p in range(match.count):
            total += max(found.kinds[seat, p], FAINT)
        for p in range(match.count):
            match.carried[match.player[seat], p] = max(found.kinds[seat, p], FAINT) / total
