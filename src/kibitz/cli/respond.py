"""`kibitz respond`: what beats an opponent, and how safely."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import folder_for, writing
from kibitz.cli._options import MAX_HANDS, Finite, Share, is_given, seed_option
from kibitz.cli._problem import abstraction_options
from kibitz.cli._response_opponents import Against, check_game, check_own_bets, in_game, load_opponent
from kibitz.cli._response_results import AMOUNTS, BELIEVED, Told, tell, tell_curve
from kibitz.cli._sampling import check_players, make_sampling, sampling_options
from kibitz.errors import KibitzError
from kibitz.files import is_empty, locked

if TYPE_CHECKING:
    from kibitz.responses.robust import Method, Response
    from kibitz.responses.robust.fronts import Point
    from kibitz.responses.robust.roles import Roles
    from kibitz.responses.robust.runs import Campaign
    from kibitz.solvers.problem import Problem

METHODS = ("fbr", "rnr", "dbr", "eps-safe")
ALGORITHMS = ("auto", "lp", "cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+", "pcs")
TWO_ONLY = ("observe", "algorithm", "until", "curve", "target", "our_cards", "free_cards", "boards")


@click.command()
@click.argument("opponent")
@click.option("--game", help="Game, by name or file.  [default: that of OPPONENT, if it is a folder]")
@abstraction_options
@click.option("--our-cards", default="", help="Card abstraction of the response in a small game, such as 3-bucket.")
@click.option("--free-cards", default="", help="Card abstraction of the adversary.  [default: --cards]")
@click.option("--model-cards", default="", help="Card abstraction of the model.  [default: --cards]")
@click.option("--method", type=click.Choice(METHODS), default="rnr", show_default=True, help="Kind of response.")
@click.option("--p", type=Share(), help="Probability that the opponent plays the model (rnr).  [default: 0.5]")
@click.option(
    "--p-max", type=Share(), help="Largest probability, at any infoset, that it does so (dbr).  [default: 0.5]"
)
@click.option(
    "--epsilon", type=Finite(0), help="Largest loss to a best response (eps-safe), in mbb or milli-antes/hand."
)
@click.option("--target", type=Finite(0), help="Wanted exploitability (rnr, dbr), in mbb or milli-antes/hand.")
@click.option(
    "--confidence",
    type=click.Choice(["linear", "1-step", "10-step", "bayes"]),
    default="linear",
    show_default=True,
    help="Confidence in a model by the number of observations (dbr).",
)
@click.option("--observe", type=click.IntRange(1, MAX_HANDS), help="Observe OPPONENT for this many hands (dbr).")
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default="auto",
    show_default=True,
    metavar="NAME",
    help=f"Algorithm: one of {', '.join(ALGORITHMS)}.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1),
    help="Number of iterations.  [default: 2000; 100000 with three or more players]",
)
@click.option(
    "--until", type=Finite(0, min_open=True), help="Gap to the optimum at which to stop, in mbb or milli-antes/hand."
)
@sampling_options
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1), help="Number of threads.")
@seed_option("Seed for observed or sampled hands, sampled boards and card abstractions.")
@click.option(
    "--curve", is_flag=True, help="Compute the Pareto front: exploitation against exploitability. With --out, plot it."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the agent or the plot, and for what --resume needs.",
)
@click.option("--resume", is_flag=True, help="Continue the run in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print {objective, exploitation, exploitability, ...} as JSON.")
def respond(opponent: str, out: Path | None, resume: bool, curve: bool, as_json: bool, **options: Any) -> None:
    """Compute a response to OPPONENT, one strategy per seat, and what it wins and risks.

    OPPONENT is uniform, an agent such as always-call or tight-passive, or the folder of a strategy, agent or model.

    fbr is the best response to it. rnr (restricted Nash response) assumes that it plays the model with probability P
    and is an adversary otherwise; dbr (data-biased response) trusts the model at each infoset as far as it has
    observations there; eps-safe is the best response among strategies that lose at most EPSILON to anyone. --target
    tunes P or P_MAX by bisection.

    Prints milli-antes or milli-big-blinds per hand, means of both seats. In hold'em, exploitability is that in the
    abstract game of the adversary. The agent's folder is OUT/strategy.

    What is won from a model is split: observed, in hands in which the model has data for all of its decisions, and
    imputed, in the others, in which it calls where it has none.

    With three or more players, OPPONENT sits in all other seats. Responses are fbr, rnr or dbr by external sampling,
    and are measured in sampled hands; exploitability is not defined.
    """
    with folder_for(out), locked(out):
        _respond(opponent, out, resume, curve, as_json, options)


def _respond(
    opponent: str, out: Path | None, resume: bool, curve: bool, as_json: bool, options: dict[str, Any]
) -> None:
    """The same in a folder that is ours alone."""
    start = perf_counter()
    source: dict[str, Any] = {"opponent": opponent}
    if options["observe"] is not None:
        source |= {"observed_hands": options["observe"], "seed": options["seed"]}
    _check_options(out, resume, curve, options)
    against = load_opponent(opponent, options)
    method = _method(options, against.problem)
    players = against.problem.game.players
    check_players(players, TWO_ONLY)
    if players > 2 and method.name == "eps-safe":
        raise KibitzError(f"eps-safe is for two players, not {players}: take fbr, rnr or dbr")
    if players > 2:
        _respond_sampled(against, method, source, (out, resume, as_json), options)
        return
    check_game(opponent, against, method, (options["free_cards"], options["model_cards"]))
    with stages() as progress:
        against.problem.prepare(options["threads"], progress)
        roles = _roles(against.problem, options)
        campaign = _campaign(against, roles, options, out)
        campaign.progress = progress
        with writing(out or Path()):
            if resume:
                campaign.resume()
            points, response = _run(campaign, method, options, curve, resume)
            if out is not None:
                _save(campaign, method, points, (response, source))
    told = Told(source, campaign, method, perf_counter() - start)
    if curve:
        tell_curve(told, points, as_json)
    else:
        assert response is not None
        tell(told, response, as_json)


def _check_options(out: Path | None, resume: bool, curve: bool, options: dict[str, Any]) -> None:
    """Refuse options that contradict each other or would do nothing."""
    method, wanted = options["method"], AMOUNTS.get(options["method"], "")
    for name in AMOUNTS.values():
        if options[name] is not None and name != wanted:
            raise KibitzError(f"--{name.replace('_', '-')} is not for {method}")
    if options["target"] is not None and method not in ("rnr", "dbr"):
        raise KibitzError(f"--target is for rnr and dbr, not {method}")
    given = [name for name in (wanted, "target") if name and options[name] is not None]
    if curve:
        if method not in ("rnr", "dbr"):
            raise KibitzError(f"--curve is for rnr and dbr, not {method}")
        if given:
            raise KibitzError(f"--curve runs through all values: leave out --{given[0].replace('_', '-')}")
    elif len(given) > 1:
        raise KibitzError(f"--target tunes --{wanted.replace('_', '-')}: give one of them")
    elif method == "eps-safe" and not given:
        raise KibitzError("eps-safe needs --epsilon")
    if options["observe"] is not None and method != "dbr":
        raise KibitzError(f"--observe is for dbr, not {method}")
    if is_given("confidence") and method != "dbr":
        raise KibitzError(f"--confidence is for dbr, not {method}")
    if resume and out is None:
        raise KibitzError("--resume needs the folder of the run: --out")
    if out is not None and not resume and not is_empty(out):
        raise KibitzError(f"{out} is not empty: continue the run in it with --resume, or choose another folder")


def _respond_sampled(
    against: Against,
    method: Method,
    source: dict[str, Any],
    run: tuple[Path | None, bool, bool],
    options: dict[str, Any],
) -> None:
    """The same in a game of three or more players; run = the folder, whether to go on with what is there, and JSON."""
    from kibitz.cli._sampled_responses import SampledRun, respond_sampled

    sampling = make_sampling(options, options["threads"])
    found = SampledRun(against.problem, against.known, options["model_cards"], method, sampling)
    check_own_bets(source["opponent"], against)
    respond_sampled(found, source, *run)


def _method(options: dict[str, Any], problem: Problem) -> Method:
    from kibitz.games.stakes import Stake
    from kibitz.responses.robust import Method

    name = options["method"]
    amount = options[AMOUNTS[name]] if name in AMOUNTS else None
    if amount is None:
        amount = BELIEVED if name in ("rnr", "dbr") else 1.0
    if name == "eps-safe":
        amount /= Stake.of(problem.game).milli_per_chip
    return Method(name, amount, options["confidence"])


def _roles(problem: Problem, options: dict[str, Any]) -> Roles:
    from kibitz.responses.robust.roles import make_roles

    if problem.cards and options["our_cards"]:
        raise KibitzError(f"--our-cards {options['our_cards']} is for small games: in hold'em give --cards")
    return make_roles(problem, options["our_cards"], options["free_cards"], options["model_cards"])


def _campaign(against: Against, roles: Roles, options: dict[str, Any], out: Path | None) -> Campaign:
    from kibitz.games.stakes import Stake
    from kibitz.responses.robust.methods import Solving
    from kibitz.responses.robust.observing import observe
    from kibitz.responses.robust.respond import as_opponent
    from kibitz.responses.robust.runs import Campaign

    opponent = as_opponent(in_game(against, roles, options["seed"]))
    if options["observe"] is not None:
        if opponent.model is not None:
            raise KibitzError("--observe is for opponents that play: a model has been observed already")
        counts = observe(roles.home_problem().deal, opponent.strategy, options["observe"], options["seed"])
        opponent = opponent._replace(model=counts)
    milli = Stake.of(against.problem.game).milli_per_chip
    until = 0.0 if options["until"] is None else options["until"] / milli
    iterations = options["iterations"] or Solving.iterations
    sampled = roles.needs_boards or options["algorithm"] == "pcs"
    seed = options["seed"] if sampled else 0
    solving = Solving(options["algorithm"], iterations, until, options["threads"], seed)
    return Campaign(against.problem, roles, opponent, solving, out)


def _run(
    campaign: Campaign, method: Method, options: dict[str, Any], curve: bool, resumed: bool
) -> tuple[list[Point], Response | None]:
    """The points of a front, or the response that was asked for."""
    from kibitz.games.stakes import Stake
    from kibitz.responses.robust.fronts import UnreachableError, front

    if curve:
        return list(front(method, campaign.point)), None
    if options["target"] is None:
        return [], campaign.solve(method)
    stake = Stake.of(campaign.problem.game)
    try:
        return campaign.tune(method, options["target"] / stake.milli_per_chip)
    except UnreachableError as error:
        if not resumed:
            campaign.discard()
        raise error.counted_in(stake) from None


def _save(
    campaign: Campaign, method: Method, points: list[Point], found: tuple[Response | None, dict[str, Any]]
) -> None:
    """Leave the agent, or the plot of a front; found = the response and what it responds to."""
    from kibitz.games.stakes import Stake
    from kibitz.responses.robust.fronts import plot_front
    from kibitz.responses.robust.runs import PLOT

    assert campaign.out is not None
    response, source = found
    if response is not None:
        campaign.save(response, source)
    else:
        stake = Stake.of(campaign.problem.game)
        plot_front(points, method, (stake.milli_per_chip, stake.unit), campaign.out / PLOT)
