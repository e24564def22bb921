"""Hands played against players who are in part held to a model; walks against them are `sampled._kernels.external`.

Arrays are those of `sampled._kernels`. What the opponents of the responder are held to comes as `held`:

p        float: probability that an opponent plays the model, drawn for each of them once a hand
model    float[size of the model's layout]: its probabilities, the actions of an information set side by side
offset   integers[n]: where the information sets of each node begin in `model`
trust    float[information sets of the model's layout], or empty: probability of playing the model, drawn at every
         decision
begin    integers[n]: where the information sets of each node begin in `trust`; empty with it
seen     int32[walks, rounds, players]: the states of the deals by the model's cards

and where the model was observed as `known`, see `Known`; decisions are counted where it is not empty.

Random numbers beside those of plain walks come from a stream of their own: where nobody is held, walks are the same.
"""

from kibitz.compiling import njit
from kibitz.random._kernels import mix, stream, uniform
from kibitz.solvers._kernels import choose, total_positive
from kibitz.solvers.sampled._kernels import NET, _utility, bound_players, modelled, trusted_at
from kibitz.solvers.sampled.restricted import CUT
from kibitz.tree.columns import CHILDREN, FIRST, OFFSET, PLAYER, ROUND


@njit(cache=True, nogil=True)
def play(first, key, game, states, strengths, responder, ours, free, held, known, seen, won, decided):
    """Play one hand with each deal and write what the responder wins to float64[hands] `won`, in chips.

    The responder plays `ours`, an opponent who is not held `free`; both are sums as the solver keeps them. The
    decisions of the model are counted in int16[hands, 4] `decided`, see `Played`.
    """
    nodes, ends, pots, unit, whole = game
    p, model, offset, trust, begin = held
    level, of_node, cut = known
    players = ends.shape[1] - NET
    for hand in range(len(won)):
        dice = stream(key, first + hand)
        coins = mix(dice)
        bound = bound_players(p, responder, players, coins)
        node = 0
        while nodes[node, CHILDREN] > 0:
            actor, actions, drawn = nodes[node, PLAYER], nodes[node, CHILDREN], uniform(dice, node)
            at = nodes[node, OFFSET] + actions * states[hand, nodes[node, ROUND], actor]
            if actor == responder:
                node = nodes[node, FIRST] + choose(ours, at, actions, total_positive(ours, at, actions), drawn)
                continue
            is_held = bound >> actor & 1 > 0
            if not is_held:
                is_held = uniform(coins, players + node) < trusted_at(hand, node, nodes, trust, begin, seen)
            if is_held:
                if len(level) > 0:
                    decided[hand, level[of_node[node] + seen[hand, nodes[node, ROUND], actor]]] += 1
                node = nodes[node, FIRST] + modelled(hand, node, nodes, model, offset, seen, drawn)
            else:
                node = nodes[node, FIRST] + choose(free, at, actions, total_positive(free, at, actions), drawn)
        if len(level) > 0:
            decided[hand, CUT] = cut[node]
        won[hand] = _utility(node, responder, hand, nodes, ends, pots, unit, whole, strengths) / unit
