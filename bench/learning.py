"""Self-play of six players at limit hold'em: simulated deals and learning in kernels, by CPU time.

The peers are the reference implementation of the tests, and the environments that a user would otherwise learn in,
played at random: RLCard's limit hold'em with six players and OpenSpiel's universal_poker with two and four. The
environments have no policy, no features and no beliefs; ours has all of these.
"""

from __future__ import annotations

import random
from functools import cache, partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from runpy import run_path
from time import process_time

import numpy as np

from bench.timing import rates
from kibitz.games import State, load_game
from kibitz.learning import Learning, Model, SelfPlay, Structure, TableRules, simulate
from kibitz.learning.desk import Desk
from kibitz.learning.exploiters import Contest, Exploiter
from kibitz.learning.player_types import TypedModel
from kibitz.learning.policy import LearnedPolicy
from kibitz.learning.responses import AGAINST_COPIES, Copies, Response
from kibitz.learning.rollouts import RolloutSettings, Simulation, measure_errors
from kibitz.policy.boards import MOST_ACTIONS
from kibitz.policy.hands import HOLES

PLAYERS = 6
TRAINED = 200_000  # deals after which rates are measured: players who know nothing raise far longer
PLAIN = Path(__file__).parents[1] / "tests" / "learning" / "plain_structure.py"
SAMPLES = 1000  # of a rollout error
WANTED_ERRORS = 10_000 / (20 * 60 * 2)  # decisions per second of a core: 10,000 in 20 minutes on two
BOARD = (3, 17, 40, 41, 50)
TURNS = 5


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
    return Response(model(), Copies(model(), PLAYERS, TableRules()), AGAINST_COPIES)


def exploit(hands: int) -> None:
    """Learning against players of a model without types."""
    exploiter(1).train(hands)


def exploit_types(hands: int) -> None:
    """Learning against players of eight types, with a joint filter of cards and types."""
    exploiter(8).train(hands)


def respond(hands: int) -> None:
    """A best response to copies."""
    response().train(hands)


def play_openspiel(hands: int, players: int) -> None:
    import pyspiel

    # With five players and more, its parser reads four stacks only. Fewer players are to its advantage: shorter deals.
    blinds, first = ("2 1", "2 1 1 1") if players == 2 else ("1 2" + " 0" * (players - 2), "3 1 1 1")
    game = pyspiel.load_game(
        f"universal_poker(betting=limit,numPlayers={players},numRounds=4,blind={blinds},firstPlayer={first},"
        f"stack={' '.join(['1200'] * players)},numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        "raiseSize=2 2 4 4,maxRaises=3 4 4 4,bettingAbstraction=fcpa)"
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


@cache
def recorded() -> list[tuple[list, list, list]]:
    """Deals as the kernels played them: hole cards, board, actions."""
    desk, found, rng = Desk(model(), TableRules().table), [], np.random.default_rng(2)
    for key in range(40):
        dealt = rng.permutation(52)[: 2 * PLAYERS + 5]
        cards = np.zeros(25, dtype=np.uint8)
        cards[: 2 * PLAYERS], cards[20:] = dealt[: 2 * PLAYERS], dealt[2 * PLAYERS :]
        desk.seat(PLAYERS, cards)
        actions = desk.work["action"][: desk.play(key)]
        found.append((cards[: 2 * PLAYERS].reshape(-1, 2).tolist(), cards[20:].tolist(), actions.tolist()))
    return found


@cache
def reference():
    return run_path(str(PLAIN), run_name="plain_structure")["Plain"](model())


def walk_plainly(hands: int) -> None:
    """The same deals by the reference implementation: probabilities and beliefs of every decision."""
    game = TableRules().game(PLAYERS)
    for holes, board, actions in recorded()[:hands]:
        reference().walk(game, holes, board, actions)


def rollout_errors(decisions: int) -> None:
    """Errors of so many decisions of 1,000 samples, in this process."""
    measure_errors(Simulation(model(), seed=1), RolloutSettings(decisions, SAMPLES, seed=1))


@cache
def tables():
    return LearnedPolicy(model()).in_game(load_game("holdem-limit-2p"))


def fill_tables(_pairs: int) -> None:
    """All decisions of a player on a river board, with all hands."""
    tables().fill(0, BOARD, HOLES, river_table())


