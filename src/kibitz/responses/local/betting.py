"""The betting of a round between a responder and an agent: laid out once, looked at on every board."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.games import State
from kibitz.policy.base import Floats
from kibitz.policy.beliefs import Belief, Transition, Uniform
from kibitz.tree.menus import Menu, offered

Ints = npt.NDArray[np.int64]
START = -1, -2  # node and option of one who has decided nothing yet
LAST = 3  # round


@dataclass(frozen=True)
class Settings:
    """How the responder plays: its menu, the first round in which it may bet or fold, and the agent's seat."""

    menu: Menu
    call_until: int
    agent: int

    def is_compared(self, round_: int) -> bool:
        """Whether hands are compared on the board of a round, all cards to come looked at.

        Before the flop it costs nothing. Before `call_until` there is little to compare: who is all-in waits.
        """
        return round_ in (0, LAST) or round_ >= self.call_until


class AgentDecision(NamedTuple):
    """A decision of the agent: row `first` and those after it come of `row`.

    update       what the responder's actions since that row make of the agent's hypotheses; None: nothing
    transitions  for each new row, how many hypotheses it has and how they come about
    """

    row: int
    update: Floats | None
    first: int
    transitions: list[tuple[int, list[Transition]]]


class Closing(NamedTuple):
    """The agent's row with which a round ends, the update of its belief since, and where the next one begins."""

    row: int
    update: Floats | None
    root: Root


@dataclass(eq=False)
class Root:
    """A point of the betting at which a round begins, or at which nobody can bet any more."""

    state: State
    belief: Belief
    round: int
    settings: Settings
    uniform: Uniform

    @cached_property
    def tree(self) -> RoundTree:
        """The betting of the round from here on."""
        return _Growing(self).tree()


@dataclass(frozen=True, eq=False)
class RoundTree:
    """The betting of a round. A *row* is what the agent has done in it, row 0 nothing; an *option* is something that
    the responder may do at a *node*.

    rows      how many
    steps     the agent's decisions, in the order of rows
    nodes     : int64[n, 5]    the agent's row; node and option before; first option, how many
    fold_rows : int64[o]       row in which the agent folds to an option, -1 where it does not
    prices    : float64[o, 4]  chips that an option is believed to be worth: for every hand of the agent that is met,
                               for every one of lead over them, and the same for hands of the fold row
    leaves    : int64[e, 4]    ends of the round: node and option before, the agent's row, the closing or -1
    chips     : float64[e, 2]  what they are worth, for every hand met and for every one of lead
    closings  what the next round begins with
    """

    rows: int
    steps: list[AgentDecision]
    nodes: Ints
    fold_rows: Ints
    prices: Floats
    leaves: Ints
    chips: Floats
    closings: list[Closing]


class _Point(NamedTuple):
    """Where a growing tree stands: the agent's row, the update of its belief since, and the responder's last option."""

    state: State
    belief: Belief
    row: int
    update: Floats | None
    before: tuple[int, int]


