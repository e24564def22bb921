"""The rules engine, step by step: a state is a value, and applying an action gives the next one.

python examples/walk_through_a_hand.py
"""

from kibitz.cards import parse_cards
from kibitz.errors import IllegalActionError
from kibitz.games import Deal, State, load_game

# Heads-up no-limit hold'em: blinds 50 and 100, stacks of 20,000. Player 0 has the big blind, player 1 the button.
game = load_game("holdem-nolimit-2p")
deal = Deal(hole=(parse_cards("AsKs"), parse_cards("QhQd")), board=parse_cards("Ah7c2dTs3h"))

state = State.start(game, deal)
print(f"player {state.player} opens, legal are {state.legal()}")  # f, c, r200..r20000

# Actions are those of the ACPC protocol: f, c, and r with the chips put in over the whole hand.
raised = state.apply("r300")
print(f"after r300: pot {raised.pot}, player {raised.player} must add {raised.to_call} to call")
print(f"the state before is still there: pot {state.pot}")

# Several actions at once; rounds are separated by slashes.
flop = raised.play("c/cr900")
print(f"on the flop: {flop}")
print(f"as player 0 sees it: {flop.seen_by(0)}")

# What the rules do not allow is an error that says what they do allow.
try:
    flop.apply("r1000")
except IllegalActionError as error:
    print(f"refused: {error}")

# To the end: what everybody has won or lost.
final = flop.play("c/cc/r2000c")
print(f"final: {final}")
print(f"returns: {final.returns()}")
