"""Who sees the cards how: ours (U), the opponent's where it chooses for itself (R), and those of its model (M).

Bard 2016, section 2.4 and chapter 4. Every seat is solved for itself, in a game in which only the responder has U. Our
cards make the response stronger, those of the free opponent make it safer, and those of the model say how far
observations are generalised.

In small games cards are told apart in full, or put into percentile buckets (see `kibitz.deals.classes`); what is found
is lifted to all cards and measured there. In hold'em they are perfect-recall card abstractions, and measures are those
of the abstract games: exploitation against M's cards, exploitability by an opponent who has R's.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction
from kibitz.deals import MatrixDeal
from kibitz.deals.classes import StateClasses, merged_deal, percentile_classes
from kibitz.deals.sampled import SampledDeal
from kibitz.errors import KibitzError
from kibitz.files import fingerprint
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import NO_TIES, owner_mask
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import FrequentistModel, Layout, Strategy, realisation
from kibitz.strategy.classes import lifted, summed

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_BUCKETS = re.compile(r"(\d+)-bucket")


class Joint(NamedTuple):
    """A game whose opponent sees all that R and M tell apart.

    model   per round, the state of M that each of the opponent's states is part of
    ties    likewise of R, all rounds end to end; empty where R tells as much as the game
    """

    compiled: VectorGame
    model: tuple[Ints, ...]
    ties: npt.NDArray[np.uint32]


class Roles(ABC):
    """The games that a response is solved and measured in, for each seat of the responder.

    problem  the game that is played, with our cards in hold'em
    home     the layout in which the opponent and its model are given
    played   the layout of the response
    """

    problem: Problem
    home: Layout
    played: Layout

    @property
    def needs_boards(self) -> bool:
        """Whether there is no `joint_game`: data-biased responses are solved on sampled boards."""
        return False

    def on_boards(self, seat: int) -> tuple[SampledGame, CardAbstraction]:
        """U against R for public chance sampling, and the cards of M."""
        raise KibitzError(
            "sampled boards are for hold'em: data-biased responses of small games are solved by cfr or lp"
        )

    @abstractmethod
    def free_game(self, seat: int) -> VectorGame:
        """U against R."""

    @abstractmethod
    def model_game(self, seat: int) -> VectorGame:
        """U against M."""

    @abstractmethod
    def joint_game(self, seat: int) -> Joint:
        """U against an opponent who is held to M where it has data and chooses by R elsewhere."""

    @abstractmethod
    def our_classes(self, seat: int) -> Sequence[Ints]:
        """The state of U, per round, that each state of `played` is part of."""

    @abstractmethod
    def model_classes(self, player: int) -> Sequence[Ints]:
        """The state of M, per round, that each state of `home` is part of."""

    @abstractmethod
    def meeting(self, seat: int, response: Strategy, opponent: Strategy) -> tuple[VectorGame, Floats]:
        """The game in which `seat` of the response is measured against the opponent, and what both play there:
        float64[layout.size].
        """

    def exploitation(self, response: Strategy, opponent: Strategy) -> tuple[float, float]:
        """What each seat of the response wins from the opponent, chips per hand."""
        met = (self.meeting(seat, response, opponent) for seat in range(2))
        first, second = (root_values(game, sigma, np.empty(0), best=False) for game, sigma in met)
        return first[0], second[1]

    @abstractmethod
    def losses(self, response: Strategy) -> tuple[float, float]:
        """What each seat of the response loses to a best response, chips per hand."""

    def model_strategy(self, seat: int, opponent: Strategy) -> Strategy:
        """The opponent of `seat` by M's cards: its probabilities averaged by reach over what M does not tell apart."""
        opponent.layout.check_same(self.home)
        game = self.model_game(seat)
        sums = np.zeros(game.layout.size)
        weights = self._weights(opponent)
        summed(weights, self.home, game.layout, 1 - seat, self.model_classes(1 - seat), sums)
        return Strategy.from_sums(game.layout, sums, opponent.manifest)

    def model_counts(self, seat: int, model: FrequentistModel) -> FrequentistModel:
        """The opponent's counts by M's cards."""
        model.layout.check_same(self.home)
        game = self.model_game(seat)
        counts = np.zeros(game.layout.size)
        summed(model.counts, self.home, game.layout, 1 - seat, self.model_classes(1 - seat), counts)
        return FrequentistModel(game.layout, counts)

    def lift(self, seat: int, values: Floats, layout: Layout, into: Floats) -> None:
        """Write the strategy of `seat`, over a layout with U's states for it, to `into`: float64[played.size]."""
        lifted(values, layout, self.played, seat, self.our_classes(seat), into)

    @abstractmethod
    def _weights(self, opponent: Strategy) -> Floats:
        """How likely chance and the opponent's own choices lead to each of its actions, in proportion."""

    @abstractmethod
    def describe(self) -> dict[str, str]:
        """The cards of the roles by name."""

    @abstractmethod
    def home_problem(self) -> Problem:
        """The problem whose private states or buckets are those of `home`."""


