"""Solvers by name: what each is made from, and which games and options it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.arguments import did_you_mean, whole
from kibitz.errors import KibitzError
from kibitz.plans.kinds import named
from kibitz.solvers.base import Solver
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR, CFRBR, WEIGHTINGS
from kibitz.solvers.problem import Problem
from kibitz.solvers.public import PublicChanceSampled
from kibitz.solvers.sampled import (
    ChanceSampled,
    DealSampled,
    ExternalSampling,
    OutcomeSampling,
    PureCFR,
    SampledSolver,
)

REAL = "cfr-br-real"  # against best responses in the real game


@dataclass(frozen=True)
class Options:
    """How to solve: what an algorithm does not have it passes over, save for storage, device and flops.

    flops   sampled for CFR-BR in the real game (see `kibitz.responses.cfr_br`), 0 for all
    """

    alternating: bool = True
    threads: int = 1
    seed: int = 0
    storage: str = "double"
    device: str = "cpu"
    flops: int = 0

    def __post_init__(self) -> None:
        for name, least in {"threads": 1, "seed": 0}.items():
            object.__setattr__(self, name, whole(getattr(self, name), name, least))


def _vector(algorithm: str) -> Callable[[Problem, Options], Solver]:
    def make(problem: Problem, options: Options) -> Solver:
        if options.device == "gpu":
            from kibitz.solvers.gpu.cfr import GpuCFR

            return GpuCFR(problem.vector, algorithm, options.alternating)
        return CFR(problem.vector, algorithm, options.alternating, options.threads)

    return make


def _sampled(kind: type[DealSampled]) -> Callable[[Problem, Options], Solver]:
    def make(problem: Problem, options: Options) -> Solver:
        return kind(problem.sampled, options.seed, threads=options.threads, storage=options.storage)

    return make


def _pcs(problem: Problem, options: Options) -> Solver:
    if problem.cards:
        return BoardSampled(problem.sampled, options.seed, threads=options.threads)
    return PublicChanceSampled(problem.vector, options.seed)


def _real(problem: Problem, options: Options) -> Solver:
    solver: Solver = named("kibitz.responses.cfr_br:RealCFRBR")(
        problem.sampled, options.seed, options.flops, options.threads
    )
    return solver


def _linear_program(problem: Problem, options: Options) -> Solver:
    from kibitz.solvers.sequence_lp import SequenceLP

    return SequenceLP(problem.vector)


# Solvers on samples, which imperfect recall needs; those that know other storage than double come first.
STORED = (ChanceSampled, ExternalSampling, OutcomeSampling, PureCFR)
SAMPLED: dict[str, type[SampledSolver]] = {kind.algorithm: kind for kind in (*STORED, PublicChanceSampled)}
ALGORITHMS: dict[str, Callable[[Problem, Options], Solver]] = {
    **{name: _vector(name) for name in WEIGHTINGS},
    "cfr-br": lambda problem, options: CFRBR(problem.vector),
    **{kind.algorithm: _sampled(kind) for kind in STORED},
    "pcs": _pcs,
    REAL: _real,
    "lp": _linear_program,
}


def check_suitable(algorithm: str, problem: Problem, options: Options) -> None:
    """Refuse, before anything takes long, a problem or options that are not for `algorithm`."""
    if algorithm == REAL:
        _check_real(problem, options)
        return
    if options.flops:
        raise KibitzError(f"{options.flops} flops with {algorithm}: only {REAL} samples flops")
    stored = [kind.algorithm for kind in STORED]
    if options.storage != "double" and algorithm not in stored:
        raise KibitzError(f"{options.storage} storage with {algorithm}: only {', '.join(stored)} have it")
    on_gpu = [name for name, weighting in WEIGHTINGS.items() if not weighting.predict]
    if options.device != "cpu" and algorithm not in on_gpu:
        raise KibitzError(f"{algorithm} on a GPU: only {', '.join(on_gpu)} run there")
    if problem.game.players != 2 and algorithm not in stored:
        raise KibitzError(
            f"{algorithm} is for two players, not {problem.game.players}: take one of {', '.join(stored)}"
        )
    if not problem.has_all_rounds and algorithm not in stored:
        raise KibitzError(
            f"{algorithm} with {problem.cards_name} in {problem.game.rounds} rounds: it needs all four of hold'em; "
            f"with fewer take one of {', '.join(stored)}"
        )
    if not problem.is_measurable and algorithm not in SAMPLED:
        raise KibitzError(
            f"{algorithm} with {problem.cards_name}, which has imperfect recall: it needs perfect recall, as in "
            f"5-bucket; with imperfect recall take one of {', '.join(SAMPLED)}"
        )


def _check_real(problem: Problem, options: Options) -> None:
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
