"""`kibitz portfolio`: agents that adapt to their opponent by choosing among prepared responses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import progress
from kibitz.cli._files import folder_for, replacing, saving, writing
from kibitz.cli._guests import guests
from kibitz.cli._options import MAX_HANDS, Finite, MatchSeed, Share, cards_option, is_given, seed_option
from kibitz.cli._output import folded, print_json
from kibitz.cli._problem import abstraction_options, of_which_game
from kibitz.cli._sampling import check_players, make_sampling, sampling_options
from kibitz.errors import KibitzError
from kibitz.files import locked
from kibitz.training.responding import BELIEVED

if TYPE_CHECKING:
    from kibitz.portfolios import Portfolio, PortfolioPlan
    from kibitz.portfolios.tracing import Trace
    from kibitz.solvers.problem import Problem

AMOUNTS = {"rnr": "p", "dbr": "p_max"}
_FOLDER = click.Path(path_type=Path, file_okay=False)
_THERE = click.Path(path_type=Path, file_okay=False, exists=True)


@click.group()
def portfolio() -> None:
    """Make agents that adapt: responses prepared for many opponents, mixed at the table by what they would win.

    The folder of a portfolio is an agent for `kibitz match`, `tournament`, `connect` and `play`.
    """


@portfolio.command(short_help="Compute responses to opponents.")
@click.argument("opponents", nargs=-1)
@click.option("--pool", type=_THERE, help="Folder of a pool, whose members are opponents too.")
@click.option("--out", required=True, type=_FOLDER, help="Folder for the portfolio; experts that are there are kept.")
@click.option(
    "--game", help="Game, by name or file.  [default: that of the opponents that are folders; leduc if none is]"
)
@abstraction_options
@click.option("--method", type=click.Choice(list(AMOUNTS)), default="rnr", show_default=True, help="Kind of responses.")
@click.option("--p", type=Share(), help="Probability that the opponent plays the model (rnr).  [default: 0.5]")
@click.option(
    "--p-max", type=Share(), help="Largest probability, at any infoset, that it does so (dbr).  [default: 0.5]"
)
@click.option("--target", type=Finite(0), help="Exploitability of every response, in mbb or milli-antes/hand.")
@click.option("--observe", type=click.IntRange(1, MAX_HANDS), help="Observe each opponent for this many hands (dbr).")
@click.option(
    "--iterations",
    type=click.IntRange(1),
    help="Number of iterations.  [default: 2000; 100000 with three or more players]",
)
@sampling_options
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Number of processes.")
@seed_option("Seed for observed hands, sampled boards and card abstractions.")
@click.option("--json", "as_json", is_flag=True, help="Print {experts: [...], utilities, curve, ...} as JSON.")
def build(opponents: tuple[str, ...], pool: Path | None, out: Path, as_json: bool, **options: Any) -> None:
    """Compute a robust response to each of OPPONENTS, and what every response wins from every opponent.

    An opponent is an agent, or the folder of a strategy or model; NAME=OPPONENT names it. Agents that only play, such
    as one that changes its style, cannot be responded to: of a pool they are left out. To resume an interrupted run,
    give the same command again.

    Opponents must bet as the menu says. For one that makes other bets, log a match with it and give a model of those
    hands: `kibitz model build --menu` translates its bets.

    With three or more players the opponent sits in all other seats, responses are found and measured by sampling, and
    the portfolio does not learn at the table: it plays a fixed mixture of its experts.
    """
    from kibitz.parallel import InProcess, Processes
    from kibitz.portfolios import build_portfolio, load_portfolio
    from kibitz.portfolios.build import steps

    with guests():
        chosen, left_out = _opponents(opponents, pool)
        problem = _problem(chosen, options)
        check_players(problem.game.players, ("target", "observe", "boards"))
        plan = _plan(problem, chosen, options)
        executor = Processes(options["workers"]) if options["workers"] > 1 else InProcess()
        with folder_for(out), locked(out), progress("responses", steps(plan)) as advance:
            for _name in saving(out, build_portfolio(plan, out, executor)):
                advance(1)
    found = load_portfolio(out)
    if as_json:
        print_json({**_described(found), "left_out": left_out})
        return
    _print(found)
    if left_out:
        click.echo(f"left out, for they only play: {', '.join(left_out)}")


@portfolio.command(short_help="List experts and what they cover.")
@click.argument("folder", type=_THERE)
@click.option("--json", "as_json", is_flag=True, help="Print {experts: [...], utilities, curve, ...} as JSON.")
def show(folder: Path, as_json: bool) -> None:
    """List the experts of the portfolio in FOLDER, and how much few of them cover.

    Coverage is the mean over the opponents of what the best of the chosen experts wins from each. Experts are chosen
    greedily; ratio compares them with the best choice of that size.
    """
    from kibitz.portfolios import load_portfolio

    found = load_portfolio(folder)
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
@click.option("--json", "as_json", is_flag=True, help="Print {experts: [...], utilities, curve, ...} as JSON.")
def prune(folder: Path, size: int | None, least_gain: float, optimal: bool, as_json: bool) -> None:
    """Let only those experts of the portfolio in FOLDER play that cover its opponents best.

    The others stay in the folder: another call may choose them again.
    """
    from kibitz.portfolios import load_portfolio
    from kibitz.portfolios import prune as choose
    from kibitz.portfolios.files import check_members

    found = load_portfolio(folder)
    check_members(found)
    if optimal and size is None:
        raise KibitzError("--optimal needs the number of experts: --size")
    pruned = choose(found, size or len(found.experts), least_gain, optimal)
    with writing(folder):
        pruned.save()
    if as_json:
        print_json(_described(pruned))
        return
    _print(pruned)


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
            raise KibitzError(f"{agent} is no portfolio: make one with `kibitz portfolio build`")
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


def _opponents(opponents: tuple[str, ...], pool: Path | None) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """(name, agent) of those who can be responded to, and the names of those of a pool who cannot."""
    from kibitz.agents import absolute_agent, load_agent
    from kibitz.plans import kind_of
    from kibitz.policy import known_policy
    from kibitz.pools import load_pool

    found: list[tuple[str, str]] = []
    left_out: list[str] = []
    for text in opponents:
        name, equals, agent = text.partition("=")
        if not equals or "," in name or ":" in name:  # settings of an agent have that too
            name, agent = "", text
        folder = Path(agent.partition(",")[0])
        own = folder.resolve().name if kind_of(folder) == "model" else load_agent(agent).name
        found.append((name or own, absolute_agent(agent)))
    for member in load_pool(pool) if pool is not None else []:
        if kind_of(Path(member.agent)) == "model" or known_policy(load_agent(member.agent)) is not None:
            found.append((member.name, absolute_agent(member.agent)))
        else:
            left_out.append(member.name)
    return tuple(found), left_out


def _problem(opponents: tuple[tuple[str, str], ...], options: dict[str, Any]) -> Problem:
    """The game of the options or of the folders among the opponents, all of which must have its bets.

    Without --game models come first: their cards are those of the responses.
    """
    from kibitz.strategy import FrequentistModel
    from kibitz.training.opponents import Against, Asked, check_own_bets, choose_problem, load_known

    known = {name: load_known(text) for name, text in opponents}
    folders = {name: found for name, found in known.items() if found is not None}
    brought = {name: found for name, found in folders.items() if isinstance(found, FrequentistModel)} | folders
    game = options["game"] or (None if brought else "leduc")
    said = {name: options[name] for name in ("menus", "suits", "cards", "boards") if is_given(name)}
    problem = choose_problem(Asked(game, seed=options["seed"], **said), brought)
    for name, found in brought.items():
        check_own_bets(name, Against(problem, found), "" if game else next(iter(brought)))
    return problem


def _plan(problem: Problem, opponents: tuple[tuple[str, str], ...], options: dict[str, Any]) -> PortfolioPlan:
    from kibitz.games.stakes import Stake
    from kibitz.portfolios import PortfolioPlan
    from kibitz.responses.robust import Method
    from kibitz.responses.robust.methods import Solving

    name, target = options["method"], options["target"]
    given = [key for key in ("p", "p_max") if options[key] is not None]
    if wrong := [key for key in given if key != AMOUNTS[name]]:
        raise KibitzError(f"--{wrong[0].replace('_', '-')} is not for {name}")
    if given and target is not None:
        raise KibitzError(f"--target tunes --{given[0].replace('_', '-')}: give one of them")
    amount = options[given[0]] if given else BELIEVED
    chips = None if target is None else target / Stake.of(problem.game).milli_per_chip
    solving = Solving(iterations=options["iterations"] or Solving.iterations)
    sampling = make_sampling(options) if problem.game.players > 2 else None
    if options["observe"] and name != "dbr":
        raise KibitzError(f"--observe is for dbr, not {name}")
    method, seed = Method(name, amount), options["seed"]
    return PortfolioPlan(problem, opponents, method, solving, chips, seed, options["observe"] or 0, sampling)


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
    of_which = of_which_game(found.folder / found.experts[0]["folder"])
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
