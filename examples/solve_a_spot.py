"""Solve a river: who bets what, and how much it is worth."""

import kibitz

# Every hand against every hand: only the bet sizes are chosen. Accuracy is in per cent of the pot.
ranges = {"oop": "88+,AQs,KQ,T9s,98s", "ip": "22+,A2s+,KT+,QT+,J9s+"}
spot = kibitz.solve_spot("Qs Jh 2h 8d 3c", pot=100, stack=400, **ranges, accuracy=0.2)
for point in spot.curve:
    print(f"{point.iteration:4} iterations: exploitable for {point.measure.exploitability:6.3f} chips a hand")

decision = spot.at()  # the first one; spot.at("cr75") is the answer to a bet after a check
for action, frequency in zip(decision.words, decision.frequencies, strict=True):
    print(f"{action:12} {frequency:5.0%}")
print(f"The player out of position wins {spot.values[0]:.0f} of the 100 chips.")
