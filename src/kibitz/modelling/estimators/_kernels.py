"""Shares of pots over run-outs, and equities of all pairs of hands. Values are integers; a larger one wins."""

from numba import int32

from kibitz.compiling import njit


@njit(cache=True, nogil=True)
def add_shares_of_two(values, rows, pots, shares, counts):
    """As `add_shares` for two seats, whose pots the first may always win."""
    for holding in range(rows.shape[0]):
        ours, theirs = values[rows[holding, 0]], values[rows[holding, 1]]
        wins, ties, both = int32(0), int32(0), int32(0)
        for board in range(ours.shape[0]):
            own, other = ours[board], theirs[board]
            possible = (own >= 0) & (other >= 0)
            both += int32(possible)
            wins += int32(possible & (own > other))
            ties += int32(possible & (own == other))
        counts[holding] += both
        for pot in range(pots.shape[0]):
            shares[holding, pot] += wins + 0.5 * ties if pots[pot, 1] else float(both)


@njit(cache=True, nogil=True)
def add_shares(values, rows, pots, shares, counts):
    """Add what the first seat wins of every pot, as parts of it, over the boards that every hand of a row allows.

    values : int32[hands, boards], negative where hand and board share a card
    rows   : int64[n, seats], each seat's row of `values`; seats that only hold cards are there too
    pots   : bool[pots, seats], who may win; the first seat may always
    shares : float64[n, pots]       counts : int64[n], boards that counted
    """
    for holding in range(rows.shape[0]):
        for board in range(values.shape[1]):
            possible = True
            for seat in range(rows.shape[1]):
                if values[rows[holding, seat], board] < 0:
                    possible = False
            if not possible:
                continue
            counts[holding] += 1
            own = values[rows[holding, 0], board]
            for pot in range(pots.shape[0]):
                winners = 1
                for seat in range(1, rows.shape[1]):
                    if pots[pot, seat]:
                        value = values[rows[holding, seat], board]
                        if value > own:
                            winners = 0
                            break
                        if value == own:
                            winners += 1
                if winners > 0:
                    shares[holding, pot] += 1.0 / winners


@njit(cache=True, nogil=True)
def add_all_pairs(values, weights, sums):
    """Add over boards b and pairs of hands i < j: weights[b] times 1, 0 or -1 as i wins, ties or loses.

    values : int32[hands, boards], negative where the hand is not possible     weights : int32[boards]
    sums   : int32[hands, hands]
    """
    for i in range(values.shape[0]):
        ours = values[i]
        for j in range(i + 1, values.shape[0]):
            theirs = values[j]
            total = int32(0)
            for board in range(ours.shape[0]):
                own, other = ours[board], theirs[board]
                better = int32(own > other) - int32(own < other)
                total += weights[board] * better * int32((own >= 0) & (other >= 0))
            sums[i, j] += total
