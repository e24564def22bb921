"""`kibitz learn best-response`: a learner against opponents that stay as they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import stages
from kibitz.cli._files import saving
from kibitz.cli._guests import guests
from kibitz.cli._learning import (
    batch_option,
    check_run,
    halving_option,
    hands_option,
    learning_of,
    rate_options,
    run_options,
)
from kibitz.cli._output import folded, number, print_json
from kibitz.errors import KibitzError
from kibitz.games import load_game

if TYPE_CHECKING:
    from kibitz.learning import Model
    from kibitz.learning.responses import Response, ResponseProgress, Winnings

ROWS = 20  # of the printed curve
RANDOM = "random"
SMALL_BLINDS_TO_MBB = 500


@click.command("best-response", short_help="Train a best response to frozen opponents.")
@click.argument("agents", nargs=-1, required=True)
@click.option(
    "--players",
    type=click.IntRange(2, 10),
    help="Players at the table.  [default: 6 for copies of a model from self-play, else one more than AGENTS]",
)
@hands_option(100_000)
@run_options("Seed for cards, actions and random first weights.")
@click.option("--start", help="Model from self-play to begin with, or random.  [default: the opponent, if it is one]")
@click.option("--game", help="Limit hold'em game at the table of other agents.  [default: ACPC limit hold'em]")
@click.option(
    "--evaluate",
    default=20_000,
    show_default=True,
    type=click.IntRange(0, 10**9),
    help="Deals to measure the result with.",
)
@batch_option(64)
@rate_options(told="0.002 against copies, else 0.01")
@halving_option(told="2,000,000 against copies, else 0")
@click.option("--json", "as_json", is_flag=True, help="Print {out, hands, gain, curve: [...]} as JSON.")
def best_response(out: Path, hands: int, resume: bool, evaluate: int, as_json: bool, **options: Any) -> None:
    """Train a best response to AGENTS, which do not learn, and save it in --out as an agent.

    If AGENTS is one folder from `kibitz learn self-play`, copies of that agent fill all other seats. Its gain over the
    copies' own result, 0, is a lower bound on their distance from an equilibrium. Any other agents (built-in names,
    strategies, cases, your own) play in the real engine, some thousand hands per second; one agent fills all other
    seats. Results are in small blinds per hand with standard errors.
    """
    from kibitz.learning.responses import run_response

    check_run(out, resume)
    with guests():
        response = _make(options)
        curve: list[ResponseProgress] = []
        every = max(hands // ROWS, 10 * response.learning.batch)
        if not as_json:
            click.echo("     hands  hands/s  won per hand")
        with stages("best response") as progress:
            for each in saving(out, run_response(response, hands, out, resume, every)):
                curve.append(each)
                progress(f"{each.rate:,.0f} hands/s", each.deals, hands)
                if not as_json:
                    click.echo(f"{each.deals:>10,}{each.rate:>9,.0f}  {_told(each.winnings)}")
        gain = response.evaluate(evaluate) if evaluate else None
    if as_json:
        told = {**gain._asdict(), "error": gain.error} if gain is not None else None
        rows = [each.describe() for each in curve]
        print_json({"out": str(out), "hands": response.deals, "seconds": response.seconds, "gain": told, "curve": rows})
        return
    if not curve:
        click.echo(f"{out} is already complete")
    if gain is not None:
        mean, error = (
            number(each * SMALL_BLINDS_TO_MBB, 0, form) for each, form in ((gain.mean, "+,"), (1.96 * gain.error, ","))
        )
        click.echo(
            folded(
                f"It wins {_told(gain)} small blinds per hand ({mean} ± {error} mbb/hand), s.d. "
                f"{number(gain.deviation, 2)}, in {counted(gain.hands, 'hand')} without learning; ± standard error "
                "(mbb: 95 %)."
            )
        )


def _told(winnings: Winnings) -> str:
    return f"{winnings.mean:+8.3f} ± {number(winnings.error, 3)}"


def _make(options: dict[str, Any]) -> Response:
    from kibitz.learning import Model, Structure, is_model, load_model
    from kibitz.learning.responses import (
        AGAINST_AGENTS,
        AGAINST_COPIES,
        Agents,
        AgentTable,
        Copies,
        Response,
        is_response,
    )
    from kibitz.learning.tables import rules_of_model

    names, seed = options["agents"], options["seed"]
    _refuse_exploiters(names)
    folder = Path(names[0])
    copies = len(names) == 1 and is_model(folder) and not is_response(folder)
    learning = learning_of(AGAINST_COPIES if copies else AGAINST_AGENTS, options, "batch", "halving")
    opponent = load_model(folder) if copies else None
    start = options["start"]
    begun: Model
    if start is None and opponent is not None:
        begun = opponent
    elif start in (None, RANDOM):
        structure = opponent.structure if opponent is not None else Structure()
        begun = Model.random(structure, seed, learning.scale, learning.value_scale)
    else:
        begun = load_model(Path(start))
    if opponent is not None:
        if options["game"]:
            raise KibitzError(f"--game {options['game']}: copies of a model play by the rules that it was trained with")
        return Response(begun, Copies(opponent, options["players"] or 6, rules_of_model(opponent)), learning, seed)
    return Response(
        begun, Agents(AgentTable(*_seats(names, options["players"], options["game"]), seed)), learning, seed
    )


def _refuse_exploiters(names: tuple[str, ...]) -> None:
    """Agents that know who sits where are not what they are at a table where the learner changes seats."""
    from kibitz.learning.exploiters import is_exploiter

    for name in names:
        if is_exploiter(Path(name.partition(",")[0])):
            raise KibitzError(
                f"{name} is an exploiter, which tells opponents apart by their seats, and the learner changes seats "
                "here: choose an agent that knows no types and has no extra layer"
            )


def _seats(names: tuple[str, ...], players: int | None, game: str | None) -> tuple[Any, list[Any]]:
    """The game and the opponents, one for every other seat."""
    from kibitz.agents import load_agent
    from kibitz.games.named import limit_holdem

    if game:
        rules = load_game(game)
        if players not in (None, rules.players):
            raise KibitzError(f"--players {players}: {game} has {rules.players}")
    else:
        rules = limit_holdem(players or len(names) + 1)
    others = rules.players - 1
    if len(names) not in (1, others):
        raise KibitzError(
            f"{counted(len(names), 'opponent')} for {counted(others, 'other seat')}: give one for all, or one for each"
        )
    return rules, [load_agent(name) for name in (names if len(names) == others else names * others)]
