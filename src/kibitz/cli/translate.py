"""`kibitz translate`: how off-tree bets are translated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import click

from kibitz.cli._files import plain_target, writing
from kibitz.cli._options import MAX_DRAWS, Share, is_given, seed_option
from kibitz.cli._output import COLUMNS, print_json
from kibitz.errors import KibitzError
from kibitz.games import State, load_game, split_actions

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

READER = "rand-psharmonic"
MOST_POTS = 1e12  # in a stack: what the mappings multiply and square stays a number
DRAWS_AT_ONCE = 1 << 20


@click.command()
@click.argument("bets", nargs=-1, type=Share())
@click.option("--sizes", help="Bet sizes to translate to, in pots, such as '0.5, 1, all-in' or fcpa.")
@click.option(
    "--stack", type=float, default=100.0, show_default=True, help="Size of an all-in bet, in pots; not with --game."
)
@click.option("--no-check", is_flag=True, help="Never translate a bet to a check; the same as --tiny bet.")
@click.option(
    "--mapping",
    "mappings",
    multiple=True,
    help="Mapping: rand-psharmonic, rand-arith, det-geo, ..., or all; repeat it to compare. With --game, also by size "
    "and round, as in 'det-geo under 1, rand-psharmonic | rand-arith'.  [default: all; rand-psharmonic with --game]",
)
@click.option(
    "--draws",
    default=0,
    type=click.IntRange(0, MAX_DRAWS),
    help="Number of sampled translations of each bet.  [default: 0]",
)
@seed_option("Seed for sampling translations.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="File for a plot of the mappings.")
@click.option("--game", help="Game of the hand to translate, by name or file.")
@click.option("--history", default="", help="Betting of the hand, such as r250c/r600 (--game).")
@click.option(
    "--menu",
    "menus",
    multiple=True,
    help="Menu of the abstract game, once for all players or once for each (--game).  [default: fcpa]",
)
@click.option(
    "--measure",
    type=click.Choice(["pots", "chips"]),
    default="pots",
    show_default=True,
    help="Unit in which bets are compared (--game).",
)
@click.option(
    "--all-in",
    type=click.Choice(["exact", "size"]),
    default="size",
    show_default=True,
    help="Whether an all-in bet translates to all-in (exact) or like any bet of its size (--game).",
)
@click.option(
    "--tiny",
    type=click.Choice(["check", "bet"]),
    default="check",
    show_default=True,
    help="Whether a bet below the smallest size may translate to a check, or always to that bet.",
)
@click.option("--json", "as_json", is_flag=True, help="Print {sizes, bets} or {game, actions, ...} as JSON.")
def translate(
    bets: tuple[float, ...],
    sizes: str | None,
    stack: float,
    no_check: bool,
    mappings: tuple[str, ...],
    draws: int,
    seed: int,
    plot: Path | None,
    game: str | None,
    history: str,
    menus: tuple[str, ...],
    measure: str,
    all_in: str,
    tiny: str,
    as_json: bool,
) -> None:
    """Show how BETS, in pots, are translated to the sizes of an abstraction, with probabilities.

    With --game and --history, translates a whole hand, action by action.
    """
    if no_check and tiny == "check" and is_given("tiny"):
        raise KibitzError("--no-check contradicts --tiny check: give only one")
    tiny = "bet" if no_check else tiny
    if game is not None:
        if bets or sizes or plot or draws:
            raise KibitzError("BETS, --sizes, --draws and --plot are for single bets; with --game give --history")
        if is_given("stack"):
            raise KibitzError(f"--stack {stack:g} with --game {game}: the game sets the stacks")
        if len(mappings) > 1 or mappings == ("all",):
            raise KibitzError(
                "a hand takes one --mapping, which may differ by round (separated by |) and by size ('det-geo under 1')"
            )
        settings = (mappings[0] if mappings else READER, measure, all_in, tiny)
        _print_hand(game, history, menus or ("fcpa",), settings, seed, as_json)
        return
    if history or menus:
        raise KibitzError("--history and --menu describe a hand: give its --game too")
    if measure == "chips":
        raise KibitzError("--measure chips without --game: single bets are measured in pots")
    if all_in == "exact":
        raise KibitzError("--all-in exact without --game: a single bet of the whole stack is always all-in")
    if is_given("seed") and not draws:
        raise KibitzError(f"--seed {seed} without --draws: nothing is sampled, the probabilities are exact")
    if not bets and plot is None:
        raise KibitzError("nothing to translate: give bets, such as 0.7, or --game and --history")
    if sizes is None:
        raise KibitzError("--sizes is missing: give the bet sizes to translate to, such as --sizes '0.5, 1, 2'")
    menu = _parse_sizes(sizes, stack, tiny == "check", bets)
    if plot is not None:
        from kibitz.translation.plots import plot_mappings

        labels = [f"all-in ({pots:g})" if name == "all-in" else name for pots, name in menu.items()]
        with writing(plot):
            plot_mappings(list(menu), _names(mappings), plain_target(plot), bets, labels)
    _print_bets(bets, menu, _names(mappings), draws, seed, as_json)
    if plot is not None and not as_json:
        click.echo(f"Plot: {plot}")


def _names(mappings: tuple[str, ...]) -> list[str]:
    from kibitz.translation import MAPPINGS, find_mapping

    if not mappings or "all" in mappings:
        return [READER, *(name for name in MAPPINGS if name != READER)]
    known = {f: name for name, f in MAPPINGS.items()}
    return [known[find_mapping(name)] for name in dict.fromkeys(mappings)]


def _parse_sizes(text: str, stack: float, check: bool, bets: tuple[float, ...]) -> dict[float, str]:
    """Pot fractions in ascending order, with what they are called; `check` says whether no bet is one of them."""
    from kibitz.tree.menus import parse_menu

    if not 0 < stack <= MOST_POTS:
        raise KibitzError(f"--stack {stack:g}: give more than 0 and at most {MOST_POTS:g} pots")
    sizes: dict[float, str] = {0.0: "check"} if check else {}
    menu = parse_menu(text)
    if len(menu.rounds) > 1:
        raise KibitzError(f"--sizes {text!r} has {len(menu.rounds)} rounds: give the sizes of one")
    for size in menu.sizes(0):
        if size.kind not in ("pot", "all-in"):
            raise KibitzError(f"{size} in --sizes {text!r}: give numbers of pots, or all-in")
        if size.kind == "all-in":
            sizes[stack] = "all-in"
        else:
            sizes.setdefault(size.pots, f"{size.pots:g}")
    for what, pots in (*(("a size", size) for size in sizes), *(("a bet", bet) for bet in bets)):
        if pots > stack:
            raise KibitzError(f"{what} of {pots:g} pots: the stack is {stack:g}")
    return dict(sorted(sizes.items()))


def _print_bets(
    bets: tuple[float, ...], menu: dict[float, str], names: list[str], draws: int, seed: int, as_json: bool
) -> None:
    import numpy as np

    from kibitz.translation import probabilities

    sizes = list(menu)
    generator = np.random.default_rng(seed)
    rows = {(bet, name): probabilities(bet, sizes, name) for bet in bets for name in names}
    chances = {key: row.tolist() for key, row in rows.items()}
    if as_json:
        drawn = {
            key: [i for piece in _draw(row, draws, generator) for i in piece.tolist()] for key, row in rows.items()
        }
        read = [
            {
                "bet": bet,
                "mapping": name,
                "chances": chances[bet, name],
                **({"drawn": drawn[bet, name]} if draws else {}),
            }
            for bet, name in chances
        ]
        print_json({"sizes": sizes, "names": list(menu.values()), "seed": seed, "bets": read})
        return
    if not bets:
        return
    click.echo("\n".join(_table(menu, {key: [f"{p:.3f}" if p else "·" for p in row] for key, row in chances.items()})))
    if draws:
        counts = {key: _count(row, draws, generator) for key, row in rows.items()}
        cells = {key: [str(number or "·") for number in row] for key, row in counts.items()}
        click.echo(f"\nDrawn {draws:,} times with seed {seed}:")
        click.echo("\n".join(_table(menu, cells)))


def _draw(
    chances: npt.NDArray[np.float64], draws: int, generator: np.random.Generator
) -> Iterator[npt.NDArray[np.int64]]:
    """Numbers of sizes, drawn by their chances as `kibitz.translation.translate` does, some at a time."""
    cumulative = chances.cumsum()
    for start in range(0, draws, DRAWS_AT_ONCE):
        targets = generator.random(min(DRAWS_AT_ONCE, draws - start)) * cumulative[-1]
        yield cumulative.searchsorted(targets, side="right")


def _count(chances: npt.NDArray[np.float64], draws: int, generator: np.random.Generator) -> list[int]:
    """How often each size was drawn."""
    import numpy as np

    counts = np.zeros(len(chances), dtype=np.int64)
    for numbers in _draw(chances, draws, generator):
        counts += np.bincount(numbers, minlength=len(chances))
    found: list[int] = counts.tolist()
    return found


def _table(menu: dict[float, str], rows: dict[tuple[float, str], list[str]]) -> list[str]:
    """A line for every bet and mapping; sizes that nothing is read as are left out where they would not fit."""
    used = [i for i in range(len(menu)) if any(cells[i] != "·" for cells in rows.values())]
    for columns in (range(len(menu)), used):
        names = list(menu.values())
        lines = [["bet", "mapping", *(names[i] for i in columns)]]
        last = None
        for (bet, name), cells in rows.items():
            lines.append(["" if bet == last else f"{bet:.12g}", name, *(cells[i] for i in columns)])
            last = bet
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        if sum(widths) + 2 * len(widths) - 2 <= COLUMNS:
            break
    return [
        "  ".join(
            f"{cell:<{width}}" if i == 1 else f"{cell:>{width}}" for i, (cell, width) in enumerate(pairs)
        ).rstrip()
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    ]


class Step(NamedTuple):
    """One action of a real hand and what became of it.

    pots          a raise as a fraction of the real pot, None of other actions
    read          the abstract actions it became, those of players passed over included; "" where nothing was read
    chance        how likely this reading was
    again         whether an earlier reading of this round was taken back
    pot, abstract_pot   after the action
    """

    round: int
    player: int
    action: str
    pots: float | None
    read: str
    chance: float
    again: bool
    pot: int
    abstract_pot: int


def _steps(
    game: str, history: str, menus: tuple[str, ...], settings: tuple[str, str, str, str], seed: int
) -> Iterator[Step]:
    import random

    from kibitz.translation import MenuPlace, Reading, Tracker, menu_places, pot_fraction

    rules = load_game(game)
    root = menu_places(rules, menus if len(menus) > 1 else menus[0])
    tracker = Tracker(root, Reading(*settings), random.Random(seed).random)
    state = State.start(rules)
    if "/" in history:
        state.play(history)  # refuses rounds that end elsewhere
    for action in split_actions(history):
        after = state.apply(action)
        before = cast("MenuPlace", tracker.place).state.history
        tracker.follow(state, action)
        abstract = cast("MenuPlace", tracker.place).state
        again = not abstract.history.startswith(before)
        kept = _common(before, abstract.history) if again else len(before)
        pots = pot_fraction(state, after.spent[state.player]) if action[0] == "r" else None
        read = abstract.history[kept:].strip("/")
        yield Step(state.round, state.player, action, pots, read, tracker.chance, again, after.pot, abstract.pot)
        state = after


def _common(one: str, other: str) -> int:
    """How far two betting texts agree, in characters of whole actions."""
    length = 0
    for mine, theirs in zip(split_actions(one), split_actions(other), strict=False):
        if mine != theirs:
            break
        length = other.index(mine, length) + len(mine)
    return length


def _print_hand(
    game: str, history: str, menus: tuple[str, ...], settings: tuple[str, str, str, str], seed: int, as_json: bool
) -> None:
    steps = list(_steps(game, history, menus, settings, seed))
    if as_json:
        names = ("mapping", "measure", "all_in", "tiny")
        actions = [step._asdict() for step in steps]
        print_json(
            {"game": game, "menus": menus, **dict(zip(names, settings, strict=True)), "seed": seed, "actions": actions}
        )
        return
    from kibitz.games import position_name, round_label

    rules = load_game(game)
    rows = [("round", "player", "action", "pots", "translated to", "chance", "pot", "abstract pot")]
    for step in steps:
        pots = "" if step.pots is None else f"{step.pots:.3f}"
        read = f"{step.read or 'nothing'}{' (revised)' if step.again else ''}"
        chance = f"{step.chance:.3f}" if step.pots is not None and step.read else ""
        rows.append(
            (
                round_label(rules, step.round),
                position_name(rules, step.player).removeprefix("player "),
                step.action,
                pots,
                read,
                chance,
                f"{step.pot:,}",
                f"{step.abstract_pot:,}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)))
