"""`kibitz imitate`: imitate an expert from hand histories, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._decisions import decision_after
from kibitz.cli._output import print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.games.naming import STREETS
from kibitz.modelling.cases.plan import CasesPlan

if TYPE_CHECKING:
    from kibitz.modelling.cases import Built, Case, CaseBase
    from kibitz.modelling.cases.explain import Explanation

_CASES = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.group()
def cases() -> None:
    """Imitate an expert from its hand histories (SartreNL).

    A file of cases is an agent: `kibitz match`, `tournament`, `play` and `connect` accept it. Append the reuse policy
    to the file name, for example cases.parquet,policy=majority.
    """


@cases.add_command
@plan_command(CasesPlan, "Print {file, cases, decisions, hands, bad, ...} as JSON.")
def build(work: Work[CasesPlan]) -> None:
    """Print what was found, and what was left out."""
    built: Built = work.made().content
    made, out, expert = built.base.provenance, work.out, work.plan.expert
    if work.as_json:
        bad = [each._asdict() for each in built.first]
        print_json({"file": str(out), "cases": built.base.cases, **made, "first_bad": bad})
        return
    for each in built.first:
        click.echo(f"skipped: {each}", err=True)
    click.echo(
        f"{out}: {built.base.cases:,} cases of {made['decisions']:,} decisions in {made['hands']:,} hands of {expert}"
        f"{_at_table(made)}"
    )
    for count, what in (
        (built.bad, "broken hands were skipped"),
        (made["hidden"], "hands with hidden cards or results were skipped"),
        (made["others"], f"hands without {expert}, or at tables of another size, were skipped"),
        (made["unplayed"], f"hands of other games were skipped: {built.counts.reason}"),
    ):
        if count:
            click.echo(f"{count:,} {what}")


def _at_table(made: dict[str, Any]) -> str:
    """What is worth saying where the table is not for two."""
    return f" at tables for {made['players'][0]}" if made["players"] != [2] else ""


@cases.command(short_help="Summarise a file of cases.")
@click.argument("file", type=_CASES)
@click.option("--json", "as_json", is_flag=True, help="Print {description, made, rounds, sequences, ...} as JSON.")
def inspect(file: Path, as_json: bool) -> None:
    """Summarise a FILE of cases: the expert, the number of cases, and the expert's actions in each round."""
    show_cases(file, "", as_json)


def show_cases(file: Path, _node: str, as_json: bool) -> None:
    """A summary of a file of cases."""
    from kibitz.modelling.cases import load_cases
    from kibitz.modelling.cases.explain import summarise

    found = summarise(load_cases(file, hands=True))
    if as_json:
        print_json({"file": str(file), **found})
        return
    made, description = found["made"], found["description"]
    click.echo(f"{file}: {found['cases']:,} cases of {found['decisions']:,} decisions in {made['hands']:,} hands")
    click.echo(
        f"expert {made['expert']}{_at_table(made)}, {len(made['logs'])} logs, {found['references']:,} references to "
        f"hands, kibitz {made['kibitz']}"
    )
    click.echo(
        f"strength {description['strength']}, {description['commitments']} commitment classes, bets translated by "
        f"{description['mapping']}"
    )
    letters = description["alphabet"]
    click.echo("\nactions in per cent of the decisions")
    click.echo("round     cases decisions" + "".join(f"{letter:>5}" for letter in letters))
    for row in found["rounds"]:
        shares = "".join(f"{_percent(row['actions'].get(letter, 0)):>5}" for letter in letters)
        click.echo(f"{STREETS[row['round']]:<7}{row['cases']:>8,}{row['decisions']:>10,}{shares}")
    click.echo("\nmost frequent betting")
    for row in found["sequences"]:
        first = row["first"]
        hand = f"  such as {first['name']}:{first['place']} {first['state']}" if first else ""
        click.echo(f"{row['decisions']:>11,}  {row['sequence'] or '(first to act)':<14}{hand}".rstrip())


def _percent(share: float) -> str:
    """A share in four characters: five would touch the next one."""
    return "100" if share > 0.9995 else f"{100 * share:.1f}"


