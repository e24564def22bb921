"""Random heads-up no-limit hold'em hands: State and the batched simulator against PokerKit and OpenSpiel."""

from __future__ import annotations

import random
from itertools import islice

from bench.timing import rates
from kibitz.agents import FrequencyAgent, load_agent
from kibitz.arena.batch import play_batch
from kibitz.arena.chance import Chance
from kibitz.games import State, deal_hands, load_game

GAME, CARDS = load_game("holdem-nolimit-2p"), Chance().cards()


def play_states(hands: int) -> None:
    """Fold, call or raise to any legal amount, each with equal chance: the same play as the peers' below."""
    rng = random.Random(0)
    for deal in islice(deal_hands(GAME, 0), hands):
        state = State.start(GAME, deal)
        while not state.finished:
            legal = state.legal()
            choice = rng.randrange(3)
            if choice == 0 and legal.fold:
                state = state.apply("f")
            elif choice == 2 and legal.max_raise_to:
                state = state.apply(f"r{rng.randint(legal.min_raise_to, legal.max_raise_to)}")
            else:
                state = state.apply("c")
        state.returns()


def play_batched(hands: int) -> None:
    """The same random play, any legal amount."""
    play_batch(GAME, [load_agent("random"), load_agent("random")], [1, 2], hands, CARDS)


def play_batched_alone(hands: int) -> None:
    """The same on one thread."""
    import numba

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    play_batched_fcpa(hands)
    numba.set_num_threads(threads)


def play_batched_fcpa(hands: int) -> None:
    """Fold, call, pot or all-in with equal chance, which is what a random walk in OpenSpiel's fcpa game does."""
    agent = FrequencyAgent.of("fcpa", {"call": 1, "pot": 1, "all-in": 1}, {"fold": 1, "call": 1, "pot": 1, "all-in": 1})
    play_batch(GAME, [agent, agent], [1, 2], hands, CARDS)


def play_pokerkit(hands: int) -> None:
    from pokerkit import Automation, NoLimitTexasHoldem

    rng = random.Random(0)
    automations = tuple(Automation)
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (100, 50), 100, (20000, 20000), 2)
        while state.status:
            choice = rng.randrange(3)
            if choice == 0 and state.can_fold():
                state.fold()
            elif choice == 2 and state.can_complete_bet_or_raise_to():
                low = state.min_completion_betting_or_raising_to_amount
                high = state.max_completion_betting_or_raising_to_amount
                state.complete_bet_or_raise_to(rng.randint(low, high))
            else:
                state.check_or_call()


def play_openspiel(hands: int) -> None:
    import pyspiel

    game = pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,"
        "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=20000 20000,bettingAbstraction=fcpa)"
    )
    rng = random.Random(0)
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()  # cards are equally likely too, so chance needs no case of its own
            state.apply_action(actions[rng.randrange(len(actions))])
        state.returns()


def run() -> list[dict]:
    """Rows of name, ours, peer (hands per second), ratio and target."""
    measured = rates(
        {
            "state": (play_states, 3_000),
            "batch": (play_batched, 400_000),
            "batch-fcpa": (play_batched_fcpa, 400_000),
            "batch-fcpa-alone": (play_batched_alone, 400_000),
            "pokerkit": (play_pokerkit, 200),
            "openspiel": (play_openspiel, 3_000),
        }
    )
    rows = []
    for name, ours, peer, target in (
        ("State, random hands v PokerKit", "state", "pokerkit", 15),
        ("batched play on all cores v PokerKit", "batch", "pokerkit", 1500),
        ("batched play on all cores v OpenSpiel universal_poker (fcpa)", "batch-fcpa", "openspiel", 80),
        ("batched play on one core v OpenSpiel universal_poker (fcpa)", "batch-fcpa-alone", "openspiel", None),
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
