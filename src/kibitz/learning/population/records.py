"""Records of bots that kernels work on: parameters, what a table remembers in a match, and scratch memory of a deal."""

from __future__ import annotations

import numpy as np

from kibitz.learning.records import SEATS, STAGES

FAMILIES = ("hs_bot", "rule_bot", "sim_bot")
HS_BOT, RULE_BOT, SIM_BOT = range(3)
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
SCALARS = (*PREFLOP, *POSTFLOP, *SIMULATION)

BOT = np.dtype(
    [
        ("family", "i8"),
        ("trials", "i8"),  # simulated deals of a decision
        *((name, "f8") for name in SCALARS),
        # chances to fold and to raise, before the river and on it, by class of hand and bets faced
        ("rules", "f8", (2, len(CLASSES), MOST_FACED + 1, 2)),
    ]
)

# What everybody has seen of everybody in this match, by chair; a chair keeps its player, positions move.
MEMORY = np.dtype(
    [
        ("chairs", "i8", (SEATS,)),  # chair at each position of this deal
        ("deals", "i8", (SEATS,)),
        ("entered", "i8", (SEATS,)),  # deals with chips put in voluntarily
        ("counted", "i8", ()),  # mask of chairs whose entry in this deal is counted
        ("faced", "i8", (SEATS,)),  # bets faced after the flop
        ("folded", "i8", (SEATS,)),  # of these, folds
        ("free", "i8", (SEATS,)),  # decisions after the flop without a bet to call
        ("led", "i8", (SEATS,)),  # of these, bets
    ]
)

# Strength, potential to get ahead and to fall behind of each position and stage, -1 until needed; values of options.
SCRATCH = np.dtype(
    [
        ("key", "u8", ()),  # of this deal
        ("strength", "f8", (SEATS, STAGES, 3)),
        ("values", "f8", (3,)),
        ("shares", "f8", (SEATS,)),  # of hands that each is taken to play
        ("hands", "u8", (SEATS,)),
        ("board", "u8", (STAGES,)),
        ("made", "i8", (STAGES, SEATS)),
    ]
)
