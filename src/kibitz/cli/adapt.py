"""`kibitz adapt`: agents that adapt to their opponent by choosing among prepared responses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import progress
from kibitz.cli._files import replacing, writing
from kibitz.cli._guests import guests
from kibitz.cli._options import MAX_HANDS, Finite, MatchSeed, cards_option, seed_option
from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.errors import KibitzError
from kibitz.portfolios.plan import ExpertPlan, PortfolioPlan

if TYPE_CHECKING:
    from kibitz.portfolios import Portfolio
    from kibitz.portfolios.tracing import Trace

_THERE = click.Path(path_type=Path, file_okay=False, exists=True)
_JSON = "Print {experts: [...], utilities, curve, ...} as JSON."


@click.group()
def portfolio() -> None:
    """Make agents that adapt: responses prepared for many opponents, mixed at the table by what they would win.

    The folder of a portfolio is an agent for `kibitz match`, `tournament`, `connect` and `play`.
    """


@plan_command(PortfolioPlan, _JSON)
def build(work: Work[PortfolioPlan]) -> None:
    """Print the portfolio as `show_portfolio` does, and who was left out of it."""
    from kibitz.portfolios import load_portfolio

    with guests():
        made = work.made()
    assert made.path is not None
    found, left_out = load_portfolio(made.path), made.made["left out"]
    if work.as_json:
        print_json({**_described(found), "left_out": left_out})
        return
    _print(found)
    if left_out:
        click.echo(f"left out, for they only play: {', '.join(left_out)}")


@plan_command(ExpertPlan, "Print {amount, exploitation, exploitability, ...} as JSON.")
def expert(work: Work[ExpertPlan]) -> None:
    """Print what the response wins and risks."""
    from kibitz.games.stakes import Stake
    from kibitz.portfolios.making import figures

    with guests():
        made = work.made().made
    stake = Stake.of(work.plan.problem.game)
    told = {"amount": made["amount"], **figures(made, stake.milli_per_chip), "unit": stake.unit}
    if work.as_json:
        print_json({"opponent": work.plan.opponent, **told})
        return
    for name, value in told.items():
        click.echo(f"{name:<15} {'–' if value is None else value if isinstance(value, str) else f'{value:.4g}':>10}")


@portfolio.command(short_help="List experts and what they cover.")
@click.argument("folder", type=_THERE)
@click.option("--json", "as_json", is_flag=True, help=_JSON)
def show(folder: Path, as_json: bool) -> None:
    """List the experts of the portfolio in FOLDER, and how much few of them cover.

    Coverage is the mean over the opponents of what the best of the chosen experts wins from each. Experts are chosen
    greedily; ratio compares them with the best choice of that size.
    """
    show_portfolio(folder, "", as_json)


def show_portfolio(folder: Path, _node: str, as_json: bool) -> None:
    """Experts and coverage, as `kibitz show` tells of a portfolio."""
    from kibitz.portfolios import load_portfolio

    _tell_all(load_portfolio(folder), as_json)


def _tell_all(found: Portfolio, as_json: bool) -> None:
    if as_json:
        print_json(_described(found))
        return
    _print(found)


@portfolio.command(short_help="Choose which experts play.")
@click.argument("folder", type=_THERE)
@click.option("--size", type=click.IntRange(1), help="Largest number of experts.  [default: all]")
@click.option(
    "--least-gain",
    default=0.0,
    show_default=True,
    type=Finite(0),
    help="Gain in coverage below which no expert is added, in mbb or milli-antes/hand.",
)
@click.option("--optimal", is_flag=True, help="Try all subsets of that size.")
@click.option("--json", "as_json", is_flag=True, help=_JSON)
def prune(folder: Path, size: int | None, least_gain: float, optimal: bool, as_json: bool) -> None:
    """Let only those experts of the portfolio in FOLDER play that cover its opponents best.

    The others stay in the folder: another call may choose them again.
    """
    from kibitz.portfolios import load_portfolio
    from kibitz.portfolios import prune as choose
    from kibitz.portfolios.files import check_members, let_play

    found = load_portfolio(folder)
    check_members(found)
    if optimal and size is None:
        raise KibitzError("--optimal needs the number of experts: --size")
    pruned = choose(found, size or len(found.experts), least_gain, optimal)
    with writing(folder):
        let_play(pruned)
    _tell_all(pruned, as_json)


@portfolio.command(short_help="Play one match and record the weights.")
@click.argument("agent")
@click.argument("opponent")
@click.option("--hands", default=3000, show_default=True, type=click.IntRange(1, MAX_HANDS), help="Number of hands.")
@seed_option("Seed for the cards and the agents.", MatchSeed())
@cards_option()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for a line of JSON per hand, for `kibitz tournament --trace`.",
)
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="File for a plot of the weights.")
@click.option("--json", "as_json", is_flag=True, help="Print {won, experts: [{name, weight, estimate}]} as JSON.")
def trace(
    agent: str, opponent: str, hands: int, seed: int, cards: str, out: Path | None, plot: Path | None, as_json: bool
) -> None:
    """Play one match of AGENT, a portfolio, against OPPONENT and tell what it learnt.

    Prints the weight of each expert after the last hand, and what the agent makes of it: the estimated winnings of the
    expert, beside what the agent won itself. Settings are appended to the folder, as in portfolio,rate=0.05,share=0.01.
    """
    from kibitz.agents import load_agent
    from kibitz.agents.implicit import ImplicitAgent
    from kibitz.arena.chance import Chance
    from kibitz.portfolios.tracing import gather, plot_weights, to_line, watch

    told = []
    with guests():
        player, rival = load_agent(agent), load_agent(opponent)
        if not isinstance(player, ImplicitAgent):
            raise KibitzError(f"{agent} is no portfolio: make one with `kibitz adapt build`")
        game = player.experts.tree.game
        with progress("hands", hands) as advance:
            for step, _names in watch(player, rival, game, hands, Chance(seed, cards)):
                told.append(step)
                advance(1)
    found = gather(told, player.experts.names, game)
    if out is not None:
        with replacing(out) as file:
            match = {"agent": player.name, "opponent": rival.name, "game": game.name}
            file.writelines(to_line(step, found.names, **match) + "\n" for step in told)
    if plot is not None:
        with writing(plot):
            plot_weights(found, plot, f"{player.name} against {rival.name}")
    final = player.weights(0)
    _tell(found, final.tolist(), (player.name, rival.name), as_json)


def _described(found: Portfolio) -> dict[str, Any]:
    from kibitz.portfolios import coverage_curve

    return {
        "unit": found.unit,
        "experts": list(found.experts),
        "playing": list(found.playing),
        "utilities": found.utilities.tolist(),
        "half_widths": found.half_widths.tolist(),
        "curve": [each._asdict() | {"gain": None if each.size == 1 else each.gain} for each in coverage_curve(found)],
    }


def _print(found: Portfolio) -> None:
    from kibitz.portfolios import coverage_curve
    from kibitz.strategy.files import of_which_game

    width = max(len("expert"), *map(len, found.names))
    click.echo(f"{'expert':<{width}}  plays  exploitation  exploitability")
    for each in found.experts:
        plays = "yes" if each["name"] in found.playing else "no"
        risk = "–" if each["exploitability"] is None else f"{each['exploitability']:z.1f}"
        mark = "*" if _warning(each) else " "
        click.echo(f"{each['name']:<{width}}  {plays:>5}{each['exploitation']:>z14.1f}{mark}{risk:>15}")
    click.echo(f"\nsize  {'added':<{width}}      coverage      gain  ratio")
    for step in coverage_curve(found):
        gain = f"{step.gain:>z10.1f}" if step.size > 1 else " " * 10
        ratio = "–" if step.ratio is None else f"{step.ratio:.3f}"
        click.echo(f"{step.size:>4}  {step.expert:<{width}}{step.coverage:>z14.1f}{gain}{ratio:>7}")
    seats = "all" if any(each["exploitability"] is None for each in found.experts) else "both"
    doubt = f", by sampled hands, ± {found.half_widths.max():.1f} at most" if found.half_widths.any() else ""
    of_which = of_which_game(found.path / found.experts[0]["folder"])
    risk = f"; exploitability{of_which}" if of_which and seats == "both" else ""
    click.echo(folded(f"{found.unit}, means of {seats} seats{doubt}{risk}"))
    for each in found.experts:
        if warning := _warning(each):
            click.echo(folded(f"* Warning, {each['name']}: {warning}."))


def _warning(expert: dict[str, Any]) -> str | None:
    """What is said of an expert whose opponent is a model with little data."""
    told: str | None = expert.get("imputation", {}).get("warning")
    return told


def _tell(found: Trace, final: list[float], players: tuple[str, str], as_json: bool) -> None:
    rates = found.rates()
    if as_json:
        rows = [
            {"name": name, "weight": weight, "estimate": rates[name].mean, "half_width": rates[name].half_width}
            for name, weight in zip(found.names, final, strict=True)
        ]
        won = {"won": found.rate.mean, "half_width": found.rate.half_width, "unit": found.rate.unit}
        won |= {"reward_unit": found.unit}
        print_json({"agent": players[0], "opponent": players[1], "hands": len(found.won), **won, "experts": rows})
        return
    width = max(len("expert"), *map(len, found.names))
    click.echo(f"{'expert':<{width}}  weight  estimated winnings")
    for name, weight in zip(found.names, final, strict=True):
        click.echo(f"{name:<{width}}{weight:>8.3f}  {rates[name]}")
    click.echo(f"{players[0]} won {found.rate} from {players[1]} in {len(found.won):,} hands")
    click.echo(f"rewards are counted in {found.unit}")


for command in (build, expert):
    portfolio.add_command(command)
