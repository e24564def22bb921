"""One deal among players with types, simulated, recorded or both: what `playing` does for players without."""

from math import exp

import numpy as np

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import (
    CALL,
    DIVIDING,
    bet_features,
    close_deal,
    count_bits,
    count_options,
    draw_action,
    next_of,
    pay,
    post_blinds,
    take,
)
from kibitz.learning._kernels.deciding import (
    FAR,
    FAST,
    look_at_hand,
    open_stage,
    shared_logits,
    soften,
    to_exponentials,
    weigh,
)
from kibitz.learning.player_types._kernels.filtering import (
    act_with_cards,
    add_summed,
    ask_kinds,
    carry,
    correct_kinds,
    move_joint,
    open_filter,
    sum_beliefs,
    update_joint,
)
from kibitz.learning.player_types.records import INPUTS, NODES
from kibitz.learning.records import STATES, TYPES
from kibitz.random._kernels import GAMMA, mix

NOBODY = -1


@njit(error_model=DIVIDING)
def play_typed_deal(
    players, key, forced, forced_count, ask, learner, policy, reading, layer, model, kinds, table, mode, work, match,
    filters
):  # fmt: skip
    """Play the deal in work.cards, with actions drawn from the stream `key`; fills records, beliefs and work.net.

    forced : int64[n]   actions of the first `forced_count` decisions, which nobody looks at cards for
    ask                 stop after them, with the probabilities of whoever is to act in work.chance
    learner             seat of the one who plays `policy`, with weights `reading` of Q and the extra layer; or NOBODY
    model, kinds        weights of all others, who have the types match.drawn, and of the observer
    filters             one record, or a second of the learner's own that begins afresh with every deal
    Returns the number of decisions; those after the cap are calls, and not counted.
    """
    spent = work.spent
    bet, active = post_blinds(players, table, spent)
    open_typed_deal(players, model, kinds, work, match, filters)
    stage = raises = d = np.int64(0)
    pending, opened, seat = active, -1, table.first[players, 0]
    while pending:
        if stage > opened:
            open_typed_stage(stage, players, active, policy, model, mode, work, match, filters)
            opened = stage
        seat = next_of(pending, seat, players)
        action = CALL
        if d < table.decision_cap:
            own = seat == learner
            watch_typed(
                d, seat, stage, own, players, bet, raises, active, pending, model, kinds, table, mode, work, match,
                filters,
            )  # fmt: skip
            if d < forced_count:
                action = forced[d]
            else:
                if own:
                    decide_typed(
                        d, players, active, pending, bet, policy, reading, layer, table, mode, work, match, filters
                    )
                else:
                    if work.private_counts[stage, seat] < 0:
                        look_at_hand(stage, seat, model, mode, work.board[1], work)
                    drawn_type = match.drawn[match.player[seat]]
                    act_with_cards(d, drawn_type, work.hand[seat], model.costs, work, match, work.chance[d])
                if ask:
                    break
                action = draw_action(work.chance[d], match.options[d], mix(key + np.uint64(d + 1) * GAMMA))
            note_action(d, action, work, match, filters)
            d += 1
        seat, stage, bet, raises, active, pending = take(
            action, seat, stage, players, bet, raises, active, pending, table, spent
        )
    close_deal(players, d, active, stage, work)
    if not ask:
        pay(players, active, work)
    return d


@njit(forceinline=True, error_model=DIVIDING)
def open_typed_deal(players, model, kinds, work, match, filters):
    """What is believed of all before the first decision."""
    for p in range(players):
        for c in range(TYPES):
            work.belief[p, c] = model.initial[c]
    for f in range(len(filters)):
        open_filter(players, model.initial, kinds, f > 0, match, filters[f])


@njit(forceinline=True, error_model=DIVIDING)
def watch_typed(
    d, seat, stage, own, players, bet, raises, active, pending, model, kinds, table, mode, work, match, filters
):
    """Record decision d of `seat`, and what all types would do in it; own : bool, whether it is the learner's."""
    options = count_options(stage, raises, active, table)
    for option in range(options):
        bet_features(
            option, seat, stage, players, active, pending, work.spent, bet, raises, table, mode.bet_scales,
            work.features[d, option],
        )  # fmt: skip
    work.player[d], work.stage[d], work.paid[d] = seat, stage, work.spent[seat]
    match.can_fold[d], match.options[d] = work.spent[seat] != bet or table.free_folds, options
    # The learner's own filter comes first: the records that stay are those of the one that all share.
    for f in range(len(filters) - 1, -1, -1):
        watch_kinds(d, players, active, model, kinds, work, match, filters[f])
    if own and len(filters) > 1:
        keep_sums(d, work, match, filters[1])


@njit(forceinline=True, error_model=DIVIDING)
def note_action(d, action, work, match, filters):
    """Record the action of decision d, and what is believed of its player after it."""
    seat = work.player[d]
    work.action[d], work.last[seat] = action, work.stage[d]
    for f in range(len(filters) - 1, -1, -1):
        match.likely[d] = update_joint(seat, action, match.count, filters[f])


@njit(error_model=DIVIDING)
def close_typed_deal(model, mode, work, match, filters):
    """Correct what is believed of those whose cards are seen, and carry beliefs about types to the next deal."""
    active, players = work.counts[1], work.counts[3]
    shown = match.shown
    if shown < 0:
        shown = active if count_bits(active) > 1 else 0
    if match.count > 1:
        for seat in range(players):
            if shown >> seat & 1:
                correct_kinds(seat, model, mode, work, match, filters[0])
        carry(players, match, filters[0])


