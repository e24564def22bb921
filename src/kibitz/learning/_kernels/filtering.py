"""What an observer believes of cards and player types at once: the joint filter J(p, c) of every seat.

With E_s the exponentials of the logits that all share, the action probabilities of a card-type c and a type p need the
products E_s exp(H_sc) exp(Y_sp) alone (Sweeney 2012, section 6.3): the last two are stored.
"""

from math import exp, factorial

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import CALL, DIVIDING, FOLD, RAISE, active_in, count_bits
from kibitz.learning._kernels.deciding import FAR, FAST, act_with, look_at_hand, shared_logits, to_exponentials
from kibitz.learning.player_types import Match
from kibitz.learning.records import BETS, STAGES, STATES, TYPES

NEVER = -1e9  # value of what is not legal
MIDDLE = -FAR / 128
AT_MIDDLE = exp(-MIDDLE)
SERIES = tuple(1.0 / factorial(k) for k in range(11, -1, -1))  # of exp
FAINT = 1e-30  # chances of types are not carried below this, lest they vanish for ever


@njit(inline="always")  # in the code itself: no function can return records
def match_of(arrays):
    """The records of arrays of one."""
    return Match(arrays.reading[0], arrays.kinds[0], arrays.memory[0], arrays.filters)


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
    for _ in range(6):
        y *= y
    return y


@njit(fastmath=FAST, error_model=DIVIDING)
def own_exponentials(match):
    """Fill own_exp with exp(Y), each type's largest being 1."""
    own, found = match.kinds.own, match.memory.own_exp
    for stage in range(STAGES):
        for p in range(match.memory.count):
            for s in range(STATES):
                found[stage, p, s] = own[stage, p, s]
            to_exponentials(found[stage, p])


@njit(error_model=DIVIDING)
def draw_kind(drawn, chances, count):
    """The type at `drawn` (in [0, 1)) of a distribution."""
    kind = 0
    while kind < count - 1 and drawn >= chances[kind]:
        drawn -= chances[kind]
        kind += 1
    return kind


@njit(error_model=DIVIDING)
def open_filters(game, match):
    """Beliefs at the start of a deal: P(C_0) times what is carried of types, or, for the forgetful, how they begin."""
    cards, memory, filters = game.observer.initial, match.memory, match.filters
    for f in range(len(filters)):
        for seat in range(game.work.players):
            for p in range(memory.count):
                now = match.kinds.initial[p] if f else memory.carried[memory.player[seat], p]
                filters[f].start[seat, p] = filters[f].kinds[seat, p] = now
                for c in range(TYPES):
                    filters[f].joint[seat, p, c] = cards[c] * now
            for c in range(TYPES):
                filters[f].belief[seat, c] = cards[c]


@njit(fastmath=FAST, error_model=DIVIDING)
def move_filters(hand, game, match):
    """Public card features of a new stage, and what is believed of active players after it."""
    work, memory, stage = game.work, match.memory, hand.round
    for s in range(STATES):
        memory.board_exp[stage, s] = work.board[1, stage, s] if game.mode.public_observer else 0.0
    to_exponentials(memory.board_exp[stage])
    active = active_in(hand, work.players) if stage else 0
    for f in range(len(match.filters)):
        for seat in range(work.players):
            if active >> seat & 1:
                move_joint(seat, memory.count, work.moves[stage], match.filters[f])


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


@njit(error_model=DIVIDING)
def sum_kinds(hand, work, memory, found):
    """Record O and Q of the decision that was noted last: what is believed of the active opponents, summed."""
    cards, summed, active = work.opponents[work.decisions], memory.summed[work.decisions], active_in(hand, work.players)
    for c in range(TYPES):
        cards[c] = 0.0
    for p in range(memory.count):
        summed[p] = 0.0
    for other in range(work.players):
        if other != hand.player and active >> other & 1:
            for c in range(TYPES):
                cards[c] += found.belief[other, c]
            for p in range(memory.count):
                summed[p] += found.kinds[other, p]


