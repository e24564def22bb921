"""`kibitz cluster`: opponents that one response beats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from kibitz.cli._bars import stages
from kibitz.cli._files import folder_for, write_whole, writing
from kibitz.cli._guests import guests
from kibitz.cli._options import is_given, seed_option
from kibitz.cli._output import folded, print_json
from kibitz.errors import AgentError, KibitzError
from kibitz.files import is_empty, locked, plain
from kibitz.games import load_game
from kibitz.progress import Progress

if TYPE_CHECKING:
    from kibitz.games.stakes import Stake
    from kibitz.responses.averages import AverageOracle
    from kibitz.responses.clusters import StrategyOracle
    from kibitz.solvers.problem import Problem

SEATS = {"both": (0, 1), "0": (0,), "1": (1,)}
METHODS = ("greedy", "coverage", "k-means")
SHOWN = 16  # rows of the curve
PAIR_BYTES = 32  # per infoset-action pair and opponent: its strategy, its plan, the sums of clusters and of pairs
Ints = npt.NDArray[np.int64]


@click.command()
@click.argument("opponents", nargs=-1, required=True)
@click.option("--game", help="Game, by name or file.  [default: that of the first OPPONENT that is a folder]")
@click.option("--k", type=click.IntRange(1), help="Number of clusters to list.")
@click.option("--method", type=click.Choice(METHODS), default="greedy", show_default=True, help="How to cluster.")
@click.option(
    "--seat",
    type=click.Choice([*SEATS]),
    default="both",
    show_default=True,
    help="Seat in which the opponents play; the response has the other.",
)
@seed_option("Seed for the starts of k-means.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="New folder for the response to each cluster, an agent, and clusters.json (with --k).",
)
@click.option("--json", "as_json", is_flag=True, help="Print {losses, clusters: [{members, won, loss}]} as JSON.")
def cluster(
    opponents: tuple[str, ...],
    game: str | None,
    k: int | None,
    method: str,
    seat: str,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Cluster OPPONENTS so that one best response suits each cluster (decision-theoretic clustering).

    OPPONENTS are folders of strategies or models, agents such as always-call, or one folder of a pool. A pool's members
    that change during a match are left out.

    greedy merges the two clusters that cost the least, again and again; coverage chooses among the best responses to
    single opponents; k-means looks at the distance of strategies only. Prints what the responses win and what is lost
    against responding to each opponent alone, means over opponents in milli-antes or milli-big-blinds per hand.

    In games larger than Leduc, greedy takes a best response for every two opponents; coverage takes one for each.
    """
    if out is not None and k is None:
        raise KibitzError("--out writes the responses to clusters: give their number with --k")
    if is_given("seed") and method != "k-means":
        raise KibitzError(f"--seed is for --method k-means: {method} leaves nothing to chance")
    with guests(), folder_for(out), locked(out), stages() as tell:
        if out is not None and not is_empty(out):
            raise KibitzError(f"{out} is not empty: choose another folder")
        chosen = _load(opponents, game, tell)
        if k is not None and k > len(chosen.names):
            raise KibitzError(f"--k {k}: there are {len(chosen.names)} opponents")
        found = _cluster(chosen, SEATS[seat], (method, seed), tell)
        document = {"method": method, "seat": seat, **found.describe(k)}
        if out is not None and k is not None:
            _save(out, found, k, document)
    if as_json:
        print_json(document)
        return
    _print(found, k, chosen.left_out)


class _Chosen(NamedTuple):
    """Who is clustered: strategies float64[m, layout.size] of one problem; those that could not be are left out."""

    problem: Problem
    names: list[str]
    values: npt.NDArray[np.float64]
    left_out: list[str]


class _Found(NamedTuple):
    """Partitions into every number of clusters."""

    game: StrategyOracle | AverageOracle
    names: list[str]
    stake: Stake
    partitions: dict[int, Ints]

    def won(self, k: int) -> npt.NDArray[np.float64]:
        """Chips per hand from each cluster, summed over its members, float64[clusters]."""
        from kibitz.clustering import cluster_sums

        oracle = self.game.oracle
        return oracle.values(cluster_sums(oracle.statistics, self.partitions[k]))

    def describe(self, k: int | None) -> dict[str, Any]:
        """What is printed, as plain values."""
        scale, count = self.stake.milli_per_chip, len(self.names)
        alone = self.game.oracle.values(self.game.oracle.statistics)
        won = {number: scale * float(self.won(number).sum()) / count for number in self.partitions}
        whole = scale * float(alone.sum()) / count
        document: dict[str, Any] = {
            "unit": self.stake.unit,
            "opponents": count,
            "won": {str(number): each for number, each in won.items()},
            "losses": {str(number): max(whole - each, 0.0) for number, each in won.items()},
        }
        if k is None:
            return document
        labels, clusters = self.partitions[k], []
        for number, total in enumerate(self.won(k)):
            members = np.flatnonzero(labels == number)
            each = scale * float(total) / len(members)
            loss = scale * float(alone[members].mean()) - each
            names = [self.names[member] for member in members]
            clusters.append({"members": names, "won": each, "loss": max(loss, 0.0)})
        return {**document, "k": k, "clusters": clusters}