@cache
def river_table():
    return np.zeros((len(tables().decisions(0, 3)), MOST_ACTIONS, 1328), dtype=np.float32)


def ask_hand_by_hand(_pairs: int) -> None:
    """One decision of the river with all hands, as agents are asked."""
    state = State.start(load_game("holdem-limit-2p")).play("cc/cc/cc/")
    tables().policy.probabilities(state, HOLES, BOARD)


def _forward_process(hands: int) -> float:
    """Seconds of processor time."""
    start = process_time()
    simulate(Model.random(Structure(), 1), PLAYERS, hands, seed=3)
    return process_time() - start


def two_processes(hands: int = 20_000) -> tuple[float, float]:
    """Hands per second of processor time of two processes at once, and of one alone.

    What others do on the machine takes no processor time of these, but what two take from one another does.
    """
    best = [0.0, 0.0]
    with get_context("spawn").Pool(2) as pool:
        pool.map(_forward_process, [1, 1], chunksize=1)
        for _ in range(TURNS):
            both = pool.map(_forward_process, [hands] * 2, chunksize=1)
            alone = pool.map(_forward_process, [hands])
            best = [max(best[0], sum(hands / each for each in both)), max(best[1], hands / alone[0])]
    return best[0], best[1]


def contestants() -> dict[str, tuple]:
    """Name -> (function of an amount of work, that amount); environments that are not installed are left out."""
    pairs = len(tables().decisions(0, 3)) * len(HOLES)
    found = {
        "forward": (forward, 40_000),
        "learn": (learn, 32_000),
        "nothing": (learn_from_nothing, 6_400),
        "exploit": (exploit, 32_000),
        "exploit types": (exploit_types, 16_000),
        "respond": (respond, 32_000),
        "plain": (walk_plainly, 40),
        "errors": (rollout_errors, 40),
        "tables": (fill_tables, pairs),
        "hands": (ask_hand_by_hand, len(HOLES)),
    }
    for name, module, contestant in (
        ("openspiel 2", "pyspiel", (partial(play_openspiel, players=2), 2000)),
        ("openspiel 4", "pyspiel", (partial(play_openspiel, players=4), 1000)),
        ("rlcard", "rlcard", (play_rlcard, 200)),
    ):
        if find_spec(module):
            found[name] = contestant
    return found


ROWS = (
    ("self-play deals of six, policy and observer v 50,000 wanted", "forward", "wanted forward", 1, "hands/s"),
    ("learning from deals of six v 25,000 wanted", "learn", "wanted learning", 1, "hands/s"),
    ("learning from the first weights on v 25,000 wanted", "nothing", "wanted learning", None, "hands/s"),
    ("exploiter of eight player types v 15,000 wanted", "exploit types", "wanted types", 1, "hands/s"),
    ("exploiter of a model without types v best response", "exploit", "respond", 1, "hands/s"),
    ("self-play deals of six v RLCard limit-holdem, random play", "forward", "rlcard", None, "hands/s"),
    ("the same v OpenSpiel universal_poker, limit, 2 players, random", "forward", "openspiel 2", None, "hands/s"),
    ("the same v OpenSpiel universal_poker, limit, 4 players, random", "forward", "openspiel 4", None, "hands/s"),
    ("the same v the reference implementation of the tests", "forward", "plain", None, "hands/s"),
    ("self-play deals per CPU second, two processes at once v one", "two", "one", 1.7, "hands/s"),
    ("RI errors, 1,000 samples, on a core v 10,000 in 20 min on two", "errors", "wanted errors", 1, "decisions/s"),
    ("tables of a learned policy on a river board v asked hand by hand", "tables", "hands", None, "pairs/s"),
)


def run() -> list[dict]:
    """Rows of name, ours, peer, ratio and target."""
    measured = rates(contestants(), TURNS, process_time)
    measured |= {"wanted forward": 50_000, "wanted learning": 25_000, "wanted types": 15_000}
    measured["wanted errors"] = WANTED_ERRORS
    measured["two"], measured["one"] = two_processes()
    rows = []
    for name, ours, peer, target, unit in ROWS:
        if peer in measured:
            one, other = measured[ours], measured[peer]
            row = {"name": name, "ours": one, "peer": other, "ratio": one / other, "unit": unit, "target": target}
            rows.append(row)
    return rows
