"""Solve Leduc hold'em, see how exploitable the answer is, and look at one decision."""

import kibitz

solution = kibitz.solve("leduc", until=0.001)  # every legal size, suits merged: nothing is abstracted
for point in solution.curve:
    print(f"{point.iteration:6} iterations: exploitable for {point.exploitability:.6f} chips a hand")

# What player 1 does with each card when player 0 has bet.
strategy = solution.strategy
node = strategy.layout.tree.find("r")
print("player 1    Q     K     A")
for action, chances in zip(("fold", "call", "raise"), strategy.at(node), strict=True):
    print(f"{action:8}", " ".join(f"{chance:.3f}" for chance in chances))
