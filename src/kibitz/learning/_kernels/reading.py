"""What learners make of the types of others: logits of what is believed of them, and those of an extra layer."""

from math import exp

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING, active_in
from kibitz.learning._kernels.deciding import FAR, FAST, look_at_hand, shared_logits, soften, to_exponentials, weigh
from kibitz.learning._kernels.filtering import act_with_cards, add_summed, sum_kinds, watch_kinds
from kibitz.learning.player_types import INPUTS, NODES, POSITIONS
from kibitz.learning.records import STATES, TYPES


@njit(forceinline=True, error_model=DIVIDING)
def watch_types(hand, game, match):
    """What all types would do in the decision that was noted last, and what a learner sees around him in it."""
    work, memory = game.work, match.memory
    learns = work.learners >> hand.player & 1
    for f in range(len(match.filters) - 1, -1, -1):  # the records that stay are those of the filter that all share
        watch_kinds(hand, game, match, match.filters[f])
    if learns and len(match.filters) > 1:
        sum_kinds(hand, work, memory, match.filters[1])
    if learns and work.decisions >= work.forced_count:
        look_around(hand, game, match)


@njit(fastmath=FAST, error_model=DIVIDING)
def look_around(hand, game, match):
    """Fill memory.extra with a learner's logits of Q and of the extra layer."""
    work, memory, reading = game.work, match.memory, match.reading
    d, stage, extra = work.decisions, hand.round, memory.extra
    for s in range(STATES):
        extra[s] = 0.0
    add_summed(reading.kinds, stage, memory.summed[d], memory.count, extra)
    if not memory.layered:
        return
    memory.others[d] = active_in(hand, work.players) & ~(1 << hand.player)
    sums = memory.node_sum[d]
    for n in range(NODES):
        sums[n] = 0.0
    for other in range(work.players):
        if not memory.others[d] >> other & 1:
            continue
        inputs, nodes = memory.inputs[d, other], memory.nodes[d, other]
        describe_opponent(other, hand, game, match, inputs)
        for n in range(NODES):
            nodes[n] = 0.0
        for i in range(INPUTS):
            for n in range(NODES):
                nodes[n] += reading.nodes[stage, i, n] * inputs[i]
        for n in range(NODES):
            nodes[n] = 1.0 / (1.0 + exp(max(min(-nodes[n], -FAR), FAR)))
            sums[n] += nodes[n]
    for n in range(NODES):
        for s in range(STATES):
            extra[s] += reading.outputs[stage, n, s] * sums[n]


@njit(error_model=DIVIDING)
def describe_opponent(other, hand, game, match, inputs):
    """Fill inputs : float64[INPUTS] of the nodes for an opponent: beliefs, position, and a constant."""
    table, players, stage, found = game.table, game.work.players, hand.round, match.filters[-1]
    for c in range(TYPES):
        inputs[c] = found.belief[other, c]
    for p in range(match.memory.count):
        inputs[TYPES + p] = found.kinds[other, p]
    place = INPUTS - POSITIONS - 1
    first, later = table.first[players, stage], table.first[players, min(stage + 1, 3)]
    inputs[place] = (other - first) % players > (hand.player - first) % players
    inputs[place + 1] = stage < 3 and (other - later) % players > (hand.player - later) % players
    inputs[place + 2] = hand.pending >> other & 1
    inputs[place + 3] = (hand.bet - game.work.spent[other]) / 4.0
    inputs[place + 4] = table.blinds[players, other] == 1
    inputs[place + 5] = table.blinds[players, other] == 2
    inputs[place + 6] = (other + 1) / 10.0
    inputs[place + 7] = 1.0


@njit(forceinline=True, fastmath=FAST, error_model=DIVIDING)
def consider_types(d, game, match):
    """The probabilities of the actions in decision d, after `watch_types`: a learner's, or those of a drawn type."""
    work, memory = game.work, match.memory
    seat, stage = work.player[d], work.stage[d]
    unseen = work.private_counts[stage, seat] < 0
    if work.learners >> seat & 1:
        if unseen:
            look_at_hand(stage, seat, game.policy, work.board[0, stage], game)
        decide_reading(d, game, memory)
    else:
        if unseen:
            look_at_hand(stage, seat, game.observer, work.board[1, stage], game)
        act_with_cards(d, memory.drawn[memory.player[seat]], game, memory, work.chance[d])


@njit(fastmath=FAST, error_model=DIVIDING)
def decide_reading(d, game, memory):
    """A learner's soft-max over the options of decision d, with the logits of `look_around`."""
    policy, work, stage = game.policy, game.work, game.work.stage[d]
    for option in range(work.options[d]):
        outcome, values = work.outcome[d, option], work.own_value[d, option]
        shared_logits(policy, stage, work.features[d, option], work.opponents[d], outcome, values)
        for s in range(STATES):
            outcome[s] += memory.extra[s]
        to_exponentials(outcome)
        weigh(d, option, work.hand[work.player[d]], policy.costs[stage], work)
    soften(work.chance[d], work.can_fold[d] != 0, work.options[d])


@njit(fastmath=FAST, error_model=DIVIDING)
def learn_reading(d, work, match, gradient):
    """Add the gradients of READING in decision d; that of the logits is in work.scratch[2]."""
    memory, change, stage = match.memory, work.scratch[2], work.stage[d]
    for p in range(memory.count if memory.count > 1 else 0):  # one type is the same as none
        for s in range(STATES):
            gradient.kinds.opponents[stage, p, s] += memory.summed[d, p] * change[s]
    if not memory.layered:
        return
    sums, push = memory.node_sum[d], work.scratch[5]
    for n in range(NODES):
        push[n] = 0.0
        for s in range(STATES):
            gradient.outputs[stage, n, s] += sums[n] * change[s]
            push[n] += match.reading.outputs[stage, n, s] * change[s]
    for other in range(work.players):
        if not memory.others[d] >> other & 1:
            continue
        inputs, nodes = memory.inputs[d, other], memory.nodes[d, other]
        for i in range(INPUTS):
            for n in range(NODES):
                gradient.nodes[stage, i, n] += inputs[i] * push[n] * nodes[n] * (1.0 - nodes[n])
