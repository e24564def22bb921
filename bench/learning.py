"""Self-play of six players at limit hold'em: simulated deals and learning in kernels, one core.

The peers are the environments that a user would otherwise learn in, played at random: RLCard's limit hold'em and
OpenSpiel's universal_poker (with two players). They have no policy, no features and no beliefs; ours has all of these.
"""

from __future__ import annotations

import random
from functools import cache
from multiprocessing import get_context

from bench.timing import rates
from kibitz.learning import Learning, Model, SelfPlay, Structure, TableRules, simulate
from kibitz.learning.exploiters import DEFAULT_LEARNING, Contest, Exploiter
from kibitz.learning.player_types import TypedModel
from kibitz.learning.responses import Copies, Response

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


@cache
def exploiter(types: int) -> Exploiter:
    """One learner against players of so many types."""
    opponents = TypedModel.random(model(), types, 1, 0.5) if types > 1 else TypedModel.plain(model())
    return Exploiter(opponents, Contest(players=PLAYERS))


@cache
def response() -> Response:
    return Response(model(), Copies(model(), PLAYERS, TableRules()), DEFAULT_LEARNING)


def exploit(hands: int) -> None:
    """Learning against players of a model without types."""
    exploiter(1).train(hands)


def exploit_types(hands: int) -> None:
    """Learning against players of eight types, with a joint filter of cards and types."""
    exploiter(8).train(hands)


def respond(hands: int) -> None:
    """A best response to copies."""
    response().train(hands)


def play_openspiel(hands: int) -> None:
    import pyspiel

    # Two players: with six, its parser loses stacks. That is to its advantage, for the deals are shorter.
    game = pyspiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,stack=1200 1200,"
        "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=2 2 4 4,maxRaises=3 4 4 4,"
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
            "exploit": (exploit, 32_000),
            "exploit types": (exploit_types, 16_000),
            "respond": (respond, 32_000),
            "openspiel": (play_openspiel, 600),
            "rlcard": (play_rlcard, 200),
            "two": (forward_twice, 40_000),
            "one": (forward_once, 40_000),
        }
    )
    rows = []
    measured |= {"wanted forward": 50_000, "wanted learning": 25_000, "wanted types": 15_000}
    for name, ours, peer, target in (
        ("self-play deals of six, policy and observer v 50,000 wanted", "forward", "wanted forward", 1),
        ("learning from deals of six v 25,000 wanted", "learn", "wanted learning", 1),
        ("learning from the first weights on v 25,000 wanted", "nothing", "wanted learning", None),
        ("exploiter of eight player types v 15,000 wanted", "exploit types", "wanted types", 1),
        ("exploiter of a model without types v best response", "exploit", "respond", 1),
        ("self-play deals of six v RLCard limit-holdem, random play", "forward", "rlcard", None),
        ("the same v OpenSpiel universal_poker, limit, two players, random play", "forward", "openspiel", None),
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
