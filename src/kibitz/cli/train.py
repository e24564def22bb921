"""`kibitz train blueprint` and `style`: agents from scratch, by solving or by search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from kibitz.arena.style_search import KNOBS, StylePlan
from kibitz.cli._files import folder_for
from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, option_of, plan_command, run_options
from kibitz.plans import check_folder, settings_of
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.training.blueprints import BlueprintPlan

SETTINGS = [
    replace(each, default=None, unsaid="both") if each.name == "only" else each for each in settings_of(BlueprintPlan)
]


def _train(preset: str | None, only: str | None, out: Path | None, resume: bool, as_json: bool, **given: Any) -> None:
    from kibitz.training.presets import find_preset

    said = {name: value for name, value in given.items() if value is not None}
    name = preset or "quick"
    found, out = find_preset(name), out or Path("agents")
    works = []
    for kind in found.blueprints:
        if only in (None, kind):
            folder = out / f"{name}-{kind}"
            going_on = resume and (folder / CHECKPOINT).exists()  # of two agents one may not have begun
            check_folder(folder, going_on)
            works.append(Work(BlueprintPlan(name, **{**said, "only": kind}), folder, going_on, as_json))
    with folder_for(out):
        click.echo(f"{name}, {found.summary}", err=as_json)
        trained = dict(filter(None, map(_tell, works)))
    if as_json:
        print_json({"preset": name, "agents": trained})


def _tell(work: Work[BlueprintPlan]) -> tuple[str, dict[str, Any]] | None:
    """Train one agent and tell how exploitable it is; its name and figures, unless it was there already."""
    from kibitz.strategy import load_strategy
    from kibitz.strategy.core import REAL
    from kibitz.strategy.exploitability import Solved

    rows = [report.row for report in work.reports() if report.row is not None]
    assert work.out is not None
    strategy = load_strategy(work.out)
    told = Solved.of(strategy).describe(strategy.manifest.get("exploitability"), str(work.out))
    begun, ended = ("", f"; {rows[-1]['seconds']:.0f} s of solving") if rows else (" is already complete", "")
    click.echo(folded(f"{work.out}{begun}: exploitable for {told}{ended}", 4, "  "), err=work.as_json)
    if not rows:
        return None
    peak = work.plan.blueprint.peak_bytes(work.plan.seed, work.plan.threads)
    real = strategy.manifest.get(REAL)
    return work.plan.only, {"folder": str(work.out), **rows[-1], "peak_bytes": peak, "real": real}


train = click.Command(
    "train",
    callback=_train,
    params=[*map(option_of, SETTINGS), *run_options(BlueprintPlan, "Print {preset, agents: {name: {...}}} as JSON.")],
    help="""Train the hold'em agents of PRESET (quick, standard or big) and save each in its own folder.

    Each preset has two heads-up agents: nolimit (blinds 50/100, stacks of 20,000) and limit. A folder is an agent:
    `kibitz match`, `tournament`, `play` and `connect` accept it.

    Prints two figures per agent: its exploitability in its abstract game, where opponents have the same buckets and
    bets, and a lower bound in the real game, where they see their cards (see `kibitz measure lbr`).
    """,
)


@plan_command(StylePlan, "Print {style, won, half_width, unit} as JSON.")
def style(work: Work[StylePlan]) -> None:
    """Print the best style, and what it wins on fresh deals."""
    found = work.made()
    if work.as_json:
        won = {name.replace(" ", "_"): found.made[name] for name in ("won", "half width", "unit")}
        print_json({"style": dict(found.about), **won})
        return
    click.echo(f"rules:{','.join(f'{knob}={found.about[knob]:.3g}' for knob in KNOBS)}")
    click.echo(f"wins {found.made['won']:+,.1f} ± {found.made['half width']:,.1f} {found.made['unit']} on fresh deals")
