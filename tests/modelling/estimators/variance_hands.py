"""Hands for the tests of variance reduction: every one of a small game with its chance, or those of a match."""

from dataclasses import replace
from hashlib import sha256

import numpy as np

from kibitz.agents import load_agent
from kibitz.arena.match import play_match
from kibitz.games import AcpcCards, State, split_actions
from kibitz.games.named import leduc
from kibitz.io.record import HandRecord
from kibitz.modelling.estimators import Hand, moves_of
from kibitz.modelling.estimators.holdings import all_deals, next_boards
from modelling.estimators.listed_value import with_cards
from policy.functions import FunctionPolicy


def small_leduc():
    """Leduc with four cards and one raise a round, so that every hand of it can be looked at."""
    return replace(leduc(), ranks=2, max_raises=(1, 1), name="small")


def number_of(*parts):
    """A number from 0 to 1 that depends on `parts` in no simple way."""
    return int.from_bytes(sha256(repr(parts).encode()).digest()[:6], "big") / 2**48


def random_policy(seed):
    """A policy that does anything, differently with every hand and history."""

    def chances(state):
        actions = list(state.legal().actions())
        seen = (seed, state.history, state.hole[state.player], state.board)
        weights = [0.05 + number_of(seen, action) for action in actions]
        return {action: weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}

    return FunctionPolicy(chances, f"random {seed}")


def random_value(state, player):
    """A value function that knows nothing."""
    return 20 * number_of(str(state), player) - 10


def every_hand(game, policies):
    """(chance, hand) of every hand when the seats play `policies`."""

    def go(state, hole, board, chance, actions):
        end = game.board_ends[state.round]
        if len(board) < end:
            boards = next_boards(game, hole, board, end)
            for each in boards.tolist():
                yield from go(state, hole, tuple(each), chance / len(boards), actions)
        elif state.finished:
            dealt = with_cards(state, hole, np.array(board, dtype=np.uint8))
            yield chance, Hand(game, dealt.deal, actions, dealt.returns())
        else:
            for move in moves_of(policies[state.player], state, hole[None, state.player], board):
                yield from go(state.apply(move.action), hole, board, chance * move.chances[0], (*actions, move.action))

    holes = all_deals(game).holes
    for hole in holes:
        yield from go(State.start(game), hole, (), 1 / len(holes), ())


def mean_and_variance(weighted):
    """Of (chance, number) pairs."""
    chances, numbers = map(np.array, zip(*weighted, strict=True))
    mean = chances @ numbers
    return mean, chances @ (numbers - mean) ** 2


def played_hands(game, agents, hands, seed=1):
    """[(hand, {position: number of the agent})] of a match."""
    found = []

    def keep(number, state):
        deal = state.deal._replace(board=state.board)
        seats = {(agent - number) % game.players: agent for agent in range(game.players)}
        found.append((Hand(game, deal, split_actions(state.history), state.returns()), seats))

    made = [load_agent(agent) if isinstance(agent, str) else agent for agent in agents]
    play_match(game, made, range(7, 7 + game.players), hands, AcpcCards(seed), witness=keep)
    return found


def records_of(game, agents, hands, names=("ann", "bob", "carl")):
    """The hands of a match as a log has them; `names` by agent."""
    found = []
    for number, (hand, seats) in enumerate(played_hands(game, agents, hands)):
        players = tuple(names[seats[seat]] for seat in range(game.players))
        history = State.start(game).play("".join(hand.actions)).history
        found.append(HandRecord(game, str(number), history, hand.deal, players, tuple(hand.result)))
    return found
