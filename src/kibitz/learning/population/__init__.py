"""A population of limit hold'em bots in place of Poker Academy's (Sweeney 2012, section 6.5), and their matches.

>>> from kibitz.learning.population import load_population, play_hands
>>> hands = play_hands(load_population("calibrated"), matches=2)
>>> len(hands), hands.name_list[hands.names[0, 0]] in load_population("calibrated").names
(240, True)
"""

from kibitz.learning.population.bots import Population, PopulationError, draw_seating, load_population, save_population
from kibitz.learning.population.matches import (
    STATISTICS,
    Matches,
    Play,
    Style,
    between_bots,
    play_hands,
    play_matches,
    play_seating,
    rates,
    style_of,
)

__all__ = [
    "STATISTICS",
    "Matches",
    "Play",
    "Population",
    "PopulationError",
    "Style",
    "between_bots",
    "draw_seating",
    "load_population",
    "play_hands",
    "play_matches",
    "play_seating",
    "rates",
    "save_population",
    "style_of",
]
