"""`kibitz train style`: the rule-based style that beats an opponent."""

from __future__ import annotations

import click

from kibitz.arena.style_search import KNOBS, StylePlan
from kibitz.cli._output import print_json
from kibitz.cli._plans import Work, plan_command


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
