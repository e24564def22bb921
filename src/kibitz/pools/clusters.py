"""Clustering opponents, those of a pool among them, so that one best response suits each cluster: the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError, KibitzError
from kibitz.games import load_game
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, kind_of, read_manifest, setting
from kibitz.pools.plan import KIND as POOL
from kibitz.pools.plan import load_pool

if TYPE_CHECKING:
    from kibitz.responses.averages import AverageOracle
    from kibitz.responses.clusters import StrategyOracle
    from kibitz.solvers.problem import Problem

KIND = "clusters"
SEATS = {"both": (0, 1), "0": (0,), "1": (1,)}
PAIR_BYTES = 32  # per infoset-action pair and opponent: its strategy, its plan, the sums of clusters and of pairs


@dataclass(frozen=True)
class ClusterPlan(Plan):
    """Cluster OPPONENTS so that one best response suits each cluster (decision-theoretic clustering).

    OPPONENTS are folders of strategies or models, agents such as always-call, or one folder of a pool. A pool's members
    that change during a match are left out.

    greedy merges the two clusters that cost the least, step by step; coverage chooses among the best responses to
    single opponents; k-means looks at the distance of strategies only. Prints what the responses win and what is lost
    against responding to each opponent alone, means over opponents in milli-antes or milli-big-blinds per hand.

    In games larger than Leduc, greedy takes a best response for every two opponents; coverage takes one for each.

    With --out and --k, the response to each cluster is kept in a folder of its own; it is an agent.
    """

    kind: ClassVar[str] = "opponents cluster"

    opponents: tuple[str, ...] = setting(help="Opponents", argument=True, input="agent")
    game: str | None = setting(
        None, "Game, by name or file", unsaid="that of the first of OPPONENTS that is a folder", input="game"
    )
    k: int | None = setting(None, "Number of clusters to list", at_least=1)
    method: Literal["greedy", "coverage", "k-means"] = setting("greedy", "How to cluster")
    seat: Literal["both", "0", "1"] = setting("both", "Seat in which the opponents play; the response has the other")
    seed: int | None = setting(None, "Seed for the starts of k-means", unsaid="0", at_least=0, at_most=2**64 - 1)

    def begin(self, means: Means = HERE) -> ClusterRun:
        if self.seed is not None and self.method != "k-means":
            raise KibitzError(f"--seed is for --method k-means: {self.method} leaves nothing to chance")
        chosen = choose(self.opponents, self.game, means)
        if self.k is not None and self.k > len(chosen.names):
            raise KibitzError(f"--k {self.k}: there are {len(chosen.names)} opponents")
        return ClusterRun(self, chosen, means)


class Chosen(NamedTuple):
    """Who is clustered: strategies float64[m, layout.size] of one problem; those that could not be are left out."""

    problem: Problem
    names: list[str]
    values: npt.NDArray[np.float64]
    left_out: list[str]


class ClusterRun:
    """One step: partitions into every number of clusters, int64[numbers, opponents]."""

    def __init__(self, plan: ClusterPlan, chosen: Chosen, means: Means) -> None:
        from kibitz.responses.averages import AverageOracle
        from kibitz.responses.clusters import StrategyOracle, has_small_form

        self.plan, self.chosen, self.means = plan, chosen, means
        kind = StrategyOracle if has_small_form(chosen.problem) else AverageOracle
        seats = SEATS[plan.seat]
        self.game: StrategyOracle | AverageOracle = kind(chosen.problem.vector, chosen.values, seats)
        self.partitions = np.zeros((0, len(chosen.names)), dtype=np.int64)

    @property
    def done(self) -> int:
        """Numbers of clusters."""
        return len(self.partitions)

    def step(self) -> Report | None:
        """All of it; an interruption finds nothing half-made."""
        from kibitz.clustering import METHODS, by_distance

        numbers = range(1, len(self.chosen.names) + 1)
        if self.done:
            return None
        with self.means.interruptible():
            if self.plan.method == "k-means":
                found = by_distance(self.game.points, numbers, self.plan.seed or 0)
            else:
                found = METHODS[self.plan.method](self.game.oracle, numbers, self.means.tell)
        self.partitions = np.array([found[number] for number in numbers], dtype=np.int64)
        return Report(self.done, self.done, "clusters")

    def arrays(self) -> Mapping[str, Any]:
        return {"partitions": self.partitions}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.partitions = arrays["partitions"]

    def won(self, k: int) -> npt.NDArray[np.float64]:
        """Chips per hand from each cluster, summed over its members, float64[clusters]."""
        from kibitz.clustering import cluster_sums

        oracle = self.game.oracle
        return oracle.values(cluster_sums(oracle.statistics, self.partitions[k - 1]))

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """What the responses win; with a folder, the responses to so many clusters as parts of it."""
        from kibitz.games.stakes import Stake

        stake, count, k = Stake.of(self.chosen.problem.game), len(self.chosen.names), self.plan.k
        alone = self.game.oracle.values(self.game.oracle.statistics)
        won = {each: stake.milli_per_chip * float(self.won(each).sum()) / count for each in range(1, count + 1)}
        whole = stake.milli_per_chip * float(alone.sum()) / count
        about: dict[str, Any] = {
            "method": self.plan.method,
            "seat": self.plan.seat,
            "unit": stake.unit,
            "opponents": count,
            "won": {str(number): each for number, each in won.items()},
            "losses": {str(number): max(whole - each, 0.0) for number, each in won.items()},
        }
        parts: list[str] = []
        if k is not None:
            about |= {"k": k, "clusters": self._clusters(k, alone, stake.milli_per_chip)}
            parts = self._save(k, about["clusters"])
        made = {"opponents": count, **({"won": won[k], "loss": about["losses"][str(k)]} if k is not None else {})}
        arrays = {"partitions": self.partitions}
        return Artefact(KIND, about | {"left out": self.chosen.left_out}, made, arrays, parts=parts)

    def _clusters(self, k: int, alone: npt.NDArray[np.float64], scale: float) -> list[dict[str, Any]]:
        """Members of each cluster, what its response wins from each of them, and what is lost for it."""
        found = []
        for number, total in enumerate(self.won(k)):
            members = np.flatnonzero(self.partitions[k - 1] == number)
            each = scale * float(total) / len(members)
            loss = scale * float(alone[members].mean()) - each
            names = [self.chosen.names[member] for member in members]
            found.append({"members": names, "won": each, "loss": max(loss, 0.0)})
        return found

    def _save(self, k: int, clusters: list[dict[str, Any]]) -> list[str]:
        """The response to each cluster, an agent; the names of their folders."""
        from kibitz.clustering import cluster_sums
        from kibitz.strategy import save_strategy

        if self.means.folder is None:
            return []
        oracle, names = self.game.oracle, []
        plans = oracle.respond(cluster_sums(oracle.statistics, self.partitions[k - 1]))
        for number, (plan, each) in enumerate(zip(plans, clusters, strict=True), 1):
            names.append(f"response-{number}")
            strategy = self.game.strategy(plan, f"best response to {', '.join(each['members'])}")
            save_strategy(strategy, self.means.folder / names[-1])
            each["agent"] = f"./{names[-1]}"
        return names


def choose(opponents: Sequence[str], game: str | None, means: Means) -> Chosen:
    """The opponents as strategies of one game."""
    from kibitz.agents import load_agent
    from kibitz.policy import policy_of
    from kibitz.responses.clusters import check_suitable
    from kibitz.responses.robust.opponents import opponent_strategy
    from kibitz.solvers.problem import Problem
    from kibitz.training.memory import check_response_memory

    is_pool, members = _members(opponents)
    problem = Problem(load_game(game)) if game is not None else _problem(members)
    check_suitable(problem)
    check_response_memory(problem, PAIR_BYTES * len(members))
    problem.prepare(1, means.tell)
    names, values, left_out = [], [], []
    for name, text in members:
        try:
            policy = policy_of(load_agent(text), problem.game)
        except AgentError:
            if not is_pool:
                raise
            left_out.append(name)
            continue
        names.append(name)
        values.append(opponent_strategy(policy, problem).values)
    if not names:
        raise KibitzError(f"{opponents[0]}: none of its members can be clustered, all change or only play")
    return Chosen(problem, names, np.array(values, dtype=np.float64), left_out)


def _members(opponents: Sequence[str]) -> tuple[bool, list[tuple[str, str]]]:
    """Whether that is a pool, and names and agents of all."""
    pools = [each for each in opponents if kind_of(Path(each)) == POOL]
    if not pools:
        return False, [(each, each) for each in opponents]
    if len(opponents) > 1:
        raise KibitzError(f"{pools[0]} is a pool: give it alone, or strategies and agents one by one")
    return True, [(member.name, member.agent) for member in load_pool(Path(pools[0]))]


def _problem(members: list[tuple[str, str]]) -> Problem:
    """The game of the first folder among them."""
    from kibitz.training.opponents import game_missing, load_known, own_problem

    for _name, text in members:
        known = load_known(text)
        if known is not None:
            return own_problem(known)
    raise game_missing()


def load_clusters(folder: Path) -> dict[str, Any]:
    """What was found, as `kibitz opponents cluster` prints it; agents lie in `folder`."""
    about: dict[str, Any] = read_manifest(folder, KIND)["about"]
    for each in about.get("clusters", ()):
        if "agent" in each:
            each["agent"] = str(folder / each["agent"].removeprefix("./"))
    return about
