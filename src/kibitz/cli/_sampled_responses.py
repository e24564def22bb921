"""`kibitz respond` with three and more players: responses by sampling."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import writing
from kibitz.cli._guests import guests
from kibitz.cli._output import print_json
from kibitz.cli._response_results import described_imputation, figure, tell_exploitation, warn
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.responses.multiplayer import Response, Sampling
    from kibitz.responses.robust import Method
    from kibitz.solvers.problem import Problem
    from kibitz.strategy import FrequentistModel, Strategy


class SampledRun(NamedTuple):
    """What was asked for; `known` is a strategy, counts of a model, or the name of an agent."""

    problem: Problem
    known: Strategy | FrequentistModel | str
    model_cards: str
    method: Method
    sampling: Sampling


def respond_sampled(run: SampledRun, source: dict[str, Any], out: Path | None, resume: bool, as_json: bool) -> None:
    """Compute, save and print a response; source = what it is to."""
    from kibitz.responses.multiplayer import Campaign
    from kibitz.responses.multiplayer.respond import restrict
    from kibitz.training.memory import check_sampled_response_memory

    start = perf_counter()
    home = _home(run)
    if run.problem.menus:  # the tree of what was seen has none, and is there already
        check_sampled_response_memory(run.problem, run.sampling.storage, home.size.pairs)
    with stages() as progress:
        for problem in {id(each): each for each in (run.problem, home)}.values():
            problem.prepare(run.sampling.threads, progress)
        game = restrict(run.problem, _opponent(run, home), run.method, home)
        campaign = Campaign(game, run.sampling, out, progress)
        with writing(out or Path()):
            if resume:
                campaign.check_begun()
            response = campaign.solve()
            if out is not None:
                campaign.save(response, source)
    cards = {"ours": run.problem.cards_name, "model": home.cards_name} if run.problem.cards else {}
    told = {**source, "game": run.problem.game.name, "cards": cards, "seconds": perf_counter() - start}
    _tell(told, response, run.sampling.hands, as_json)
    if out is not None and not as_json:
        click.echo(f"Agent: {out / 'strategy'}")


def _home(run: SampledRun) -> Problem:
    """The problem with the cards that the opponent's model has: its own, or those of --model-cards."""
    from kibitz.solvers.problem import Problem, problem_of
    from kibitz.strategy import FrequentistModel

    problem, known, wanted = run.problem, run.known, run.model_cards
    if wanted and not problem.cards:
        raise KibitzError(f"--model-cards {wanted} is for hold'em with three and more players, not for small games")
    if isinstance(known, str):
        if wanted in ("", problem.cards_name):
            return problem
        return Problem(problem.game, problem.menus, True, wanted, problem.boards, problem.seed, problem.tree)
    own = problem_of(known.strategy if isinstance(known, FrequentistModel) else known)
    if wanted and wanted != own.cards_name:
        raise KibitzError(f"--model-cards {wanted}: the opponent has {own.cards_name or 'all cards distinct'}")
    return problem if known.layout.cards == problem.private.fingerprint else own


def _opponent(run: SampledRun, home: Problem) -> Strategy | FrequentistModel:
    """The opponent over the layout of `home`."""
    from kibitz.agents import load_agent
    from kibitz.policy import policy_of
    from kibitz.responses.robust.opponents import opponent_strategy
    from kibitz.strategy import Strategy

    if not isinstance(run.known, str):
        return run.known
    if run.known == "uniform":
        return Strategy.uniform(home.sampled.layout)
    with guests():
        return opponent_strategy(policy_of(load_agent(run.known)), home, run.sampling.seed)


def _tell(told: dict[str, Any], response: Response, hands: int, as_json: bool) -> None:
    from kibitz.responses.multiplayer.respond import NO_EXPLOITABILITY

    made = response.strategy.manifest
    method = {name.lower(): value for name, value in response.method.describe().items()}  # as options are called
    if as_json:
        seats = [
            {name: value.to_dict() for name, value in seat._asdict().items() if value is not None}
            for seat in response.seats
        ]
        settings = {name: made[name] for name in ("algorithm", "iterations", "seed", "deterministic", "profile")}
        print_json(
            {
                **told,
                "unit": response.objective.unit,
                **method,
                **settings,
                "hands": hands,
                "objective": response.objective.to_dict(),
                "exploitation": response.exploitation.to_dict(),
                **described_imputation(response),
                "exploitability": None,
                "why_no_exploitability": NO_EXPLOITABILITY,
                "seats": seats,
            }
        )
        return
    click.echo(
        f"{response.method.name} to {told['opponent']} in {told['game'] or 'this game'}, {response.objective.unit}"
    )
    for name, value in method.items():
        if name != "method":
            click.echo(f"{name:<15} {value:>10}" if isinstance(value, str) else f"{name:<15} {value:>10.4f}")
    click.echo(figure("objective", response.objective))
    tell_exploitation(response.exploitation, response.imputation)
    click.echo(f"{'exploitability':<15} {'–':>10}  (defined for two players only)")
    click.echo(f"means of {len(response.seats)} seats, {hands:,} sampled hands each, 95 % intervals")
    warn(response.imputation)