@cases.command(short_help="Explain what the cases advise at a decision.")
@click.argument("file", type=_CASES)
@click.option("--history", default="", help="Betting so far, such as r300c/c.  [default: none]")
@click.option("--hole", required=True, help="Hole cards of the player to act, such as AhKd.")
@click.option("--board", default="", help="Board cards, such as 2c7d9h.  [default: none]")
@click.option(
    "--game", help="Game, by name or file.  [default: hold'em, limit or no-limit and for as many players as the cases]"
)
@click.option(
    "--mapping", help="Mapping that translates bets, taken at its likelier size.  [default: that of the cases]"
)
@click.option("--count", default=5, show_default=True, type=click.IntRange(1), help="Number of cases to show.")
@click.option("--json", "as_json", is_flag=True, help="Print {features, similarity, actions, cases, ...} as JSON.")
def explain(
    file: Path,
    history: str,
    hole: str,
    board: str,
    game: str | None,
    mapping: str | None,
    count: int,
    as_json: bool,
) -> None:
    """Show which actions the cases in FILE advise at a decision, and why.

    Lists the nearest cases with their similarity feature by feature. For retrieved cases, also lists the source hands
    (log, line and the decision as the expert saw it), up to three per action.
    """
    from kibitz.modelling.cases import CaseIndex, load_cases, load_strength
    from kibitz.modelling.cases.betting import SequenceReader
    from kibitz.modelling.cases.explain import explain as explain_decision
    from kibitz.modelling.cases.features import check_holdem
    from kibitz.translation import Reading

    base = load_cases(file, hands=True)
    description = base.description
    rules = load_game(game) if game else _default_game(base)
    check_holdem(rules, description.letters)
    if rules.players != base.players:
        raise KibitzError(
            f"--game {game} has {rules.players} players, but the cases come from tables of {base.players}"
        )
    state = decision_after(rules, history, hole, board)
    reading = Reading(mapping) if mapping else description.reading
    sequence = SequenceReader(description.letters, reading).catch_up(state)
    features = description.describe(state, sequence, load_strength(description.strength))
    explanation = explain_decision(CaseIndex(base), features, count)
    if as_json:
        print_json(explanation.to_dict())
    else:
        _print_explanation(explanation)


def _default_game(base: CaseBase) -> Game:
    name = f"holdem-{'limit' if base.description.letters.limit else 'nolimit'}-{base.players}p"
    try:
        return load_game(name)
    except KibitzError:
        raise KibitzError(
            f"no game is called {name}: give the game of the cases with --game, by name or file"
        ) from None


def _print_explanation(explanation: Explanation) -> None:
    from kibitz.modelling.cases.features import MEANINGS

    document, features = explanation.to_dict(), explanation.features
    click.echo(
        f"betting {features.sequence or '(none)'}, strength {features.strength}, commitment {features.commitment}"
        + f", texture {features.texture} ({MEANINGS[features.texture]})" * bool(features.round)
    )
    if explanation.solution is None:
        click.echo("no case is similar: check or call")
    else:
        click.echo(
            f"{explanation.retrieved} retrieved, similarity {explanation.similarity:.4f}, {explanation.hands:,} hands"
        )
        for letter, share in document["actions"].items():
            click.echo(f"  {letter}  {100 * share:5.1f} %  {document['outcomes'][letter]:+9.2f} big blinds")
    if not explanation.neighbours:
        return
    click.echo("\nsimilar  strength betting  commit texture   hands  case")
    for each in document["cases"]:
        local = each["by_feature"]
        texture = f"{local['texture']:.3f}" if "texture" in local else "–"
        counts = " ".join(f"{letter}:{count:,}" for letter, count in each["counts"].items())
        click.echo(
            f"{each['similarity']:.4f}{'*' if each['retrieved'] else ' '} {local['strength']:9.3f}"
            f"{local['betting']:8.3f}{local['commitment']:8.3f}{texture:>8}{each['hands']:8,}  "
            f"{each['sequence'] or '(none)'} {each['strength']} {each['commitment']} {each['texture']}  {counts}"
        )
    _print_hands([each.case for each in explanation.neighbours if each.retrieved])


def _print_hands(retrieved: list[Case]) -> None:
    """The hands kept of some cases, action by action."""
    if not retrieved:
        return
    hands = [hand for case in retrieved for hand in case.references or ()]
    width = max(len(str(hand)) for hand in hands)
    click.echo(f"\naction  {'hand':<{width}}  decision")
    for hand in hands:
        click.echo(f"{hand.action:<6}  {hand!s:<{width}}  {hand.state}")