@dataclass
class _Growing:
    """The lists of a `RoundTree` while they grow."""

    root: Root
    rows: int = 1
    steps: list[AgentDecision] = field(default_factory=list)
    nodes: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    fold_rows: list[int] = field(default_factory=list)
    prices: list[tuple[float, float, float, float]] = field(default_factory=list)
    leaves: list[tuple[int, int, int, int]] = field(default_factory=list)
    chips: list[tuple[float, float]] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)

    def tree(self) -> RoundTree:
        self._grow(_Point(self.root.state, self.root.belief, 0, None, START))
        return RoundTree(
            self.rows,
            self.steps,
            np.array(self.nodes, dtype=np.int64).reshape(-1, 5),
            np.array(self.fold_rows, dtype=np.int64),
            np.array(self.prices, dtype=np.float64).reshape(-1, 4),
            np.array(self.leaves, dtype=np.int64).reshape(-1, 4),
            np.array(self.chips, dtype=np.float64).reshape(-1, 2),
            self.closings,
        )

    def _grow(self, point: _Point) -> dict[str, int]:
        """Follow what can happen; where the agent acts next, its rows by action come back."""
        state, settings, round_ = point.state, self.root.settings, self.root.round
        waits = state.showdown and not settings.is_compared(round_)
        if state.finished and not waits:
            self._end(point, -1, _chips(state, settings.agent))
        elif waits or state.round != round_:
            self._end(point, len(self.closings), (0.0, 0.0))
            root = Root(state, point.belief, round_ + 1, settings, self.root.uniform)
            self.closings.append(Closing(point.row, point.update, root))
        elif state.player == settings.agent:
            return self._answer(point)
        else:
            self._choose(point)
        return {}

    def _end(self, point: _Point, closing: int, chips: tuple[float, float]) -> None:
        self.leaves.append((*point.before, point.row, closing))
        self.chips.append(chips)

    def _answer(self, point: _Point) -> dict[str, int]:
        state, first = point.state, self.rows
        answers = point.belief.answers(state, self.root.uniform)
        self.rows += len(answers)
        transitions = [(answer.belief.hypotheses, list(answer.transitions)) for answer in answers]
        self.steps.append(AgentDecision(point.row, point.update, first, transitions))
        rows = {answer.action: row for row, answer in enumerate(answers, first)}
        for answer in answers:
            self._grow(_Point(state.apply(answer.action), answer.belief, rows[answer.action], None, point.before))
        return rows

    def _choose(self, point: _Point) -> None:
        state, update = point.state, point.update
        options = options_of(state, self.root.settings)
        node, first = len(self.nodes), len(self.prices)
        self.nodes.append((point.row, *point.before, first, len(options)))
        self.prices.extend(_price(state, action) for action in options)
        self.fold_rows.extend([-1] * len(options))
        for option, action in enumerate(options, first):
            belief, matrix = point.belief.update(state, action)
            both = update if matrix is None else matrix if update is None else np.asarray(matrix @ update)
            rows = self._grow(_Point(state.apply(action), belief, point.row, both, (node, option)))
            if action[0] == "r":
                self.fold_rows[option] = rows.get("f", -1)


def _chips(state: State, agent: int) -> tuple[float, float]:
    """What the end of a hand is worth to the responder, as in `RoundTree.chips`."""
    ante = state.game.antes_paid[0]
    if state.showdown:
        return 0.0, float(min(state.spent) + ante)
    loser = 0 if state.folded & 1 else 1
    lost = float(state.spent[loser] + ante)
    return (lost if loser == agent else -lost), 0.0


def options_of(state: State, settings: Settings) -> list[str]:
    """What the responder looks at; of equals it takes the first."""
    if state.round < settings.call_until:
        return ["c"]
    folding = ["f"] if state.legal().fold and state.to_call > 0 else []
    return [*folding, "c", *(action for action, _limited in offered(settings.menu, state, ()))]


def _price(state: State, action: str) -> tuple[float, float, float, float]:
    """What an action is worth if nobody bets after it and its answer, as in `RoundTree.prices`; folding is worth 0.

    Of T hands met and a lead of U over them, let F and G be those that fold to a bet. Then (T - F + U - G) / 2 are
    beaten, who pay the pot and their call, (T - F - U + G) / 2 are lost to, and F give up the pot.
    """
    if action == "f":
        return 0.0, 0.0, 0.0, 0.0
    p = state.player
    mine, theirs = (
        min(state.apply(action).spent[p], state.game.limits[1 - p]),
        state.spent[1 - p],
    )  # the rest comes back
    won = state.pot + (mine - theirs if action[0] == "r" else min(mine - theirs, 0))
    paid = mine - state.spent[p]
    met, lead = (won - paid) / 2, (won + paid) / 2
    return met, lead, state.pot - met, -lead
