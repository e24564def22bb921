"""`kibitz opponents cluster`: opponents that one response beats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from kibitz.cli._guests import guests
from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.pools.clusters import ClusterPlan, load_clusters

SHOWN = 16  # rows of the curve


@plan_command(ClusterPlan, "Print {losses, clusters: [{members, won, loss}]} as JSON.")
def cluster(work: Work[ClusterPlan]) -> None:
    """Print the clusters as `show_clusters` does."""
    with guests():
        made = work.made()
    _print(made.about if made.path is None else load_clusters(made.path), work.as_json)


def show_clusters(folder: Path, _node: str, as_json: bool) -> None:
    """What was found, as `kibitz show` tells of it."""
    _print(load_clusters(folder), as_json)


def _print(found: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({name: value for name, value in found.items() if name != "left out"})
        return
    count, k = found["opponents"], found.get("k")
    click.echo(f"Best responses to clusters of {count} opponents, {found['unit']}")
    click.echo(f"{'clusters':>8}  {'won':>10}  {'loss':>10}")
    numbers = [number for number in range(1, count + 1) if number <= SHOWN or number == k]
    for number in numbers:
        won, loss = found["won"][str(number)], found["losses"][str(number)]
        click.echo(f"{number:>8}  {won:>+10,.1f}  {loss:>10,.1f}")
    if len(numbers) < count:
        click.echo(f"     ...  --json has all {count}")
    for number, each in enumerate(found.get("clusters", []), 1):
        lead = f"{number:>3}  won {each['won']:+,.1f}, loss {each['loss']:,.1f}: "
        click.echo(folded(", ".join(each["members"]), 5, lead))
    if found["left out"]:
        click.echo(folded(f"Left out, because they change or only play: {', '.join(found['left out'])}"))
