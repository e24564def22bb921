"""What agents of the case study win: exactly where nothing learns, by matches where something does.

A hand is played by a mixture of whole strategies, and what it wins is on the average the mixture of what they win.
Given the weights with which an agent came to a hand, and its position, that average is known exactly from the values of
its experts. So matches are counted by it and not by chips: the weights still come from sampled cards, and the luck of
the hands that are counted is gone. Chips are kept beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from kibitz.agents.implicit.cards import listed_cards
from kibitz.agents.implicit.learning import Learning
from kibitz.agents.implicit.tables import Table, stacked
from kibitz.coverage import greedy_cover
from kibitz.deals.bucketed import BucketedDeal
from kibitz.experiments.bard2016.case_players import STATIC, Players, parts_of
from kibitz.experiments.bard2016.case_setting import (
    CANDIDATES,
    CHANGING,
    FULL,
    HALF,
    NAME,
    PARTS,
    SMOKE,
    TEXTBOOK,
    THESIS,
    TUNING,
    CaseSetting,
    label_of,
)
from kibitz.experiments.ledger import Ledger, open_ledger, work_folder
from kibitz.experiments.published import Effort
from kibitz.games import AcpcCards
from kibitz.games.stakes import Stake
from kibitz.plans.artefacts import write_artefact
from kibitz.policy.base import Floats
from kibitz.pools.members import POOLS, Named
from kibitz.pools.plan import BASE
from kibitz.portfolios.files import Portfolio, portfolio_artefact
from kibitz.random import derive_seed
from kibitz.strategy import Strategy

FIRST = 50_000  # number of the first tuning match, so that its cards are others
EQUILIBRIUM = "equilibrium"
A = tuple(each.name for each in POOLS["A"])
B = tuple(each.name for each in POOLS["B"])


class Foe(NamedTuple):
    """An opponent: strategies that play in turn, by name, and the hands after which the next one does."""

    name: str
    parts: tuple[str, ...]
    changes: tuple[int, ...] = ()


class Entry(NamedTuple):
    """An agent that learns: its experts, responses to members of pool A, and how."""

    portfolio: str
    learning: Learning

    @property
    def label(self) -> str:
        return f"{self.portfolio}, {label_of(self.learning)}"


def mimic(name: str) -> str:
    """The mimic of a member of pool A."""
    return f"mimic of {name}"


def held_out() -> list[Foe]:
    """The members of pool B."""
    found = []
    for each in POOLS["B"]:
        names, changes = parts_of(each.kind.agent) if isinstance(each.kind, Named) else ([f"B: {each.name}"], ())
        found.append(Foe(f"B: {each.name}", tuple(names), changes))
    return found


def changing(names: Sequence[str], after: int) -> list[Foe]:
    """Each of some opponents, which becomes the next one after so many hands."""
    following = [*names[1:], names[0]]
    return [Foe(f"{one}, then {two}", (one, two), (after,)) for one, two in zip(names, following, strict=True)]


@dataclass(eq=False)
class Study:
    """All numbers, by name, in a ledger; what is missing is computed with `players`. mbb/hand."""

    setting: CaseSetting
    ledger: Ledger
    players: Players | None = None

    @property
    def _players(self) -> Players:
        assert self.players is not None, "a ledger that is not open computes nothing"
        return self.players

    # Exact values.

    @cached_property
    def _strategies(self) -> dict[str, Callable[[], Strategy]]:
        """Opponents by name; loaded when they are asked for."""
        players = self._players
        found: dict[str, Callable[[], Strategy]] = {}
        for name in A:
            found[mimic(name)] = partial(players.strategy, f"experts/{name}/mimic")
        for member in POOLS["B"]:
            if not isinstance(member.kind, Named):
                found[f"B: {member.name}"] = partial(players.static, "B", member)
        for name in {part for foe in held_out() for part in foe.parts if not part.startswith("B: ")} | set(PARTS):
            found[name] = partial(players.strategy, f"agents/{name}")
        for name in TUNING:
            found[f"tuning: {name}"] = partial(players.tuning, name)
        return found

    def value(self, response: str, opponent: str) -> tuple[float, float]:
        """What a response wins from an opponent in each position; response = a member of A, static or equilibrium."""
        first, second = self.ledger.get(f"{response} against {opponent}", list)
        return first, second

    def measure_values(self, responses: Iterable[str], opponents: Iterable[str]) -> None:
        """Values of many, side by side."""
        known, players, every = self.ledger.found, self._players, list(responses)
        wanted = [each for each in opponents if any(f"{one} against {each}" not in known for one in every)]
        if not wanted:
            return
        ours = {name: self._response(name) for name in every}

        def work(opponent: str) -> None:
            strategy = self._strategies[opponent]()
            for name, response in ours.items():
                if f"{name} against {opponent}" not in known:
                    won = players.roles.exploitation(response, strategy)
                    known[f"{name} against {opponent}"] = tuple(round(players.milli * each, 4) for each in won)

        try:
            players.side_by_side(work, wanted)
        finally:
            self._save()

    def _response(self, name: str) -> Strategy:
        path = f"pool-A/{BASE}" if name == EQUILIBRIUM else f"experts/{name.removeprefix('to ')}/strategy"
        return self._players.strategy(path)

    def _save(self) -> None:
        if self.ledger.path is not None:
            found = self.ledger.found
            self.ledger.found = dict(sorted(found.items()))  # threads end in any order
            self.ledger.save(self.ledger.path)

    # Choices.

    @property
    def singles(self) -> list[str]:
        """The responses to members of pool A."""
        return [f"to {name}" for name in A]

    def utilities(self) -> Floats:
        """What each response wins from each mimic, mean of both positions: float64[mimics, responses]."""
        return np.array([[sum(self.value(one, mimic(name))) / 2 for one in self.singles] for name in A])

    @cached_property
    def chosen(self) -> list[str]:
        """The members of pool A whose responses are the small portfolio, in the order of the greedy choice."""
        return [A[column] for column in greedy_cover(self.utilities(), self.setting.small)]

    def experts(self, portfolio: str) -> list[str]:
        """The responses of a portfolio."""
        return [f"to {name}" for name in (self.chosen if portfolio == "small" else A)]

    def tuned(self, kind: str) -> Learning:
        """The setting of a kind of bandit that wins most on other opponents with the small portfolio."""
        foes = [Foe(f"tuning: {name}", (f"tuning: {name}",)) for name in TUNING]
        return max(CANDIDATES[kind], key=lambda each: self._mean(Entry("small", each), foes, FIRST, 1))

    def tuned_to_changes(self, kind: str) -> Learning:
        """The same on other opponents that change."""
        return max(CHANGING[kind], key=lambda each: self._mean(Entry("small", each), self.tuning_changes, FIRST, 2))

    @property
    def tuning_changes(self) -> list[Foe]:
        return changing([f"tuning: {name}" for name in TUNING], self.setting.hands // 2)

    @property
    def changes(self) -> list[Foe]:
        """Opponents that change: each mimic of the small portfolio becomes the next, and pool A's own one."""
        after = min(HALF, self.setting.hands // 2)
        return [*changing([mimic(name) for name in self.chosen], after), Foe("A: switching", PARTS, (after,))]

    def entries(self) -> dict[str, Entry]:
        """Agents against opponents that do not change, by the name of their row."""
        found = {"small portfolio, Exp3G 0.025": Entry("small", THESIS)}
        found |= {f"small portfolio, {kind}, tuned": Entry("small", self.tuned(kind)) for kind in CANDIDATES}
        found["small portfolio, UCB1 48"] = Entry("small", TEXTBOOK)
        importance = Learning(estimator="importance")
        found["small portfolio, Exp3G by importance sampling"] = Entry("small", importance)
        found["big portfolio, Exp3G 0.025"] = Entry("big", THESIS)
        found["big portfolio, Exp3G, tuned"] = Entry("big", self.tuned("Exp3G"))
        return found

    def changing_entries(self) -> dict[str, Entry]:
        """Agents against opponents that change."""
        found = {"Exp3G 0.025": Entry("small", THESIS)}
        return found | {f"{kind}, tuned": Entry("small", self.tuned_to_changes(kind)) for kind in CHANGING}

    # Matches.

    def count(self, stage: int) -> int:
        """Matches of a stage: 0 the figures, 1 tuning, 2 tuning to changes."""
        return self.setting.matches[stage]

    def won(self, entry: Entry, foe: Foe, first: int = 0, stage: int = 0) -> Floats:
        """Matches of an agent: float64[matches, 4], the expected winnings, chips, and the former before and after the
        middle of the match.
        """
        names = [self._name(entry, foe, first + number) for number in range(self.count(stage))]
        return np.array([self.ledger.get(name, list) for name in names])

    def _mean(self, entry: Entry, foes: Sequence[Foe], first: int, stage: int) -> float:
        return float(np.mean([self.won(entry, foe, first, stage)[:, 0].mean() for foe in foes]))

    @staticmethod
    def _name(entry: Entry, foe: Foe, number: int) -> str:
        return f"{entry.label} v {foe.name}, match {number}"

    def play(self, entries: Iterable[Entry], foes: Sequence[Foe], first: int = 0, stage: int = 0) -> None:
        """All matches that are missing; those with the same cards together."""
        every = list(dict.fromkeys(entries))
        numbers = [
            number
            for number in range(first, first + self.count(stage))
            if any(self._name(one, foe, number) not in self.ledger.found for one in every for foe in foes)
        ]
        if numbers:
            tables = {name: self._table(name) for name in sorted({each.portfolio for each in every})}
            opponents = {foe: np.stack([self._strategies[part]().values for part in foe.parts]) for foe in foes}
            try:
                self._players.side_by_side(lambda number: self._play(every, tables, opponents, number), numbers)
            finally:
                self._save()

    def _table(self, portfolio: str) -> Table:
        """The experts of a portfolio, ready to play."""
        strategies = [self._response(name) for name in self.experts(portfolio)]
        return Table(strategies[0].layout, stacked(strategies))

    def _play(self, entries: list[Entry], tables: dict[str, Table], opponents: dict[Foe, Floats], number: int) -> None:
        """The matches of one number: the same cards for all agents and opponents."""
        players, setting = self._players, self.setting
        problem, path = players.problem, (setting.seed, number)
        deal = problem.sampled_deal
        assert isinstance(deal, BucketedDeal)
        cards = listed_cards(problem.game, deal, setting.hands, AcpcCards(derive_seed(*path)))
        done = {}
        for place, (foe, strategies) in enumerate(opponents.items()):
            seeds = [derive_seed(*path, place, part) for part in range(1 + len(strategies))]
            for entry in entries:
                name = self._name(entry, foe, number)
                if name not in self.ledger.found:
                    seat = number % 2
                    found = tables[entry.portfolio].play(cards, strategies, foe.changes, entry.learning, seeds, seat)
                    expected = self.expected(entry, foe, found.weights, seat)
                    middle, chips = setting.hands // 2, players.milli * found.chips.mean()
                    told = (expected.mean(), chips, expected[:middle].mean(), expected[middle:].mean())
                    done[name] = tuple(round(float(each), 3) for each in told)
        self.ledger.found.update(done)
        players.tell("matches", number, 0)

    def expected(self, entry: Entry, foe: Foe, weights: Floats, seat: int) -> Floats:
        """What every hand of a match wins on the average, given the weights by which it is played: float64[hands]."""
        hands = np.arange(len(weights))
        which = np.searchsorted(np.array(foe.changes), hands, side="right")
        values = np.array([[self.value(one, part) for one in self.experts(entry.portfolio)] for part in foe.parts])
        return np.asarray((weights * values[which, :, (seat - hands) % 2]).sum(axis=1))

    # All of it.

    def run(self) -> None:
        """Compute what is missing; what is most wanted comes first."""
        players = self._players
        players.make_members("A")
        players.make_responses()
        everyone = [*self.singles, EQUILIBRIUM]
        self.measure_values(everyone, [mimic(name) for name in A])
        players.make_static(self.chosen)
        for name in (*A, STATIC):
            self.ledger.found[f"response to {name}"] = tuple(players.told(name))
        everyone.append(f"to {STATIC}")
        self.measure_values(everyone, [name for name in self._strategies if not self._is_held_out(name)])
        tuning = [Foe(f"tuning: {name}", (f"tuning: {name}",)) for name in TUNING]
        self.play([Entry("small", each) for kind in CANDIDATES.values() for each in kind], tuning, FIRST, 1)
        self.play(self.entries().values(), [Foe(mimic(name), (mimic(name),)) for name in A])
        self.play([Entry("small", each) for kind in CHANGING.values() for each in kind], self.tuning_changes, FIRST, 2)
        self.play(self.changing_entries().values(), self.changes)
        self.save_portfolio()
        players.make_members("B")
        self.measure_values(everyone, self._strategies)
        self.play(self.entries().values(), held_out())

    def save_portfolio(self) -> None:
        """Make the folder of the strategies a portfolio: all responses, of which the small one plays."""
        players, experts = self._players, []
        for name in A:
            told, folder = players.told(name), f"experts/{name}"
            experts.append(
                {"name": name, "opponent": name, "folder": f"{folder}/strategy", "mimic": f"{folder}/mimic"}
                | {key: getattr(told, key) for key in ("amount", "exploitation", "exploitability")}
            )
        unit, chosen = Stake.of(players.problem.game).unit, tuple(self.chosen)
        found = portfolio_artefact(Portfolio(tuple(experts), self.utilities(), unit, chosen))
        write_artefact(replace(found, made=self.setting.describe()), players.folder)

    @staticmethod
    def _is_held_out(name: str) -> bool:
        """Whether a strategy comes with pool B, and is not there before."""
        return name.startswith("B: ") or (name not in PARTS and any(name in foe.parts for foe in held_out()))


def study_at(effort: Effort) -> Study:
    """The study of an effort: smoke computes a tiny one, short shows what comes with the package, full computes."""
    setting = SMOKE if effort.preset == "smoke" else replace(FULL, seed=effort.seed)
    ledger = open_ledger("bard2016", NAME, setting.describe(), effort, is_open=effort.preset != "short")
    if not ledger.is_open:
        return Study(setting, ledger)
    return Study(
        setting, ledger, Players(setting, work_folder(effort, effort.preset, NAME), effort.threads, effort.tell)
    )
