"""`kibitz lbr`: a lower bound on an agent's exploitability."""

from __future__ import annotations

from time import perf_counter

import click

from kibitz.cli._bars import progress
from kibitz.cli._guests import guests
from kibitz.cli._options import seed_option
from kibitz.cli._output import print_json


@click.command()
@click.argument("agent")
@click.option("--game", help="Game, by name or file.  [default: that of AGENT's folder, else holdem-nolimit-2p]")
@click.option("--boards", default=200, show_default=True, type=click.IntRange(2), help="Number of sampled boards.")
@click.option("--sizes", default="fcpa", show_default=True, help="Menu of the responder, such as '0.5, 1, 2'.")
@click.option(
    "--call-until",
    default=0,
    show_default=True,
    type=click.IntRange(0, 4),
    help="First round in which the responder may bet or fold, counted from 0; in earlier rounds it only calls.",
)
@seed_option("Seed for sampling boards; the same boards for every agent.")
@click.option("--json", "as_json", is_flag=True, help="Print {agent, mean, half_width, boards, ...} as JSON.")
def lbr(agent: str, game: str | None, boards: int, sizes: str, call_until: int, seed: int, as_json: bool) -> None:
    """Estimate a lower bound on AGENT's exploitability by local best response.

    AGENT is the folder of a strategy (append options to its name, as in FOLDER,mapping=det-geo), a file of cases, a
    frequency agent such as always-call, or a rule agent such as tight-passive. The responder knows AGENT's strategy
    with every hand, but not its cards or its sampled actions, and looks one bet ahead. Each sampled board sums over all
    hands and all betting, in both seats.
    """
    import numpy as np

    from kibitz.agents.registry import game_of_agents, load_agent
    from kibitz.policy import policy_of
    from kibitz.responses.local import local_samples
    from kibitz.responses.real.value import ExpectedValue

    with guests():
        (rules, game), known, start = game_of_agents(game, [agent]), load_agent(agent), perf_counter()
    samples = []
    with progress(f"local best response to {known.name}", boards) as advance:
        for sample in local_samples(policy_of(known), rules, boards, seed, sizes, call_until):
            samples.append(sample)
            advance(1)
    found = ExpectedValue(np.array(samples), np.ones(boards), rules.big_blind)
    seconds = perf_counter() - start
    if as_json:
        print_json(
            {
                "agent": known.name,
                "game": game,
                "mean": found.mbb(found.chips),
                "half_width": found.mbb(found.half_width),
                "seats": [found.mbb(chips) for chips in found.seats],
                "unit": "mbb/hand",
                "boards": boards,
                "sizes": sizes,
                "call_until": call_until,
                "seed": seed,
                "seconds": seconds,
            }
        )
        return
    click.echo(f"{known.name} loses at least {found}")
    click.echo(f"seed {seed}, {game}, {seconds:.1f} s")
