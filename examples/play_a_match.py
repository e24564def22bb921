"""Two built-in agents play a duplicate match, and we ask who is better.

    python examples/play_a_match.py

Duplicate means that every deal is played twice with the seats exchanged: good cards help both agents alike, and
what is left is mostly skill.
"""

import kibitz

# Any name that `kibitz match` takes: built-in games and agents, game definitions and agents from files.
# The same seed gives the same cards, the same actions and the same figures.
result = kibitz.play_match(["tight-aggressive", "loose-passive"], "holdem-limit-2p", hands=1000, seed=7)
print(result)  # win rates in thousandths of a big blind a hand, with 95 % intervals

best = max(result.rates, key=lambda name: result.rates[name].mean)
if result.rates[best].significant:
    print(f"{best} is better, as far as 1,000 deals can tell.")
else:
    print("1,000 deals are too few to tell them apart.")
