"""Deals among players with types, for Python: records come as arrays of one."""

from kibitz.compiling import njit
from kibitz.learning._kernels.betting import DIVIDING
from kibitz.learning._kernels.deciding import exponentials
from kibitz.learning.player_types._kernels.filtering import own_exponentials
from kibitz.learning.player_types._kernels.playing import close_typed_deal, play_typed_deal


@njit(cache=True, nogil=True, error_model=DIVIDING)
def play_typed_one(
    players, key, forced, forced_count, ask, learner, policy, reading, layer, model, kinds, table, mode, work, match,
    filters
):  # fmt: skip
    """`play_typed_deal`, and what is carried from it unless it stops in between; returns the number of decisions."""
    exponentials(model[0], work[0].type_exp)
    own_exponentials(kinds[0], match[0])
    d = play_typed_deal(
        players, key, forced, forced_count, ask, learner, policy[0], reading[0], layer[0], model[0], kinds[0],
        table[0], mode[0], work[0], match[0], filters,
    )  # fmt: skip
    if not ask:
        close_typed_deal(model[0], mode[0], work[0], match[0], filters)
    return d
