"""Matches of an implicit agent played by compiled code, all hands listed: see `_kernels`.

All strategies must be of one layout: of a small game, or, by `Table`, of limit hold'em in buckets. The chips are those
of the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kibitz.agents.base import Agent
from kibitz.agents.implicit.agent import HandReport, ImplicitAgent
from kibitz.agents.implicit.cards import listed_cards
from kibitz.agents.implicit.learning import MONEY, Learning
from kibitz.agents.strategic import StrategyAgent
from kibitz.agents.switching import SwitchingAgent
from kibitz.deals.sampled import ListedDeal
from kibitz.errors import AgentError
from kibitz.games import CardSource, Game
from kibitz.games.stakes import Stake
from kibitz.modelling.estimators import TECHNIQUES, Experts
from kibitz.policy.base import Floats
from kibitz.random import derive_seed
from kibitz.strategy import Layout, Strategy

if TYPE_CHECKING:
    from kibitz.agents.implicit._kernels import Bandit, Cards, TreeArrays


class TableResult(NamedTuple):
    """A match.

    chips      : float64[hands]            what the agent won
    weights    : float64[hands, experts]   by which it played
    estimates  : float64[hands, experts]   what each expert would have won, in units of reward; nan where unknown
    """

    chips: Floats
    weights: Floats
    estimates: Floats


@dataclass(frozen=True, eq=False)
class TableMatch:
    """An implicit agent against strategies, one after the other.

    opponents  : StrategyAgents over the experts' layout
    changes    : hands after which the next one plays
    """

    experts: Experts
    learning: Learning
    opponents: tuple[StrategyAgent, ...]
    changes: tuple[int, ...] = ()

    def play(self, hands: int, cards: CardSource, seeds: Sequence[int], seat: int = 0) -> TableResult:
        """Play a match; seeds = of the agent, and of each opponent's randomness."""
        deal = self.experts.policies[0].states
        assert isinstance(deal, ListedDeal)
        experts = stacked([each.strategy for each in self.experts.policies])
        opponents = np.stack([np.asarray(each.strategy.values, dtype=np.float64) for each in self.opponents])
        table = Table(self.experts.policies[0].strategy.layout, experts)
        listed = listed_cards(self.experts.tree.game, deal, hands, cards)
        return table.play(listed, opponents, self.changes, self.learning, seeds, seat)


class Table(NamedTuple):
    """Experts as the kernel takes them, ready for many matches.

    experts : float64[layout.size, experts]
    """

    layout: Layout
    experts: Floats

    def play(
        self,
        cards: Cards,
        opponents: Floats,
        changes: Sequence[int],
        learning: Learning,
        seeds: Sequence[int],
        seat: int = 0,
    ) -> TableResult:
        """A match with these cards; opponents : float64[n, layout.size], the next one plays after each of `changes`."""
        from kibitz.agents.implicit import _kernels

        hands, count = len(cards.held), self.experts.shape[1]
        found = TableResult(np.empty(hands), np.empty((hands, count)), np.empty((hands, count)))
        _kernels.play(
            _betting(self.layout),
            cards,
            self.experts,
            opponents,
            np.array(changes, dtype=np.int64),
            _bandit(learning, Stake.of(self.layout.tree.game).milli_per_chip / 1000),
            np.array([seed % 2**64 for seed in seeds], dtype=np.uint64),
            seat,
            *found,
        )
        return found


def stacked(strategies: Sequence[Strategy]) -> Floats:
    """Strategies of one layout side by side: float64[size, strategies]."""
    found = np.empty((strategies[0].layout.size, len(strategies)))
    for number, each in enumerate(strategies):
        found[:, number] = each.values
    return found


