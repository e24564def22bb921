"""All algorithms of `kibitz solve`: the solvers by name, and those that need best responses in the real game."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.arguments import did_you_mean
from kibitz.errors import KibitzError
from kibitz.responses.cfr_br import RealCFRBR
from kibitz.solvers import registry
from kibitz.solvers.base import Solver
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options

REAL = RealCFRBR.algorithm


def _real(problem: Problem, options: Options) -> Solver:
    return RealCFRBR(problem.sampled, options.seed, options.flops, options.threads)


ALGORITHMS: dict[str, Callable[[Problem, Options], Solver]] = {**registry.ALGORITHMS, REAL: _real}


def check_suitable(algorithm: str, problem: Problem, options: Options) -> None:
    """Refuse, before anything takes long, a problem or options that are not for `algorithm`."""
    if algorithm != REAL:
        if options.flops:
            raise KibitzError(f"{options.flops} flops with {algorithm}: only {REAL} samples flops")
        registry.check_suitable(algorithm, problem, options)
        return
    game = problem.game
    if not problem.cards or game.players != 2 or game.rounds != 4:
        raise KibitzError(
            f"{REAL} in {game.name or 'this game'}: it is for two players of hold'em with a card abstraction and four "
            "rounds; take cfr-br elsewhere"
        )
    if options.storage != "double" or options.device != "cpu":
        raise KibitzError(
            f"{REAL} with {options.storage} storage on a {options.device}: double storage on the cpu only"
        )


def make_solver(algorithm: str, problem: Problem, options: Options | None = None) -> Solver:
    """A solver by name."""
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        near = did_you_mean(algorithm, ALGORITHMS)
        raise KibitzError(f"no algorithm {algorithm!r}{near}: one of {', '.join(ALGORITHMS)}")
    options = options or Options()
    check_suitable(algorithm, problem, options)
    return ALGORITHMS[algorithm](problem, options)
