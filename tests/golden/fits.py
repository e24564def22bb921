"""One small fit of each learner, by name: a function that makes it and returns all arrays that it has learned."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from abstraction import test_clusters
from bet_sizing import test_bets, test_bets_boards
from kibitz.abstraction.clusters.streets import train
from kibitz.agents import load_agent
from kibitz.bet_sizing.sampled import BoardBets, SampledBets
from kibitz.bet_sizing.vector import VectorBets
from kibitz.clustering import inner_products, k_means
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.sampled import sampled_deal
from kibitz.games import load_game
from kibitz.learning import Learning, Model, SelfPlay, Structure, TableRules
from kibitz.learning.exploiters import Contest, Exploiter
from kibitz.learning.opponents import Fitting, OpponentFit
from kibitz.learning.opponents.types import TypeFit, TypeFitting
from kibitz.learning.player_types import TypedModel
from kibitz.learning.population import Play, load_population, play_matches
from kibitz.learning.responses import Agents, AgentTable, Blind, Copies, Response
from kibitz.learning.rivals import rival, rivals_of
from kibitz.learning.small_games import SmallGamePlan
from kibitz.policy.hands import HandPolicy
from kibitz.responses.best_response import best_response
from kibitz.responses.cfr_br import RealCFRBR
from kibitz.responses.real import Flops, real_exploitability
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.board_sampling.restricted import RestrictedBoardSampled
from kibitz.solvers.cfr import CFR, WEIGHTINGS
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import SAMPLED, Options, make_solver
from kibitz.solvers.restricted import RestrictedCFR, held_at_infosets, held_from_the_start
from kibitz.solvers.tilted import Tilt, solve_tilted
from kibitz.spots import SpotCFR
from kibitz.strategy import Strategy
from learning.exploiters.test_exploiters import make_typed
from learning.opponents.conftest import playing_model
from learning.opponents.recording import record_hands
from responses.cfr_br import test_turn_boards
from solvers import test_board_restricted, test_board_sampling, test_dense
from spots import test_parts

Arrays = Mapping[str, np.ndarray[Any, Any]]
QUICK = Learning(rate=0.02, card_rate=0.04, batch=32)


@cache
def leduc() -> Problem:
    return Problem(load_game("leduc"))


def stepped(solver: Any, count: int) -> Arrays:
    """All that a solver keeps after some iterations."""
    solver.step(count)
    return dict(solver.arrays())


def trained(learner: Any, deals: int) -> Arrays:
    """All that a learner keeps after some deals."""
    learner.train(deals)
    return dict(learner.arrays())


def solved(algorithm: str, count: int, game: str = "leduc", **options: Any) -> Arrays:
    problem = leduc() if game == "leduc" else Problem(load_game(game))
    return stepped(make_solver(algorithm, problem, Options(**options)), count)


def dense() -> Arrays:
    return stepped(CFR(VectorGame(test_dense.TREE, test_dense.bucket_game(10, 10, 3)), "dcfr"), 4)


def held(from_the_start: bool) -> Arrays:
    """Against an opponent who plays at random half of the time: decided once a hand, or at every information set."""
    compiled = leduc().vector
    uniform = Strategy.uniform(compiled.layout)
    if from_the_start:
        return stepped(RestrictedCFR(compiled, held_from_the_start(compiled, 0, uniform, 0.5), "cfr+"), 20)
    trust = np.full(compiled.layout.size, 0.5)
    return stepped(RestrictedCFR(compiled, held_at_infosets(compiled, 0, uniform.values, trust), "pcfr+"), 20)


def responded() -> Arrays:
    compiled = leduc().vector
    sums = np.random.default_rng(1).random(compiled.layout.size)
    return {"values": best_response(compiled, Strategy.from_sums(compiled.layout, sums))[0].values}


def held_on_boards() -> Arrays:
    compiled = test_board_restricted.game_of("all-in", 0, test_board_restricted.TWO)
    holding = test_board_restricted.any_holding(compiled, 0, test_board_restricted.TWO)
    return stepped(RestrictedBoardSampled(compiled, holding, 3), 3)


def really_responded() -> Arrays:
    compiled = test_turn_boards.game("no-limit")
    policy = HandPolicy(Strategy.uniform(compiled.layout), (test_turn_boards.PERFECT,) * 2)
    return {"exploitability": np.array(real_exploitability(policy, Flops.sampled(2, 3)).exploitability)}


def bets(kind: str) -> Arrays:
    if kind == "boards":
        deal = bucketed_deal(test_bets_boards.SHORT, test_bets_boards.IMPERFECT)
        return stepped(BoardBets(test_bets_boards.TREE, deal, 7, warmup=2), 4)
    tree = test_bets.both_seats()
    if kind == "vector":
        return stepped(VectorBets(tree, test_bets.DEAL, warmup=2), 8)
    return stepped(SampledBets(tree, sampled_deal(test_bets.GAME)), 200)


@cache
def records() -> Any:
    return record_hands(playing_model(), 3, 6, 20, seed=2, rules=TableRules(decision_cap=20))


def fitted(types: int) -> Arrays:
    """Models of recorded players after one epoch, of one player or of types of players."""
    start = Model.random(Structure(), 7, 0.05, 1.0)
    if types:
        fit: Any = TypeFit(TypedModel.random(start, types, 3, 0.1), records(), TypeFitting(epochs=1), seed=1)
    else:
        fit = OpponentFit(start, records(), Fitting(epochs=1), seed=1)
    fit.train_epoch()
    return {"weights": fit.arrays()["weights"]}


def exploiter() -> Arrays:
    return trained(Exploiter(make_typed(2, 2), Contest("ruin", 3, 20, True), learning=QUICK, seed=3), 128)


def self_play(rivals: str) -> Arrays:
    """Alone, or with others who come and go, in parts that threads share."""
    if rivals == "none":
        return trained(SelfPlay(3, 5, learning=QUICK), 128)
    learning, structure = replace(QUICK, parts=4, window=4.0), Structure(chips="saturating")
    return trained(SelfPlay(3, 5, structure, learning=learning, rivals=rivals_of(rivals), threads=2), 640)


def response(field: str) -> Arrays:
    start = Model.random(Structure(), seed=1, value_scale=1.0)
    against: Any = Copies(playing_model(), 3, TableRules())
    if field == "blind":
        against = Blind([rival("always-raise")], 3, TableRules())
    if field == "agents":
        against = Agents(AgentTable(load_game("holdem-limit-2p"), [load_agent("loose-aggressive")]))
    return trained(Response(start, against, QUICK, seed=4), 128)


def clustered() -> Arrays:
    found = k_means(inner_products(np.random.default_rng(5).random((60, 4))), 7, 3)
    return {"labels": found.labels, "objective": np.array(found.objective)}


def card_clusters() -> Arrays:
    """By earth mover's distance, and by Euclidean distance."""
    found = {"medians": train(test_clusters.cdfs(300, 5), 6, 3), "means": train(test_clusters.vectors(300, 5), 6, 3)}
    return {name: centres.points for name, centres in found.items()}


