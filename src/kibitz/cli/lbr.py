"""`kibitz lbr`: a lower bound on how much an agent can be beaten by."""

from __future__ import annotations

from time import perf_counter

import click

from kibitz.cli._output import print_json, progress
from kibitz.games import load_game

PIECE = 20  # deals played between two movements of the bar


@click.command()
@click.argument("agent")
@click.option("--game", default="holdem-nolimit-2p", show_default=True, help="Name or game definition file.")
@click.option("--hands", default=1000, show_default=True, type=click.IntRange(2), help="Deals, each in both seatings.")
@click.option("--sizes", default="fcpa", show_default=True, help="Bet sizes that are tried, as in a menu: '0.5, 1, 2'.")
@click.option("--calm-rounds", default=0, show_default=True, type=click.IntRange(0, 4), help="Rounds to only call in.")
@click.option("--seed", default=0, show_default=True, help="Seed of cards and of the agent.")
@click.option("--json", "as_json", is_flag=True, help="Print {agent, mean, half_width, hands, ...} as JSON.")
def lbr(agent: str, game: str, hands: int, sizes: str, calm_rounds: int, seed: int, as_json: bool) -> None:
    """Play a local best response against AGENT and print what it wins: AGENT is at least so exploitable.

    AGENT is the folder of a strategy, with settings or without, or an agent of fixed frequencies such as always-call.
    The responder knows AGENT's probabilities with every hand, not its cards or dice, and looks one bet ahead.
    """
    from kibitz.agents import load_agent
    from kibitz.agents.views import view_of
    from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
    from kibitz.arena.statistics import Moments, Stake, win_rate
    from kibitz.solvers.real.local import LocalBestResponder

    rules = load_game(game)
    responder = LocalBestResponder(view_of(load_agent(agent)), sizes, calm_rounds)
    known = load_agent(agent)
    moments, start = Moments(), perf_counter()
    with progress(f"local best response to {known.name}", hands) as advance:
        for number, first in enumerate(range(0, hands, PIECE)):
            deals = min(PIECE, hands - first)
            match = DuplicateMatch(rules, (lambda: responder, lambda: known), deals, seed, number)
            moments += play_duplicate(match)[0]
            advance(deals)
    estimate = win_rate(moments, Stake.of(rules), hands_per_sample=2)
    seconds = perf_counter() - start
    if as_json:
        print_json(
            {
                "agent": known.name,
                "game": game,
                "mean": estimate.mean,
                "half_width": estimate.half_width,
                "unit": estimate.unit,
                "hands": 2 * hands,
                "sizes": sizes,
                "calm_rounds": calm_rounds,
                "seed": seed,
                "seconds": seconds,
            }
        )
        return
    click.echo(f"{known.name} loses at least {estimate}")
    click.echo(f"{2 * hands:,} hands ({hands:,} deals in both seatings), seed {seed}, {game}, {seconds:.1f} s")