@njit(fastmath=FAST, error_model=DIVIDING)
def watch_kinds(hand, game, match, found):
    """What all types would do with all card-types in the decision that was noted last, with its O and Q."""
    work, memory, d, stage = game.work, match.memory, game.work.decisions, hand.round
    sum_kinds(hand, work, memory, found)
    for option in range(work.options[d]):
        logits, values = work.state_exp[d, option], work.state_value[d, option]
        shared_logits(game.observer, stage, work.features[d, option], work.opponents[d], logits, values)
        add_summed(match.kinds, stage, memory.summed[d], memory.count, logits)
        to_exponentials(logits)
    ask_kinds(d, game, memory, found)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def add_summed(kinds, stage, summed, count, logits):
    """Add the logits of Q."""
    for p in range(count):
        for s in range(STATES):
            logits[s] += kinds.opponents[stage, p, s] * summed[p]


@njit(fastmath=FAST, error_model=DIVIDING)
def ask_kinds(d, game, memory, found):
    """Fill found.chance : float64[3, p, c] with what every type would do with every card-type in decision d.

    The exponentials of the logits that all share are in work.state_exp[d], without those of the board.
    """
    work, stage, options = game.work, game.work.stage[d], game.work.options[d]
    can_fold, chance = work.can_fold[d] != 0, found.chance
    for option in range(options):
        cost = game.observer.costs[stage] * work.features[d, option, BETS]
        for p in range(memory.count):
            sums, means = found.scratch[0], found.scratch[1]
            for c in range(TYPES):
                sums[c] = 0.0
                means[c] = 0.0
            for s in range(STATES):
                weight = work.state_exp[d, option, s] * memory.board_exp[stage, s] * memory.own_exp[stage, p, s]
                value = weight * work.state_value[d, option, s]
                for c in range(TYPES):
                    sums[c] += weight * work.type_exp[stage, s, c]
                    means[c] += value * work.type_exp[stage, s, c]
            for c in range(TYPES):
                chance[option + 1, p, c] = means[c] / sums[c] - cost
    for p in range(memory.count):
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
def update_filters(action, hand, match):
    """J(p, c) of the player to act after an action, and its marginals."""
    for f in range(len(match.filters)):
        found = match.filters[f]
        joint, chance = found.joint[hand.player], found.chance[action]
        for p in range(match.memory.count):
            for c in range(TYPES):
                joint[p, c] *= chance[p, c]
        take_marginals(hand.player, match.memory.count, found)


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def take_marginals(seat, count, found):
    """Normalise J(p, c) of a seat and fill its marginals."""
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


@njit(fastmath=FAST, error_model=DIVIDING)
def act_with_cards(d, p, game, memory, chance):
    """Fill chance : float64[3] with what type p does in decision d; the exponentials of his cards are in work.hand."""
    work, stage, hand = game.work, game.work.stage[d], game.work.scratch[6]
    for s in range(STATES):
        hand[s] = work.hand[work.player[d], s] * memory.own_exp[stage, p, s]
    act_with(d, work.state_exp[d], work.state_value[d], hand, game.observer.costs[stage], work, chance)


@njit(error_model=DIVIDING)
def close_types(game, match):
    """Correct what is believed of those whose cards are seen after a deal, and carry beliefs on to the next."""
    work, memory, kinds = game.work, match.memory, match.filters[0].kinds
    shown = memory.shown
    if shown < 0:
        shown = work.active if count_bits(work.active) > 1 else 0
    for seat in range(work.players if memory.count > 1 else 0):
        if shown >> seat & 1:
            correct_kinds(seat, game, memory, match.filters[0])
        total = 0.0
        for p in range(memory.count):
            total += max(kinds[seat, p], FAINT)
        for p in range(memory.count):
            memory.carried[memory.player[seat], p] = max(kinds[seat, p], FAINT) / total


@njit(fastmath=FAST, error_model=DIVIDING)
def correct_kinds(seat, game, memory, found):
    """Beliefs about the type of a seat whose cards are seen: from the start of the deal, with P(actions | cards, p)."""
    work, kinds, chance = game.work, found.kinds[seat], game.work.scratch[7]
    for p in range(memory.count):
        kinds[p] = found.start[seat, p]
    seen = -1
    for d in range(work.decisions):
        if work.player[d] != seat:
            continue
        stage = work.stage[d]
        if stage != seen:
            look_at_hand(stage, seat, game.observer, work.board[1, stage], game)
            seen = stage
        total = 0.0
        for p in range(memory.count):
            act_with_cards(d, p, game, memory, chance)
            kinds[p] *= chance[work.action[d]]
            total += kinds[p]
        for p in range(memory.count):
            kinds[p] /= total