def table_match(agent: object, opponent: object) -> TableMatch | None:
    """The match of two agents as tables, where both are of that kind; None where they are not."""
    if not isinstance(agent, ImplicitAgent) or not _is_known(agent.learning):
        return None
    opponents: list[object] = [opponent]
    changes: tuple[int, ...] = ()
    if isinstance(opponent, SwitchingAgent):
        opponents, changes = list(opponent.agents), opponent.hands
    chosen = [each for each in opponents if type(each) is StrategyAgent]
    first = agent.experts.policies[0]
    policies = [*agent.experts.policies, *(each.policy for each in chosen)]
    same = {(each.strategy.layout.tree.fingerprint, each.strategy.layout.cards) for each in policies}
    if len(chosen) < len(opponents) or len(same) > 1 or not isinstance(first.states, ListedDeal):
        return None
    game = agent.experts.tree.game
    if game.betting != "limit" or not all(game.sighted) or len(set(game.antes_paid)) > 1:
        return None  # bets may be translated, or results are not symmetric
    return TableMatch(agent.experts, agent.learning, tuple(chosen), tuple(changes))


def can_play(game: Game, agents: Sequence[Agent]) -> bool:
    """Whether an implicit agent and an opponent, one of which may be on either seat, are tables of `game`."""
    if len(agents) != 2 or game.players != 2:
        return False
    matches = [table_match(agents[seat], agents[1 - seat]) for seat in range(2)]
    return any(match is not None and match.experts.policies[0].plays(game) for match in matches)


def play_tables(agents: Sequence[Agent], seeds: Sequence[int], hands: int, cards: CardSource) -> Floats:
    """Net chips of a match between agents that `can_play`: float64[hands, seats]."""
    for seat in range(2):
        match = table_match(agents[seat], agents[1 - seat])
        if match is not None:
            other = seeds[1 - seat]
            of_opponents = [other]
            if isinstance(agents[1 - seat], SwitchingAgent):
                of_opponents = [derive_seed(other, number) for number in range(len(match.opponents))]
            found = match.play(hands, cards, [seeds[seat], *of_opponents], seat)
            _tell(agents[seat], found, seat)
            chips = found.chips
            return np.stack([chips, -chips] if seat == 0 else [-chips, chips], axis=1)
    raise AgentError("these agents are no tables of one small game")


def _tell(agent: Agent, found: TableResult, seat: int) -> None:
    """Tell who watches `agent` the steps of a match that has been played."""
    assert isinstance(agent, ImplicitAgent)
    if agent.watch is None:
        return
    stake = Stake.of(agent.experts.tree.game)
    for hand, (chips, weights, estimates) in enumerate(zip(*found, strict=True)):
        won = float(chips) * stake.milli_per_chip / 1000
        agent.watch(HandReport(hand, (seat + hand) % 2, weights, estimates, won, stake.name))


def _is_known(learning: Learning) -> bool:
    """Whether the kernels have the bandit; a weight that may become 0 needs checks that they do not make."""
    return learning.bandit == "ucb1" or (learning.bandit == "exp3g" and learning.least > 0)


def _bandit(learning: Learning, unit: float) -> Bandit:
    from kibitz.agents.implicit import _kernels

    kind = {"exp3g": _kernels.EXP3G, "ucb1": _kernels.UCB1, "static": _kernels.STATIC}[learning.bandit]
    if learning.rewards == MONEY:
        estimator = _kernels.MONEY
    else:
        technique = TECHNIQUES[learning.rewards]
        estimator = technique.all_cards + 2 * technique.early_folds
    explore = _kernels.FLOOR if learning.explore == "floor" else _kernels.MIX
    return _kernels.Bandit(
        kind,
        learning.rate,
        learning.least,
        explore,
        learning.share,
        learning.discount,
        learning.scale,
        estimator,
        learning.seats == "each",
        unit,
    )


@lru_cache(maxsize=8)
def _betting(layout: Layout) -> TreeArrays:
    from kibitz.agents.implicit import _kernels

    tree = layout.tree
    columns = (tree.kind, tree.player, tree.round, tree.first_child, tree.children)
    folds = np.zeros(len(tree), dtype=np.bool_)
    for node in tree.decisions:
        folds[node] = tree.actions[int(tree.first_child[node])] == "f"
    paid = tree.spent + np.array(tree.game.antes_paid, dtype=np.float64)
    kind, player, round_, first, children = (column.astype(np.int64) for column in columns)
    rest = (folds, paid, tree.stakes, layout.offset, layout.states)
    return _kernels.TreeArrays(kind, player, round_, first, children, *rest)
