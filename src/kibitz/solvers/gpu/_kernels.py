"""The passes of `solvers.vector._kernels` for a GPU: one block of threads per node, one level at a time.

The functions of `node_functions` do what one of `lanes` threads does for one node (or leaf, or vector): it takes states
lane, lane + lanes, ... They are compiled for the GPU, or with one lane for the processor, which is how they are tested
where there is no GPU. Arrays are those of `solvers.vector._kernels`, and besides:

order    : int64[2, m]    as `maps`, a round's states sorted by their parents
starts   : int64[2, m']   where the states of each parent begin in `order`; a round has one entry more than parents
spans    : int64[r, 4]    where a round's stretch of `starts` begins (by player); the other two columns are unused
rule     : float64[4]     as `solvers.vector.rule_at` gives it
"""

from numba import cuda, types

from kibitz.solvers import _kernels as shared
from kibitz.solvers.vector import BEST, PLACE, REGRETS, SLOT, UP
from kibitz.tree.columns import CHILDREN, FIRST, OFFSET, PARENT, PLAYER, ROUND

THREADS = 128  # of a block: a round of five buckets a street has 5 to 625 states


def node_functions(jit):
    """What one thread does for one node, compiled by `jit`."""
    match_infoset = jit(shared.match.py_func)

    @jit
    def match(node, lane, lanes, nodes, rounds, regret, sigma):
        actions, begin = nodes[node, CHILDREN], nodes[node, OFFSET]
        states = rounds[nodes[node, ROUND], nodes[node, PLAYER]]
        for s in range(lane, states, lanes):
            match_infoset(regret, begin + s, states, actions, sigma, begin + s, states)

    @jit
    def descend(node, lane, lanes, changed, nodes, rounds, maps, sigma, reach):
        above = nodes[node, PARENT]
        p, r, q = nodes[above, PLAYER], nodes[above, ROUND], nodes[node, ROUND]
        states = rounds[r, p]
        begin = nodes[above, OFFSET] + (node - nodes[above, FIRST]) * states
        for x in range(2):
            source, to = nodes[above, SLOT + x], nodes[node, SLOT + x]
            if changed >> x & 1 == 0 or source == to:
                continue
            at = rounds[q, 2 + x]
            for s in range(lane, rounds[q, x], lanes):
                before = s if q == r else maps[x, at + s]
                play = reach[source + before]
                reach[to + s] = play * sigma[begin + before] if x == p else play

    @jit
    def gather(row, lane, lanes, slots, reach, rows):
        at = slots[row]
        for s in range(lane, rows.shape[1], lanes):
            rows[row, s] = reach[at + s]

    @jit
    def scatter(leaf, lane, lanes, vector, places, leaves, signs, stake, rows, values):
        at, row = places[leaf], vector[leaf]
        scale = signs[leaf] * stake[leaves[leaf]]
        for s in range(lane, rows.shape[1], lanes):
            values[at + s] = scale * rows[row, s]

    @jit
    def ascend(node, lane, lanes, p, job, nodes, rounds, sigma, reach, values, regret, average, rule):
        actions, first, begin = nodes[node, CHILDREN], nodes[node, FIRST], nodes[node, OFFSET]
        states, own = rounds[nodes[node, ROUND], p], nodes[node, PLAYER] == p
        place, slot = nodes[node, PLACE + p], nodes[node, SLOT + p]
        for s in range(lane, states, lanes):
            total = 0.0
            for a in range(actions):
                value = values[nodes[first + a, UP + p] + s]
                if own and job == BEST:
                    total = value if a == 0 else max(total, value)
                else:
                    total += value * sigma[begin + a * states + s] if own else value
            values[place + s] = total
            if own and job == REGRETS:
                for a in range(actions):
                    at = begin + a * states + s
                    old = regret[at]
                    new = old * (rule[0] if old > 0.0 else rule[1]) + values[nodes[first + a, UP + p] + s] - total
                    regret[at] = max(new, rule[3])
                    average[at] += rule[2] * reach[slot + s] * sigma[at]

    @jit
    def fold(node, lane, lanes, p, nodes, rounds, order, starts, spans, values):
        r, up, place = nodes[node, ROUND], nodes[node, UP + p], nodes[node, PLACE + p]
        if up == place:
            return
        at, span = rounds[r, 2 + p], spans[r, p]
        for s in range(lane, rounds[r - 1, p], lanes):
            total = 0.0
            for i in range(starts[p, span + s], starts[p, span + s + 1]):
                total += values[place + order[p, at + i]]
            values[up + s] = total

    @jit
    def won(leaf, lane, lanes, slots, places, widths, reach, values):
        total = 0.0
        for s in range(lane, widths[leaf], lanes):
            total += reach[slots[leaf] + s] * values[places[leaf] + s]
        return total

    return match, descend, gather, scatter, ascend, fold, won


def card_kernels():
    """The same as kernels: `kernel[blocks, THREADS]`, one block per entry of a list of nodes."""
    match, descend, gather, scatter, ascend, fold, won = node_functions(cuda.jit(device=True))

    @cuda.jit
    def match_all(which, nodes, rounds, regret, sigma):
        match(which[cuda.blockIdx.x], cuda.threadIdx.x, cuda.blockDim.x, nodes, rounds, regret, sigma)

    @cuda.jit
    def go_down(which, changed, nodes, rounds, maps, sigma, reach):
        node = which[cuda.blockIdx.x]
        descend(node, cuda.threadIdx.x, cuda.blockDim.x, changed, nodes, rounds, maps, sigma, reach)

    @cuda.jit
    def gather_all(slots, reach, rows):
        gather(cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x, slots, reach, rows)

    @cuda.jit
    def scatter_all(vector, places, leaves, signs, stake, rows, values):
        leaf, lane, lanes = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
        scatter(leaf, lane, lanes, vector, places, leaves, signs, stake, rows, values)

    @cuda.jit
    def go_up(which, p, job, nodes, rounds, sigma, reach, values, regret, average, rule, order, starts, spans):
        node, lane, lanes = which[cuda.blockIdx.x], cuda.threadIdx.x, cuda.blockDim.x
        ascend(node, lane, lanes, p, job, nodes, rounds, sigma, reach, values, regret, average, rule)
        cuda.syncthreads()
        fold(node, lane, lanes, p, nodes, rounds, order, starts, spans, values)

    @cuda.jit
    def won_all(slots, places, widths, reach, values, totals):
        leaf, lane = cuda.blockIdx.x, cuda.threadIdx.x
        parts = cuda.shared.array(THREADS, types.float64)
        parts[lane] = won(leaf, lane, cuda.blockDim.x, slots, places, widths, reach, values)
        cuda.syncthreads()
        if lane == 0:  # in one order, so that every run gives the same bits
            total = 0.0
            for i in range(cuda.blockDim.x):
                total += parts[i]
            totals[leaf] = total

    return match_all, go_down, gather_all, scatter_all, go_up, won_all
