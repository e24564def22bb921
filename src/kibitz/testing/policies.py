"""The contract of policies: what is said of a player is what it does.

>>> check_policy("always-call", games=["leduc"], hands=5)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from kibitz.agents import Agent, load_agent
from kibitz.arena.match import AgentSpec, make_agent
from kibitz.errors import AgentError
from kibitz.games import Deal, Game, State, deal_hands, load_game
from kibitz.modelling.estimators.moves import find_move, moves_of
from kibitz.policy import Policy, policy_of
from kibitz.policy.base import Cards, Floats, free_hands
from kibitz.policy.strengths import all_hands
from kibitz.random import derive_seed

DEFAULT_GAMES = ("kuhn", "leduc", "leduc-nolimit", "holdem-limit-2p", "holdem-nolimit-2p")
OPPONENTS = ("example-player", "always-raise", "always-call")
MOST_HANDS = 40  # looked at in a state
ASKED_AGAIN = 4  # states of a game in which the agent is asked with many seeds
CLOSE = 1e-9


def check_policy(
    spec: AgentSpec,
    games: Sequence[str | Game] | None = None,
    hands: int = 20,
    draws: int = 400,
    seed: int = 0,
) -> None:
    """Raise AssertionError, with a sentence, unless the policy of an agent keeps its contract.

    - In every state that the agent meets, all actions are legal, each is named once, single ones first.
    - Probabilities are float64[actions, hands], not negative, and sum to 1 for every hand that shares no card with the
      board; they are 0 for the others. What else is asked, and the cards of the state, make no difference.
    - The agent never does what its policy gives no chance. Where it acts first in a hand it does everything about as
      often as that says, over `draws` seeds.

    spec    a name for `load_agent`, or anything that makes a new agent when called
    games   names or games that the agent plays; by default those of `DEFAULT_GAMES` that it does
    hands   how many it plays of each game
    """
    agent, checked = make_agent(spec), 0
    for each in DEFAULT_GAMES if games is None else games:
        game = load_game(each) if isinstance(each, str) else each
        try:
            policy = policy_of(agent, game)
        except AgentError:
            if games is not None:
                raise
            continue
        checked += 1
        made = list(_decisions(agent, game, hands, seed))
        for state, action in made:
            _check_state(policy, state, action, seed)
        for state in [state for state, _action in made if not _has_acted(state)][:ASKED_AGAIN]:
            _check_frequencies(agent, policy, state, draws, seed)
    assert checked, f"{agent.name} has a policy in none of {', '.join(DEFAULT_GAMES)}: name the games"


def _decisions(agent: Agent, game: Game, hands: int, seed: int) -> Iterator[tuple[State, str]]:
    """What an agent of the same kind meets, and does: it changes seats, and plays with those of `OPPONENTS`."""
    others = [load_agent(name) for name in OPPONENTS]
    for number, player in enumerate([agent, *others]):
        player.reset(game, derive_seed(seed, number))
    for number, deal in enumerate(islice(deal_hands(game, seed), hands)):
        state, position, made = State.start(game, deal), number % game.players, []
        while not state.finished:
            if state.player == position:
                seen = state.seen_by(position)
                action = agent.act(seen)
                made.append((seen, action))
            else:
                other = others[(number // game.players + state.player) % len(others)]
                action = other.act(state.seen_by(state.player))
            state = state.apply(action)
        for player in (agent, *others):
            player.observe(state.seen_by(position), position)
        yield from made


def _check_state(policy: Policy, state: State, action: str, seed: int) -> None:
    where, legal = f"{policy.name} in {state}", state.legal()
    actions = policy.actions(state)
    single = [each.text for each in actions if each.sizes is None]
    assert len(set(actions)) == len(actions), f"{where}: {actions} names an action twice"
    assert [each.sizes is None for each in actions[: len(single)]] == [True] * len(single), f"{where}: {actions}"
    for each in actions:
        texts = [each.text] if each.sizes is None else [f"r{size}" for size in each.sizes]
        assert all(text in legal for text in texts), f"{where}: {each} is not legal; legal are {legal}"
    hands = _some_hands(state, seed)
    found = policy.probabilities(state, hands, state.board)
    _check_probabilities(where, found, (len(actions), len(hands)), free_hands(hands, state.board))
    alone = policy.probabilities(state, hands[:1], state.board)
    assert np.allclose(alone, found[:, :1], atol=CLOSE), f"{where}: other hands change what is said of a hand"
    hidden = state._replace(deal=Deal(((),) * state.game.players, state.board))
    unseen = policy.probabilities(hidden, hands, state.board)
    assert np.array_equal(unseen, found), f"{where}: the cards of the state change what is said of other hands"
    made = find_move(moves_of(policy, state, hands[:1], state.board), action)
    assert made is not None, f"{where}: the agent does {action}, which its policy gives no chance"


def _check_probabilities(where: str, found: Floats, shape: tuple[int, int], free: np.ndarray) -> None:
    assert found.shape == shape, f"{where}: probabilities of shape {found.shape}, not {shape}"
    assert found.dtype == np.float64, f"{where}: probabilities of type {found.dtype}, not float64"
    assert np.isfinite(found).all(), f"{where}: probabilities that are not finite"
    assert (found >= 0).all(), f"{where}: a probability of {found.min()}"
    sums = found.sum(axis=0)
    assert np.allclose(sums[free], 1, atol=CLOSE), f"{where}: probabilities sum to {sums[free]}"
    assert not sums[~free].any(), f"{where}: hands that share a card with the board have probabilities"


def _some_hands(state: State, seed: int) -> Cards:
    """The hand of the player to act first, and then some of all, those that the board blocks among them."""
    hands = all_hands(state.game)
    if len(hands) > MOST_HANDS:
        hands = hands[np.random.default_rng(seed).choice(len(hands), MOST_HANDS, replace=False)]
    own = sorted(state.hole[state.player]) or hands[0].tolist()
    blocked = [sorted((card, *own[1:])) for card in state.board[:1] if card not in own]
    return np.concatenate([np.array([own, *blocked], dtype=np.uint8), hands])


def _has_acted(state: State) -> bool:
    """Whether the player to act has acted before in the hand."""
    return any(real.player == state.player for real, _action in state.past())


def _check_frequencies(agent: Agent, policy: Policy, state: State, draws: int, seed: int) -> None:
    """The agent, with many seeds, against its policy: five standard deviations and one are allowed."""
    hand = _some_hands(state, seed)[:1]
    moves = moves_of(policy, state, hand, state.board)
    counts: Counter[int] = Counter()
    for number in range(draws):
        agent.reset(state.game, derive_seed(seed, 1, number))
        action = agent.act(state)
        made = find_move(moves, action)
        assert made is not None, f"{policy.name} in {state}: the agent does {action}, which its policy gives no chance"
        counts[moves.index(made)] += 1
    for number, move in enumerate(moves):
        chance = float(move.chances[0])
        allowed = 5 * np.sqrt(draws * chance * (1 - chance)) + 1
        assert abs(counts[number] - draws * chance) <= allowed, (
            f"{policy.name} in {state}: {move.action} in {counts[number]} of {draws} hands, at {chance:.4f} a hand"
        )