@njit(fastmath=FAST, error_model=DIVIDING)
def open_typed_stage(stage, players, active, policy, model, mode, work, match, filters):
    """Public features of a new stage, and what is believed of active players after it."""
    open_stage(stage, players, active, policy, model, mode, work)
    most = work.board[1, 0]
    for s in range(STATES):
        match.board[stage, s] = work.board[1, s]
        most = max(most, work.board[1, s])
    for s in range(STATES):
        match.board_exp[s] = exp(max(work.board[1, s] - most, 2 * FAR)) if mode.public_observer else 1.0
    if stage:
        for f in range(len(filters)):
            for seat in range(players):
                if active >> seat & 1:
                    move_joint(seat, match.count, work.moves[stage], filters[f])


@njit(fastmath=FAST, error_model=DIVIDING)
def watch_kinds(d, players, active, model, kinds, work, match, found):
    """What all types would do with all card-types in decision d, of which the bet features are recorded."""
    seat, stage = work.player[d], work.stage[d]
    sum_beliefs(seat, players, active, match.count, found)
    keep_sums(d, work, match, found)
    for option in range(match.options[d]):
        logits, values = work.state_exp[d, option], work.state_value[d, option]
        shared_logits(model, stage, work.features[d, option], found.opponents, logits, values)
        add_summed(kinds, stage, found.summed, match.count, logits)
        to_exponentials(logits)
    ask_kinds(d, stage, match.can_fold[d] != 0, match.options[d], model.costs, work, match, found)


@njit(forceinline=True)
def keep_sums(d, work, match, found):
    """Record O and Q of decision d."""
    for c in range(TYPES):
        work.opponents[d, c] = found.opponents[c]
    for p in range(match.count):
        match.summed[d, p] = found.summed[p]


@njit(fastmath=FAST, error_model=DIVIDING)
def look_around(d, players, active, pending, bet, reading, layer, table, work, match, found):
    """Fill match.extra with the learner's logits of Q and of the extra layer in decision d."""
    seat, stage = work.player[d], work.stage[d]
    for s in range(STATES):
        match.extra[s] = 0.0
    add_summed(reading, stage, match.summed[d], match.count, match.extra)
    if not match.layered:
        return
    match.others[d] = active & ~(1 << seat)
    sums = match.node_sum[d]
    for n in range(NODES):
        sums[n] = 0.0
    for other in range(players):
        if other == seat or not active >> other & 1:
            continue
        inputs, nodes = match.inputs[d, other], match.nodes[d, other]
        describe_opponent(other, seat, stage, players, pending, bet, table, work.spent, match.count, found, inputs)
        for n in range(NODES):
            nodes[n] = 0.0
        for i in range(INPUTS):
            for n in range(NODES):
                nodes[n] += layer.nodes[stage, i, n] * inputs[i]
        for n in range(NODES):
            nodes[n] = 1.0 / (1.0 + exp(max(min(-nodes[n], -FAR), FAR)))
            sums[n] += nodes[n]
    for n in range(NODES):
        for s in range(STATES):
            match.extra[s] += layer.outputs[stage, n, s] * sums[n]


@njit(error_model=DIVIDING)
def describe_opponent(other, seat, stage, players, pending, bet, table, spent, count, found, inputs):
    """Fill inputs : float64[INPUTS] of the nodes for an opponent: beliefs, position, and a constant."""
    for c in range(TYPES):
        inputs[c] = found.belief[other, c]
    for p in range(count):
        inputs[TYPES + p] = found.kinds[other, p]
    place = INPUTS - 8
    first = table.first[players, stage]
    later = table.first[players, min(stage + 1, 3)]
    inputs[place] = (other - first) % players > (seat - first) % players
    inputs[place + 1] = stage < 3 and (other - later) % players > (seat - later) % players
    inputs[place + 2] = pending >> other & 1
    inputs[place + 3] = (bet - spent[other]) / 4.0
    inputs[place + 4] = table.blinds[players, other] == 1
    inputs[place + 5] = table.blinds[players, other] == 2
    inputs[place + 6] = (other + 1) / 10.0
    inputs[place + 7] = 1.0


@njit(forceinline=True, error_model=DIVIDING)
def decide_typed(d, players, active, pending, bet, policy, reading, layer, table, mode, work, match, filters):
    """The learner's probabilities in decision d; outcome states and mean values are recorded."""
    seat, stage = work.player[d], work.stage[d]
    if work.private_counts[stage, seat] < 0:
        look_at_hand(stage, seat, policy, mode, work.board[0], work)
    look_around(d, players, active, pending, bet, reading, layer, table, work, match, filters[-1])
    weigh_options(d, policy, work, match)


@njit(fastmath=FAST, error_model=DIVIDING)
def weigh_options(d, policy, work, match):
    """The soft-max over the options of decision d, with the logits of `look_around`."""
    seat, stage, options = work.player[d], work.stage[d], match.options[d]
    for option in range(options):
        outcome, values = work.outcome[d, option], work.own_value[d, option]
        shared_logits(policy, stage, work.features[d, option], work.opponents[d], outcome, values)
        for s in range(STATES):
            outcome[s] += match.extra[s]
        to_exponentials(outcome)
        weigh(d, option, work.hand[seat], policy.costs[stage], work)
    soften(work.chance[d], match.can_fold[d] != 0, options)