class SmallRoles(Roles):
    """Roles in a game whose private states are listed; names are "" for all of them, or such as 5-bucket."""

    def __init__(self, problem: Problem, ours: str = "", free: str = "", model: str = "") -> None:
        self.problem, self.names = problem, (ours, free, model)
        for name in self.names:
            _bucket_count(name)
        self.home = self.played = problem.vector.layout
        self._games: dict[tuple[str, ...], VectorGame] = {}

    def describe(self) -> dict[str, str]:
        return {role: name for role, name in zip(("ours", "free", "model"), self.names, strict=True) if name}

    def home_problem(self) -> Problem:
        return self.problem

    @property
    def home_deal(self) -> MatrixDeal:
        """The deal of the states of `home`."""
        return self.problem.deal

    def free_game(self, seat: int) -> VectorGame:
        return self._game(seat, self.names[0], (self.names[1],))

    def model_game(self, seat: int) -> VectorGame:
        return self._game(seat, self.names[0], (self.names[2],))

    def joint_game(self, seat: int) -> Joint:
        ours, free, model = self.names
        choice, forced = (self._classes((name,), 1 - seat) for name in (free, model))
        is_enough = bool((choice.joined(forced).counts == choice.counts).all())
        names = (free,) if is_enough else (free, model)
        finest = self._classes(names, 1 - seat)
        ties = NO_TIES if is_enough else np.concatenate(choice.within(finest)).astype(np.uint32)
        return Joint(self._game(seat, ours, names), forced.within(finest), ties)

    def our_classes(self, seat: int) -> Sequence[Ints]:
        return self._classes((self.names[0],), seat).of

    def model_classes(self, player: int) -> Sequence[Ints]:
        return self._classes((self.names[2],), player).of

    def meeting(self, seat: int, response: Strategy, opponent: Strategy) -> tuple[VectorGame, Floats]:
        opponent.layout.check_same(response.layout)
        mine = owner_mask(response.layout, seat)
        return self.problem.vector, np.where(mine, response.values, opponent.values)

    def losses(self, response: Strategy) -> tuple[float, float]:
        first, second = root_values(self.problem.vector, response.values, np.empty(0), best=True)
        return second, first  # what seat 1 wins by its best response is what seat 0 loses

    def _weights(self, opponent: Strategy) -> Floats:
        if not self.names[2]:
            return opponent.values  # nothing is averaged
        deal, layout = self.home_deal, self.home
        weights = realisation(opponent, deal)
        chances = [[each.margin(each.weight, p) for p in range(2)] for each in deal.rounds]
        for node in layout.tree.decisions.tolist():
            block = weights[layout.offset[node] : layout.offset[node + 1]]
            block *= np.tile(
                chances[int(layout.tree.round[node])][int(layout.tree.player[node])], int(layout.tree.children[node])
            )
        return weights

    def _game(self, seat: int, ours: str, theirs: tuple[str, ...]) -> VectorGame:
        """The game in which `seat` has the cards `ours`, the other all that `theirs` tell apart together."""
        if not ours and "" in theirs:
            return self.problem.vector
        key = (str(seat), ours, *theirs)
        if key not in self._games:
            mine, other = self._classes((ours,), seat), self._classes(theirs, 1 - seat)
            self._games[key] = self._merged((mine, other) if seat == 0 else (other, mine))
        return self._games[key]

    def _merged(self, classes: tuple[StateClasses, StateClasses]) -> VectorGame:
        """The game in which the players see these classes of cards."""
        cards = fingerprint(self.problem.deal.fingerprint, *map(np.concatenate, (classes[0].of, classes[1].of)))
        return VectorGame(self.problem.tree, merged_deal(self.problem.deal, classes, cards))

    @lru_cache(maxsize=16)  # noqa: B019 - a few, and they go with their games
    def _classes(self, names: tuple[str, ...], player: int) -> StateClasses:
        deal = self.problem.deal
        if "" in names:  # which tells all apart
            return StateClasses.all(deal, player)
        found, *others = (percentile_classes(deal, player, _bucket_count(name)) for name in names)
        for each in others:
            found = found.joined(each)
        return found


