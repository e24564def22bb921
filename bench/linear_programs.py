"""Leduc solved exactly by sequence-form linear programming, from the rules to both strategies, against OpenSpiel.

OpenSpiel's solver needs cvxpy and ecos, which its package does not bring along. It knows Leduc with the suits kept (936
information sets) and with the suits merged (288); merging them is what a user of ours gets without asking. With the
suits kept both begin with the same 936 information sets and end with a strategy for each of them. OpenSpiel hands the
whole linear program to its solver; ours is first reduced by an equitable partition, which finds the suits for itself,
and that, not HiGHS, is most of the difference.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.timing import rates
from kibitz.deals import matrix_deal
from kibitz.games import load_game
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.tree import build_tree

VALUE = -0.085606424078
TURNS = 5


def run() -> list[dict[str, object]]:
    """Solves per second; a row without a peer where OpenSpiel's solver cannot be run."""
    contestants: dict[str, tuple[Callable[[int], object], int]] = {
        "kept": (lambda solves: ours(solves, suits_merged=False), 1),
        "merged": (lambda solves: ours(solves, suits_merged=True), 5),
    }
    if available():
        contestants["peer, kept"] = (lambda solves: theirs(solves, "leduc_poker"), 1)
        contestants["peer, merged"] = (lambda solves: theirs(solves, "leduc_poker(suit_isomorphism=true)"), 1)
    rate = rates(contestants, TURNS)
    peer = "OpenSpiel's sequence_form_lp"
    return [
        row(f"Leduc by LP, suits kept v {peer}", rate["kept"], rate.get("peer, kept"), 3.0),
        row(f"Leduc by LP, suits merged v {peer}, kept", rate["merged"], rate.get("peer, kept"), 10.0),
        row(f"Leduc by LP, suits merged v {peer}, merged", rate["merged"], rate.get("peer, merged"), None),
    ]


def row(name: str, ours: float, peer: float | None, target: float | None) -> dict[str, object]:
    """One line of the table; what cannot be compared has no target."""
    ratio = ours / peer if peer else None
    return {
        "name": name,
        "ours": ours,
        "peer": peer,
        "ratio": ratio,
        "unit": "solves/s",
        "target": target if peer else None,
    }


def ours(solves: int, suits_merged: bool) -> None:
    """Solve Leduc so many times, each time from the rules of the game."""
    for _ in range(solves):
        game = load_game("leduc")
        solution = solve_lp(VectorGame(build_tree(game), matrix_deal(game, suits_merged)))
        assert abs(solution.value - VALUE) < 1e-9


def theirs(solves: int, name: str) -> None:
    """The same by OpenSpiel."""
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp

    for _ in range(solves):
        value = sequence_form_lp.solve_zero_sum_game(pyspiel.load_game(name))[0]
        assert abs(value - VALUE) < 1e-7


def available() -> bool:
    """Whether OpenSpiel and the solvers it wants are there."""
    try:
        import cvxpy  # noqa: F401
        import ecos  # noqa: F401
        import pyspiel  # noqa: F401
    except ImportError:
        return False
    return True
