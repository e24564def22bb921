"""Solve a river: who bets what, and how much it is worth."""

from kibitz.spots import Spot, SpotCFR, SpotGame, solve_spot
from kibitz.spots.report import inspect

spot = Spot.parse("Qs Jh 2h 8d 3c", pot=100, stack=400, oop="88+,AQs,KQ,T9s,98s", ip="22+,A2s+,KT+,QT+,J9s+")
solver = SpotCFR(SpotGame(spot))  # every hand against every hand: only the bet sizes are chosen
for progress in solve_spot(solver, accuracy=0.2):
    print(f"{progress.iteration:4} iterations: exploitable for {progress.measure.exploitability:6.3f} chips a hand")

decision = inspect(solver)
for action, frequency in zip(decision.words, decision.frequencies, strict=True):
    print(f"{action:12} {frequency:5.0%}")
print(
    f"{decision.history or 'the first decision'} is worth {decision.hands[0].mean(decision.hands[0].values):.0f} chips"
)
