"""`kibitz games` and `kibitz size`: the built-in games, and how large a game is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from kibitz.cli._output import COLUMNS, folded, print_json
from kibitz.errors import KibitzError
from kibitz.games import GAMES, Game, load_game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.tree.menus import choose_menus

if TYPE_CHECKING:
    from kibitz.tree.size import Convention, SizeReport

HEADINGS = ("round", "buckets", "decisions", "actions", "infosets", "infoset-actions")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print {name: {players, betting, cards, stack, blinds}} as JSON.")
def games(as_json: bool) -> None:
    """List the built-in games.

    A game is also the path of an ACPC game definition. Hold'em has a name for 2 to 10 players, such as
    holdem-limit-4p.
    """
    made = {name: make() for name, make in GAMES.items()}
    rows = {
        name: {
            "players": game.players,
            "betting": game.betting,
            "cards": len(game.deck),
            "stack": None if game.stacks[0] == UNLIMITED_STACK else game.stacks[0],
            "blinds": list(game.blinds),
        }
        for name, game in made.items()
    }
    if as_json:
        print_json(rows)
        return
    click.echo(f"{'game':<22}{'players':>8}  {'betting':<9}{'cards':>6}{'stack':>10}  blinds")
    for name, row in rows.items():
        stack = "unlimited" if row["stack"] is None else f"{row['stack']:,}"
        blinds = "/".join(map(str, made[name].blinds))
        click.echo(f"{name:<22}{row['players']:>8}  {row['betting']:<9}{row['cards']:>6}{stack:>10}  {blinds}")


@click.command()
@click.argument("game")
@click.option(
    "--menu",
    "menus",
    multiple=True,
    help="Menu of bet sizes, by name (fcpa, acpc-2011, ...) or as in '0.5 once, 1, all-in | 1, all-in'; once for all "
    "players, or once for each in the order of positions.  [default: full]",
)
@click.option("--states", help="Number of buckets per round, such as 169,100,100,100.")
@click.option("--cards", help="Card abstraction of hold'em, such as 5-bucket, IR-100 or 'IR KE-KO 169-9000-9000-9000'.")
@click.option(
    "--suits",
    type=click.Choice(["merged", "kept"]),
    default="merged",
    show_default=True,
    help="Whether hands that differ only by a permutation of suits count once.",
)
@click.option(
    "--convention",
    type=click.Choice(["plain", "hawkin"]),
    default="plain",
    show_default=True,
    help="Counting convention: the nodes of the tree, or those that Hawkin (2014) counts.",
)
@click.option(
    "--efg",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for a small game of two players in Gambit's extensive form.",
)
@click.option("--json", "as_json", is_flag=True, help="Print {game, menus, rounds, totals, bytes} as JSON.")
def size(
    game: str,
    menus: tuple[str, ...],
    states: str | None,
    cards: str | None,
    suits: str,
    convention: str,
    efg: Path | None,
    as_json: bool,
) -> None:
    """Count the information sets and infoset-action pairs of GAME, and estimate the memory to solve it.

    The tree is not built, so the game may be of any size. Without --states or --cards, no cards are abstracted: a
    bucket is then a private state.
    """
    from kibitz.tree.size import size_report

    rules = load_game(game)
    report = size_report(
        rules,
        choose_menus(rules, menus),
        _states(states, cards, rules),
        suits == "merged",
        cast("Convention", convention),
    )
    memory = _memory(report, cards)
    if efg is not None:
        from kibitz.io.gambit import write_efg
        from kibitz.solvers.problem import Problem

        problem = Problem(rules, choose_menus(rules, menus), suits == "merged", cards or "")
        write_efg(problem.tree, problem.deal, efg)
    if as_json:
        print_json(_document(report, memory))
    else:
        click.echo(_text(report, memory))


def _memory(report: SizeReport, cards: str | None) -> dict[str, int]:
    """Bytes by kind of solver; vector solvers need perfect recall."""
    from kibitz.abstraction import parse_notation

    imperfect = cards is not None and parse_notation(cards).recall != "PR"
    return {solver: needed for solver, needed in report.bytes.items() if not (imperfect and solver == "vector")}


def _states(states: str | None, cards: str | None, game: Game) -> list[int] | None:
    if states is not None and cards is not None:
        raise KibitzError(f"--states {states} and --cards {cards}: give only one of them")
    if cards is None:
        return None if states is None else _parse_states(states)
    from kibitz.abstraction import parse_notation
    from kibitz.deals.private import check_holdem

    check_holdem(game, cards)
    return list(parse_notation(cards).counts[: game.rounds])


def _parse_states(text: str) -> list[int]:
    try:
        return [int(piece) for piece in text.split(",")]
    except ValueError:
        raise KibitzError(f"--states {text!r}: give one number of buckets per round, as in 5,25,125,625") from None


def _document(report: SizeReport, memory: dict[str, int]) -> dict[str, Any]:
    return {
        "game": report.game.name,
        "menus": [str(menu) for menu in report.menus],
        "convention": report.convention,
        "rounds": [
            {
                "round": number,
                "states": each.states,
                "decision_nodes": sum(each.decisions),
                "actions": sum(each.actions),
                "fold_ends": each.folds,
                "showdown_ends": each.showdowns,
                "infosets": each.infosets,
                "pairs": each.pairs,
            }
            for number, each in enumerate(report.rounds)
        ],
        "totals": {
            "nodes": report.nodes,
            "decision_nodes": report.decisions,
            "actions": report.actions,
            "infosets": report.infosets,
            "pairs": report.pairs,
        },
        "bytes": memory,
    }


def _text(report: SizeReport, memory: dict[str, int]) -> str:
    """The menus, a table of rounds, then nodes and memory; the largest numbers are cut short to fit 80 columns."""
    from kibitz.amounts import format_bytes, format_count

    lines = [f"{report.game.name or 'the game'}, {report.convention} count"]
    if report.game.betting == "nolimit":
        texts = [str(menu) or "no bets" for menu in report.menus]
        same = len(set(texts)) == 1
        heads = {"  menu: ": texts[0]} if same else {f"  menu {player}: ": text for player, text in enumerate(texts)}
        lines += [folded(text, 4, head) for head, text in heads.items()]
    tables = [_table(report, most) for most in (10**15, 10**12, 10**9)]
    lines += next((table for table in tables if len(table[0]) <= COLUMNS), tables[-1])
    lines.append(f"betting tree: {format_count(report.nodes)} nodes, including terminal nodes")
    if "vector" in memory:
        lines.append(f"memory for vector solvers:  {format_bytes(memory['vector'])} plus the matrices of the deal")
    lines.append(f"memory for sampled solvers: {format_bytes(memory['sampled'])}")
    return "\n".join(lines)


def _table(report: SizeReport, most: int) -> list[str]:
    """Lines of one width, numbers from `most` on as 6.375e161."""
    from kibitz.amounts import format_count
    from kibitz.games import round_label

    rows: list[tuple[str, ...]] = [HEADINGS]
    for number, each in enumerate(report.rounds):
        states = each.states if len(set(each.states)) > 1 else each.states[:1]
        numbers = (sum(each.decisions), sum(each.actions), each.infosets, each.pairs)
        rows.append(
            (
                round_label(report.game, number),
                " / ".join(f"{count:,}" for count in states),
                *(format_count(number, most) for number in numbers),
            )
        )
    totals = (report.decisions, report.actions, report.infosets, report.pairs)
    rows.append(("all", "", *(format_count(number, most) for number in totals)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]
