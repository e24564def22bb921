"""Two built-in agents play a duplicate match, and we ask who is better.

    python examples/play_a_match.py

Duplicate means that every deal is played twice with the seats exchanged: good cards help both agents alike, and
what is left is mostly skill.
"""

from kibitz.arena.duplicate import DuplicateMatch, hands_per_deal, play_duplicate
from kibitz.games import load_game
from kibitz.games.stakes import Stake, win_rate

# Any name that `kibitz match` takes: built-in games and agents, game definitions and agents from files.
game = load_game("holdem-limit-2p")
names = ("tight-aggressive", "loose-passive")

# One result per agent. The same seed gives the same cards, the same actions and the same figures.
results = play_duplicate(DuplicateMatch(game, names, hands=1000, seed=7))

# Win rates are in thousandths of a big blind a hand, with a 95 % interval.
for name, chips in zip(names, results, strict=True):
    print(f"{name:20} {win_rate(chips, Stake.of(game), hands_per_deal(game.players))}")

rate = win_rate(results[0], Stake.of(game), hands_per_deal(game.players))
if rate.significant:
    print(f"{names[0] if rate.mean > 0 else names[1]} is better, as far as 1,000 deals can tell.")
else:
    print("1,000 deals are too few to tell them apart.")
