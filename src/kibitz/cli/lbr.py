"""`kibitz lbr`: a lower bound on how much an agent can be beaten by."""

from __future__ import annotations

from time import perf_counter

import click

from kibitz.cli._bars import progress
from kibitz.cli._guests import guests
from kibitz.cli._options import seed_option
from kibitz.cli._output import print_json
from kibitz.games import load_game


@click.command()
@click.argument("agent")
@click.option("--game", default="holdem-nolimit-2p", show_default=True, help="Name or game definition file.")
@click.option("--boards", default=200, show_default=True, type=click.IntRange(2), help="Boards that are drawn.")
@click.option("--sizes", default="fcpa", show_default=True, help="Bet sizes that are tried, as in a menu: '0.5, 1, 2'.")
@click.option("--calm-rounds", default=0, show_default=True, type=click.IntRange(0, 4), help="Rounds to only call in.")
@seed_option("Seed of the boards, the same ones for every agent.")
@click.option("--json", "as_json", is_flag=True, help="Print {agent, mean, half_width, boards, ...} as JSON.")
def lbr(agent: str, game: str, boards: int, sizes: str, calm_rounds: int, seed: int, as_json: bool) -> None:
    """Print what a local best response wins against AGENT: AGENT is at least so exploitable.

    AGENT is the folder of a strategy, with settings or without, or an agent of fixed frequencies such as always-call or
    of rules such as tight-passive. The responder knows AGENT's probabilities with every hand, not its cards or dice,
    and looks one bet ahead. On each board all hands and all betting are summed, in both seats.
    """
    import numpy as np

    from kibitz.agents import load_agent
    from kibitz.policy import policy_of
    from kibitz.solvers.real.local import local_samples
    from kibitz.solvers.real.value import ExpectedValue

    with guests():
        rules, known, start = load_game(game), load_agent(agent), perf_counter()
    samples = []
    with progress(f"local best response to {known.name}", boards) as advance:
        for sample in local_samples(policy_of(known), rules, boards, seed, sizes, calm_rounds):
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
                "calm_rounds": calm_rounds,
                "seed": seed,
                "seconds": seconds,
            }
        )
        return
    click.echo(f"{known.name} loses at least {found}")
    click.echo(f"seed {seed}, {game}, {seconds:.1f} s")
