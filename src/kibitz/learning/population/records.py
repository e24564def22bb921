"""What kernels know of bots: parameters, scores of starting hands, what a table remembers, scratch memory of a deal."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.cards import RANKS
from kibitz.learning.records import SEATS, STAGES, make_record

HS_BOT, RULE_BOT, SIM_BOT = range(3)  # families, in this order
FIELDS = (1, 2, 3, 5)  # opponents of the simulations behind the scores of starting hands
MOST_FACED = 3  # bets to call that rules tell apart: none, one, two, three or more
CLASSES = ("nothing", "draw", "weak pair", "top pair", "two pair", "better")  # of hands, for rules

# Before the flop, all families. Scores are percentiles of starting hands, 0 the worst and 1 the best.
PREFLOP = {
    "enter": "score needed to call the big blind",
    "open": "score needed to raise the big blind",
    "step": "added to `enter` for every raise that is faced",
    "raise_step": "added to `open` for every raise that is faced",
    "position": "added to the score of the last to act, less for those before",
    "blind": "taken off `enter` by those who owe less than the whole bet",
    "soft": "width of the logistic curves around all thresholds",
}
# After it, for those who look at hand strength. Strengths are probabilities to be ahead of all opponents.
POSTFLOP = {
    "bet_at": "strength needed to bet",
    "raise_at": "strength needed to raise",
    "call_at": "strength with which a bet is called whatever the odds",
    "odds": "multiple of the pot odds that strength and potential must beat to call",
    "growth": "added to `raise_at` for every raise beyond the first bet",
    "fear": "strength lost for every bet that is faced",
    "bluff": "chance to bet where strength is lacking",
    "draw": "chance to bet or raise with a potential of a fifth or more",
    "trap": "chance not to bet or raise where strength suffices",
    "share": "part of the hands that opponents are taken to play",
    "adapt": "how much opponents' habits in this match count, 0 for nothing",
}
# Those who simulate the rest of the deal.
SIMULATION = {
    "leads": "chance that the leader of a simulated street bets",
    "yields": "chance that who is behind folds to a simulated bet",
    "margin": "chips that a raise must gain over a call",
    "loose": "chips that a call may seem to lose",
    "caution": "added to `margin` for every raise that is faced",
    "respect": "factor of the share of hands that opponents play, for every raise that is faced",
}
# What each family looks at.
PARAMETERS: dict[str, tuple[str, ...]] = {
    "hs_bot": (*PREFLOP, *POSTFLOP),
    "rule_bot": (*PREFLOP, "rules"),
    "sim_bot": (*PREFLOP, "share", "adapt", *SIMULATION, "trials"),
}
FAMILIES = tuple(PARAMETERS)

BOT = np.dtype(
    [
        ("family", "i8"),
        ("trials", "i8"),  # simulated deals of a decision
        *((name, "f8") for name in (*PREFLOP, *POSTFLOP, *SIMULATION)),
        # chances to fold and to raise, before the river and on it, by class of hand and bets faced
        ("rules", "f8", (2, len(CLASSES), MOST_FACED + 1, 2)),
    ]
)

# What everybody has seen of everybody in this match, by chair; a chair keeps its player, positions move.
ENTERS, FOLDS, LEADS = range(3)  # habits: of deals, of bets faced after the flop, of other decisions after it
MEMORY = np.dtype(
    [
        ("chairs", "i8", (SEATS,)),  # chair at each position of this deal
        ("counted", "i8", ()),  # mask of chairs whose entry in this deal is counted
        ("done", "i8", (3, SEATS)),  # deals entered, bets folded to, bets made
        ("of", "i8", (3, SEATS)),  # where they might have been
    ]
)

# What is worked out in a deal.
SCRATCH = np.dtype(
    [
        ("key", "u8", ()),  # of this deal
        ("strength", "f8", (SEATS, STAGES, 2)),  # strength and potential, once a stage; -1 until needed
        ("shares", "f8", (SEATS,)),  # of hands that each is taken to play
        ("hands", "u8", (SEATS,)),  # in a simulated deal, and what each makes
        ("made", "i8", (STAGES, SEATS)),
    ]
)
# Of starting hands, see `load_scores`.
SCORES = np.dtype([("by_field", "f4", (len(FIELDS), 52, 52))])


class Bots(NamedTuple):
    """The bots of a table.

    bots : BOT[n]               parameters
    seating : int64[players]    which of them has each chair; an entry kernel of matches takes one row for each
    scores, memory, scratch     records SCORES, MEMORY and SCRATCH; arrays of one in the hands of Python
    """

    bots: Any
    seating: Any
    scores: Any
    memory: Any
    scratch: Any


def make_bots(bots: npt.NDArray[np.void], seating: npt.ArrayLike) -> Bots:
    """Bots for an entry kernel, with an empty memory."""
    scores = load_scores().reshape(-1).view(SCORES)
    return Bots(bots, np.asarray(seating, dtype=np.int64), scores, make_record(MEMORY), make_record(SCRATCH))


@cache
def load_equities() -> dict[str, tuple[float, ...]]:
    """Shares of the pot that the 169 classes of starting hands win against each of FIELDS, when all stay to the end.

    They were simulated once, as Poki's are (Billings et al. 2002; Sweeney 2012, section 3.2.2), and are shipped.
    """
    text = (files(__package__) / "starting_hands.csv").read_text()
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    return {name: tuple(map(float, shares)) for name, *shares in rows[1:]}


@cache
def load_scores() -> npt.NDArray[np.float32]:
    """Percentiles of all starting hands by their two cards, 0 for the worst and 1 for the best: float32[4, 52, 52].

    Row f is for FIELDS[f] opponents. Half of the hands of the same class count as worse. The diagonal is 0.
    """
    equities = load_equities()
    numbers = {name: number for number, name in enumerate(equities)}
    classes = np.full((52, 52), -1)
    for first, second in product(range(52), repeat=2):
        if first != second:
            low, high = sorted((first >> 2, second >> 2))
            kind = "" if low == high else "s" if first & 3 == second & 3 else "o"
            classes[first, second] = numbers[RANKS[high] + RANKS[low] + kind]
    hands = np.bincount(classes[classes >= 0])
    scores = np.zeros((len(FIELDS), 52, 52), dtype=np.float32)
    for row, shares in enumerate(zip(*equities.values(), strict=True)):
        order = np.argsort(shares, kind="stable")
        below = np.empty(len(hands))
        below[order] = np.cumsum(hands[order]) - hands[order] / 2
        scores[row] = np.where(classes >= 0, (below / hands.sum())[classes], 0.0)
    scores.setflags(write=False)
    return scores
