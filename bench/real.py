"""Real-game measures of two-player hold'em: leaves of a best response, boards of a value, hands of a local response.

The peer of the best response is what one writes first in NumPy: a matrix of all pairs of hands on the board (here even
given beforehand) times a matrix of the opponent's vectors at all ends of the betting. It leaves out everything else.
"""

from __future__ import annotations

import numpy as np

from bench.timing import rates
from kibitz.agents import load_agent
from kibitz.deals.board import next_cards
from kibitz.games import load_game
from kibitz.policy import policy_of
from kibitz.policy.hands import HandPolicy, blind_layout
from kibitz.responses.local import local_response
from kibitz.responses.real import expected_value
from kibitz.responses.real.boards import BoardHands, kept_by
from kibitz.responses.real.response import Responder
from kibitz.strategy import Strategy
from kibitz.tree import build_tree

FLOP = (0, 21, 50)
HANDS = 1081


def run() -> list[dict[str, object]]:
    """A row for each."""
    rows = []
    for name, menu in (("holdem-limit-2p", "full"), ("holdem-nolimit-2p", "fcpa")):
        layout, abstraction = blind_layout(build_tree(load_game(name), menu))
        policy = HandPolicy.of(Strategy.uniform(layout), abstraction)
        found = rates({"ours": response_leaves(policy), "peer": matrix_leaves()}, turns=3)
        what = f"best response, {name} {menu}: one turn card"
        rows.append(row(what, found["ours"], found["peer"], "leaf-hands/s", 10.0))
        value = rates({"ours": (lambda count, each=policy: expected_value(each, each, count), 20)}, turns=3)
        rows.append(row(f"expected value, {name} {menu}: one seating", value["ours"], None, "boards/s", None))
    for name in ("always-call", "random"):
        played = rates({"ours": (lambda boards, each=name: local_boards(each, boards), 10)}, turns=3)
        rows.append(row(f"local best response to {name}", played["ours"], None, "boards/s", None))
    return rows


def row(name: str, ours: float, peer: float | None, unit: str, target: float | None) -> dict[str, object]:
    ratio = None if peer is None else ours / peer
    return {"name": name, "ours": ours, "peer": peer, "ratio": ratio, "unit": unit, "target": target}


def response_leaves(policy: HandPolicy):
    """All that follows one turn card, once whatever the amount, which counts the leaves of all its rivers."""
    responder, hands = Responder(policy, 0), BoardHands(FLOP)
    turn = next(next_cards(FLOP, kept_by(FLOP)))
    entering = np.ones(len(responder.rounds[2].first) * hands.width, dtype=np.float32)
    rivers = sum(1 for _ in next_cards((*FLOP, turn.card), turn.kept))
    return (lambda _amount: responder._turn(hands, turn, entering)), responder.leaves * HANDS * rivers


def matrix_leaves():
    """All leaves of a board as one product of matrices."""
    generator = np.random.default_rng(0)
    pairs, leaves = (generator.random((HANDS, width), dtype=np.float32) for width in (HANDS, 512))
    return (lambda _amount: pairs @ leaves), 512 * HANDS


def local_boards(name: str, boards: int) -> None:
    local_response(policy_of(load_agent(name)), load_game("holdem-nolimit-2p"), boards)