class BucketRoles(Roles):
    """Roles in hold'em; `problem` has our cards, the others may have other perfect-recall abstractions."""

    def __init__(self, problem: Problem, free: str = "", model: str = "") -> None:
        if len(set(problem.notations)) != 1:
            raise KibitzError(f"the cards {problem.cards_name}: a response has one card abstraction for both seats")
        self.problem, self.ours = problem, problem.notations[0]
        self.free, self.model = free or self.ours, model or self.ours
        self.played, self.home = self._layout(self.ours), self._layout(self.model)

    def describe(self) -> dict[str, str]:
        return {"ours": self.ours, "free": self.free, "model": self.model}

    def home_problem(self) -> Problem:
        return self._with(self.model)

    def free_game(self, seat: int) -> VectorGame:
        return self.problem_of(seat, self.free).vector

    def model_game(self, seat: int) -> VectorGame:
        return self.problem_of(seat, self.model).vector

    @property
    def needs_boards(self) -> bool:
        return self.model != self.free and bool(self.home.counts.max() > 1)

    def on_boards(self, seat: int) -> tuple[SampledGame, CardAbstraction]:
        return self.problem_of(seat, self.free).sampled, self.home_problem().abstractions[0]

    def joint_game(self, seat: int) -> Joint:
        if self.needs_boards:
            raise KibitzError(
                f"a model in {self.model} with a free opponent in {self.free}: games of buckets need the same cards "
                "for both, or a model in one-bucket"
            )
        game = self.free_game(seat)
        states = game.deal.counts[:, 1 - seat]
        same = self.model == self.free
        return Joint(game, tuple(np.arange(n) if same else np.zeros(n, dtype=np.int64) for n in states), NO_TIES)

    def our_classes(self, seat: int) -> Sequence[Ints]:
        return [np.arange(count) for count in self.played.counts[:, seat]]

    def model_classes(self, player: int) -> Sequence[Ints]:
        return [np.arange(count) for count in self.home.counts[:, player]]

    def meeting(self, seat: int, response: Strategy, opponent: Strategy) -> tuple[VectorGame, Floats]:
        game = self.model_game(seat)
        sigma = self._placed(response, seat, game)
        lifted(opponent.values, self.home, game.layout, 1 - seat, self.model_classes(1 - seat), sigma)
        return game, sigma

    def losses(self, response: Strategy) -> tuple[float, float]:
        found = []
        for seat in range(2):
            game = self.free_game(seat)
            sigma = self._placed(response, seat, game)
            found.append(root_values(game, sigma, np.empty(0), best=True)[1 - seat])
        return found[0], found[1]

    def problem_of(self, seat: int, theirs: str) -> Problem:
        """The problem in which `seat` has our cards and the other seat `theirs`."""
        if theirs == self.ours:
            return self.problem
        return self._asymmetric[seat, theirs]

    @cached_property
    def _asymmetric(self) -> dict[tuple[int, str], Problem]:
        problem, found = self.problem, {}
        for theirs in {self.free, self.model} - {self.ours}:
            for seat in range(2):
                cards = (self.ours, theirs) if seat == 0 else (theirs, self.ours)
                found[seat, theirs] = Problem(
                    problem.game, problem.menus, True, cards, problem.boards, problem.seed, problem.betting
                )
        return found

    def _placed(self, response: Strategy, seat: int, game: VectorGame) -> Floats:
        """The response in its seat; the other seat, which is filled in or not looked at, plays nothing."""
        sigma = np.zeros(game.layout.size)
        lifted(response.values, self.played, game.layout, seat, self.our_classes(seat), sigma)
        return sigma

    def _with(self, cards: str) -> Problem:
        """The problem with these cards for both seats."""
        problem = self.problem
        if cards == self.ours:
            return problem
        return Problem(problem.game, problem.menus, True, cards, problem.boards, problem.seed, problem.betting)

    def _layout(self, cards: str) -> Layout:
        deal: SampledDeal = self._with(cards).sampled_deal
        return Layout(self.problem.tree, deal.counts, deal.fingerprint)

    def _weights(self, opponent: Strategy) -> Floats:
        return opponent.values  # they have M's cards already


def make_roles(problem: Problem, ours: str = "", free: str = "", model: str = "") -> Roles:
    """The roles of a problem. `ours` is for small games only: in hold'em they are the problem's cards."""
    check_suitable(problem)
    if problem.cards:
        return BucketRoles(problem, free, model)
    return SmallRoles(problem, ours, free, model)


def check_suitable(problem: Problem) -> None:
    """Refuse problems whose best responses cannot be found."""
    if problem.game.players != 2:
        raise KibitzError(f"responses are for two players, not {problem.game.players}")
    if not problem.is_measurable:
        raise KibitzError(
            f"{problem.cards_name} has imperfect recall or too few rounds: responses need perfect recall, as in "
            "5-bucket, and all four rounds"
        )


def _bucket_count(name: str) -> int:
    """How many buckets a name of a small game's cards means; 0 for all cards."""
    if not name:
        return 0
    if name == "one-bucket":
        return 1
    match = _BUCKETS.fullmatch(name)
    if match is None or not int(match[1]):
        raise KibitzError(f"the cards {name!r}: in small games such as 3-bucket, or none for all cards")
    return int(match[1])