def population() -> Arrays:
    return {"sums": play_matches(load_population("calibrated"), 6, Play(seed=4, deals=20)).sums}


FITS: dict[str, Callable[[], Arrays]] = {
    **{name: partial(solved, name, 20) for name in (*WEIGHTINGS, "cfr-br")},
    "cfr, simultaneous": partial(solved, "cfr", 20, alternating=False),
    "cfr+, two threads": partial(solved, "cfr+", 4, "leduc-nolimit", threads=2),
    "dcfr, dense": dense,
    "restricted Nash": partial(held, True),
    "data-biased": partial(held, False),
    "tilted": lambda: {"values": solve_tilted(leduc().vector, Tilt.of(win=1.5), 20).values},
    "best response": responded,
    **{f"{name} sampling": partial(solved, name, 300, seed=3) for name in SAMPLED},
    "external sampling, three players": partial(solved, "external", 300, "kuhn-3p", seed=2),
    "board sampling": lambda: stepped(BoardSampled(test_board_sampling.form_of("all-in"), 5), 3),
    "board sampling, data-biased": held_on_boards,
    "cfr-br, real cards": lambda: stepped(RealCFRBR(test_turn_boards.game("no-limit"), 7, 2), 1),
    "best response, real cards": really_responded,
    "spot, river": lambda: stepped(SpotCFR(test_parts.compiled("river"), "dcfr"), 10),
    "spot, turn": lambda: stepped(SpotCFR(test_parts.compiled("turn"), "cfr+"), 3),
    **{f"bet sizes, {kind}": partial(bets, kind) for kind in ("vector", "sampled", "boards")},
    "self-play": partial(self_play, "none"),
    "self-play, rivals": partial(self_play, "always-raise:0.3,random:0.2"),
    "opponent": partial(fitted, 0),
    "player types": partial(fitted, 2),
    "exploiter": exploiter,
    **{f"response by learning, {field}": partial(response, field) for field in ("copies", "blind", "agents")},
    "gradient play": lambda: stepped(SmallGamePlan("kuhn", seed=3).make_learner(), 20),
    "population": population,
    "k-means": clustered,
    "card clusters": card_clusters,
}


def digest(content: bytes) -> str:
    return blake2b(content, digest_size=6).hexdigest()


if __name__ == "__main__":
    with threadpool_limits(1, "blas"):
        sums = {
            name: {each: digest(np.ascontiguousarray(array).tobytes()) for each, array in fit().items()}
            for name, fit in FITS.items()
        }
    print(json.dumps(sums))
