"""Self-play of six players at limit hold'em: simulated deals and learning in kernels, one core.

The peers are the environments that a user would otherwise learn in, played at random: RLCard's limit hold'em and
OpenSpiel's universal_poker, both with six players (RLCard's for as many as it is told). Theirs has no policy, no
features and no beliefs; ours has all of these.
"""

from __future__ import annotations

import random
from functools import cache
from multiprocessing import get_context

import numpy as np

from bench.timing import rates
from kibitz.games import Deal, State
from kibitz.learning import Learning, Model, SelfPlay, Structure, TableRules, simulate

PLAYERS = 6
TRAINED = 200_000  # deals after which rates are measured: players who know nothing raise far longer


@cache
def trained() -> SelfPlay:
    trainer = SelfPlay(PLAYERS, 1)
    trainer.train(TRAINED)
    return trainer


@cache
def model() -> Model:
    return trained().model


def forward(hands: int) -> None:
    """Deals with policy and observer, without learning."""
    simulate(model(), PLAYERS, hands, seed=2)


def learn(hands: int) -> None:
    """The same with REINFORCE and the observer's gradients, 32 deals a step."""
    trained().train(hands)


def learn_from_nothing(hands: int) -> None:
    """From the first weights on: long deals."""
    SelfPlay(PLAYERS, 1, learning=Learning()).train(hands)


def forward_plain(hands: int) -> None:
    """The policy's formulas alone with NumPy, decision by decision, on states."""
    weights, noise = model().weights, np.random.default_rng(0)
    game = TableRules().game(PLAYERS)
    for _ in range(hands):
        cards = noise.permutation(52)[:17].tolist()
        holes = tuple(tuple(cards[2 * p : 2 * p + 2]) for p in range(PLAYERS))
        state = State.start(game, Deal(holes, tuple(cards[12:])))
        while not state.finished:
            legal, stage = state.legal(), state.round
            values = [0.0] if legal.fold else []
            for _option in range(2 if legal.max_raise_to else 1):
                bets = np.ones(9)
                logits = bets @ weights.bets[stage, :9] + weights.bets[stage, 9] + np.ones(8) @ weights.beliefs[stage]
                outcome = np.exp(logits - logits.max())
                values.append(float(outcome @ (bets @ weights.values[stage]) / outcome.sum()))
            chances = np.exp(np.array(values) - max(values))
            actions = list(legal.actions())
            state = state.apply(actions[int(noise.choice(len(actions), p=chances / chances.sum()))])
        state.returns()


def play_openspiel(hands: int) -> None:
    import pyspiel

    game = pyspiel.load_game(
        f"universal_poker(betting=limit,numPlayers={PLAYERS},numRounds=4,blind=1 2 0 0 0 0,firstPlayer=3 1 1 1,"
        "stack=1200 1200 1200 1200 1200 1200,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        "raiseSize=2 2 4 4,maxRaises=3 4 4 4,"
        "bettingAbstraction=fcpa)"
    )
    rng = random.Random(0)
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[rng.randrange(len(actions))])
        state.returns()


def play_rlcard(hands: int) -> None:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("limit-holdem", config={"seed": 0, "game_num_players": PLAYERS})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    for _ in range(hands):
        env.run(is_training=False)


def _forward_process(hands: int) -> None:
    simulate(Model.random(Structure(), 1), PLAYERS, hands, seed=3)


def forward_twice(hands: int) -> None:
    """Half of the deals in each of two processes that are there already."""
    _pool().map(_forward_process, [hands // 2] * 2)


def forward_once(hands: int) -> None:
    """All of them in one such process."""
    _pool().map(_forward_process, [hands])


@cache
def _pool():
    pool = get_context("spawn").Pool(2)
    pool.map(_forward_process, [1, 1])
    return pool


def run() -> list[dict]:
    """Rows of name, ours, peer (hands per second), ratio and target."""
    measured = rates(
        {
            "forward": (forward, 40_000),
            "learn": (learn, 32_000),
            "nothing": (learn_from_nothing, 6_400),
            "plain": (forward_plain, 60),
            "openspiel": (play_openspiel, 600),
            "rlcard": (play_rlcard, 200),
            "two": (forward_twice, 40_000),
            "one": (forward_once, 40_000),
        }
    )
    rows = []
    for name, ours, peer, target in (
        ("self-play deals of six, policy and observer v NumPy policy on State", "forward", "plain", 500),
        ("the same v OpenSpiel universal_poker, limit, random play", "forward", "openspiel", 5),
        ("the same v RLCard limit-holdem, random play", "forward", "rlcard", 50),
        ("learning from deals of six v OpenSpiel, random play", "learn", "openspiel", 3),
        ("learning from the first weights on v OpenSpiel, random play", "nothing", "openspiel", None),
        ("self-play deals in two processes v one", "two", "one", 1.7),
    ):
        ratio = measured[ours] / measured[peer]
        rows.append(
            {
                "name": name,
                "ours": measured[ours],
                "peer": measured[peer],
                "ratio": ratio,
                "unit": "hands/s",
                "target": target,
            }
        )
    return rows
