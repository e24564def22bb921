"""The agent: a mixture of whole strategies, whose weights a bandit moves after every hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kibitz.agents.base import Named
from kibitz.agents.implicit.learning import Learner, Learning
from kibitz.agents.strategic import draw_action
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.games.stakes import Stake
from kibitz.modelling.estimators import Choice, Experts, Played
from kibitz.policy.base import Floats
from kibitz.policy.mixtures import MixturePolicy
from kibitz.random import Dice
from kibitz.translation import Tracker, TreePlace, write


class HandReport(NamedTuple):
    """What an agent did and learnt in a hand.

    hand       its number, from 0
    position   of the agent in it
    weights    : float64[experts], by which it played
    estimates  : float64[experts], what each expert would have won, in `unit`; nan where unknown
    won        what it won itself, in `unit`
    unit       big blinds, or antes
    """

    hand: int
    position: int
    weights: Floats
    estimates: Floats
    won: float
    unit: str


class Shares(NamedTuple):
    """What the experts contributed to a decision.

    names    of the experts
    weights  : float64[experts], how much each counted: by its weight, and by the chance that it would have come here
    actions  as they are played, one for each choice of the betting tree
    chances  : float64[experts, actions], what each does with the hand
    """

    names: tuple[str, ...]
    weights: Floats
    actions: tuple[str, ...]
    chances: Floats


class ImplicitAgent(Named):
    """Plays the mixture of `experts`: as if one of them were drawn for each hand, unseen by all, and played it through.

    Within a hand, expert k counts by its weight times the chance that its own actions led here (sequence form):

        s(a | I) = sum_k w_k pi_k(I) s_k(a | I) / sum_k w_k pi_k(I)

    watch   is told a `HandReport` after every hand
    """

    def __init__(self, experts: Experts, learning: Learning | None = None, name: str = "implicit") -> None:
        self.experts, self.learning, self.name = experts, learning or Learning(), name
        self.watch: Callable[[HandReport], None] | None = None
        game = experts.tree.game
        if game.players > 2 and self.learning.bandit != "static":
            raise AgentError(
                f"{self.learning.bandit} with {game.players} players: what an expert would have won is estimated "
                "against one opponent; with more, a portfolio is static"
            )
        self._learner(game)  # settings that the experts cannot have are refused now

    def _learner(self, game: Game) -> Learner:
        most = float(self.experts.tree.spent.max()) + max(game.antes_paid)
        return self.learning.learner(self.experts, Stake.of(game).milli_per_chip / 1000, most)

    def plays(self, game: Game) -> bool:
        """Whether `game` is the one of its experts, whatever it is called."""
        return self.experts.policies[0].plays(game)

    def reset(self, game: Game, seed: int) -> None:
        try:
            self.experts.check(game)
        except AgentError as error:
            raise AgentError(f"an expert of {self.name} cannot play: {error}") from None
        first = self._learner(game)
        others = (self._learner(game) if self.learning.seats == "each" else first for _seat in range(1, game.players))
        self.learners = (first, *others)
        self._dice = Dice(seed)
        root = self.experts.policies[0].root
        self._tracker = Tracker(root, self.experts.policies[0].reading, self._dice.uniform)
        self._unit = Stake.of(game).name
        self._hand = 0
        self._begun = False
        self._choices: list[Choice] = []
        self._reach: Floats = np.ones(len(self.experts))  # weights times chances of own actions so far
        self._decided: dict[str, tuple[TreePlace, Floats]] = {}  # place and reach of the hand's decisions, by betting

    def act(self, state: State) -> str:
        seat = state.player
        if not self._begun:
            self._begin(seat)
        place = self._tracker.catch_up(state)
        if place is None:
            return "c"
        assert isinstance(place, TreePlace)
        chances = self.experts.of_hand(place.node, state.hole[seat], state.board)
        number = draw_action((self._reach @ chances).tolist(), self._dice.uniform())
        folded = -state.spent[seat] - state.game.antes_paid[seat] if place.call and state.legal().fold else None
        self._choices.append(Choice(place.node, number, state.round, None if folded is None else float(folded)))
        self._decided[state.history] = place, self._reach
        self._reach = self._reach * chances[:, number]
        action = write(place, number, state)
        self._tracker.choose(action, number)
        return action

    def observe(self, state: State, position: int) -> None:
        if self._begun or not _acted(state, position):  # otherwise somebody else has played the hand
            self._learn(state, position)
        self._choices, self._begun = [], False
        self._decided = {}
        self._hand += 1
        self._dice.next_hand()
        self._tracker.restart()

    def _learn(self, state: State, position: int) -> None:
        if not self._begun:
            self._begin(position)
        learner = self.learners[position]
        weights = learner.weights
        learner.learn(Played(state, position, self._choices))
        if self.watch is not None:
            won = learner.unit * float(state.returns()[position])
            self.watch(HandReport(self._hand, position, weights, learner.estimates, won, self._unit))

    def weights(self, position: int = 0) -> Floats:
        """The weights of the next hand in `position`: float64[experts]."""
        return self.learners[position].weights.copy()

    def mixture(self, position: int = 0) -> MixturePolicy:
        """What it does in its next hand in `position`, as a policy: it learns, so that this one ends with the hand."""
        return MixturePolicy(self.experts.policies, self.weights(position).tolist(), self.name)

    def explain(self, state: State) -> Shares:
        """Why it acted as it did in `state`, a decision that it has taken in the present hand."""
        if state.history not in self._decided:
            raise AgentError(f"{self.name} has taken no decision after {state.history!r} in this hand")
        place, reach = self._decided[state.history]
        chances = self.experts.of_hand(place.node, state.hole[state.player], state.board)
        actions = tuple(write(place, number, state) for number in range(chances.shape[1]))
        return Shares(self.experts.names, reach / reach.sum(), actions, chances)

    def _begin(self, seat: int) -> None:
        """The first word of a hand: the learner may choose its expert, and all experts start at the root."""
        self._begun = True
        self.learners[seat].begin(self._dice.uniform)
        self._reach = np.array(self.learners[seat].weights)


def _acted(state: State, position: int) -> bool:
    """Whether the player in `position` has taken an action in a hand that is over."""
    return any(real.player == position for real, _action in state.past())