def _load(opponents: tuple[str, ...], game: str | None, tell: Progress) -> _Chosen:
    """The opponents as strategies of one game."""
    from kibitz.agents import load_agent
    from kibitz.policy import policy_of
    from kibitz.responses.clusters import check_suitable
    from kibitz.responses.robust.opponents import opponent_strategy
    from kibitz.solvers.problem import Problem
    from kibitz.training.memory import check_response_memory

    pooled, members = _members(opponents)
    problem = Problem(load_game(game)) if game is not None else _problem(members)
    check_suitable(problem)
    check_response_memory(problem, PAIR_BYTES * len(members))
    problem.prepare(1, tell)
    names, values, left_out = [], [], []
    for name, text in members:
        try:
            policy = policy_of(load_agent(text), problem.game)
        except AgentError:
            if not pooled:
                raise
            left_out.append(name)
            continue
        names.append(name)
        values.append(opponent_strategy(policy, problem).values)
    if not names:
        raise KibitzError(f"{opponents[0]}: none of its members can be clustered, all change or only play")
    return _Chosen(problem, names, np.array(values, dtype=np.float64), left_out)


def _members(opponents: tuple[str, ...]) -> tuple[bool, list[tuple[str, str]]]:
    """Whether that is a pool, and names and agents of all."""
    from kibitz.pools.make import MANIFEST, load_pool
    from kibitz.strategy import find_strategy

    pools = [each for each in opponents if (Path(each) / MANIFEST).is_file()]
    if not pools:
        texts = [str(find_strategy(each)) if Path(each).is_dir() else each for each in opponents]
        return False, list(zip(opponents, texts, strict=True))
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


def _cluster(chosen: _Chosen, seats: tuple[int, ...], how: tuple[str, int], tell: Progress) -> _Found:
    """Partitions into every number of clusters; `how` is the method and the seed of k-means."""
    from kibitz.clustering import METHODS as BY_ORACLE
    from kibitz.clustering import by_distance
    from kibitz.games.stakes import Stake
    from kibitz.responses.averages import AverageOracle
    from kibitz.responses.clusters import StrategyOracle, has_small_form

    kind = StrategyOracle if has_small_form(chosen.problem) else AverageOracle
    game: StrategyOracle | AverageOracle = kind(chosen.problem.vector, chosen.values, seats)
    numbers, (method, seed) = range(1, len(chosen.names) + 1), how
    if method == "k-means":
        partitions = by_distance(game.points, numbers, seed)
    else:
        partitions = BY_ORACLE[method](game.oracle, numbers, tell)
    return _Found(game, chosen.names, Stake.of(chosen.problem.game), partitions)


def _save(out: Path, found: _Found, k: int, document: dict[str, Any]) -> None:
    """The response to each cluster as an agent, and what was found."""
    from kibitz.clustering import cluster_sums
    from kibitz.strategy import save_strategy

    oracle = found.game.oracle
    plans = oracle.respond(cluster_sums(oracle.statistics, found.partitions[k]))
    for number, (plan, each) in enumerate(zip(plans, document["clusters"], strict=True), 1):
        folder = out / f"response-{number}"
        strategy = found.game.strategy(plan, f"best response to {', '.join(each['members'])}")
        with writing(folder):
            save_strategy(strategy, folder)
        each["agent"] = str(folder)
    write_whole(out / "clusters.json", json.dumps(plain(document), indent=2) + "\n")


def _print(found: _Found, k: int | None, left_out: list[str]) -> None:
    document = found.describe(k)
    click.echo(f"Best responses to clusters of {len(found.names)} opponents, {found.stake.unit}")
    click.echo(f"{'clusters':>8}  {'won':>10}  {'loss':>10}")
    numbers = [number for number in found.partitions if number <= SHOWN or number == k]
    for number in numbers:
        won, loss = document["won"][str(number)], document["losses"][str(number)]
        click.echo(f"{number:>8}  {won:>+10,.1f}  {loss:>10,.1f}")
    if len(numbers) < len(found.partitions):
        click.echo(f"     ...  --json has all {len(found.partitions)}")
    for number, each in enumerate(document.get("clusters", []), 1):
        lead = f"{number:>3}  won {each['won']:+,.1f}, loss {each['loss']:,.1f}: "
        click.echo(folded(", ".join(each["members"]), 5, lead))
    if left_out:
        click.echo(folded(f"Left out, because they change or only play: {', '.join(left_out)}"))
