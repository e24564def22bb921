"""How the settings of self-play matter: short runs that differ in one setting each, as a table in JSON.

    python scripts/sweep_self_play.py --hands 500000 --out sweep.json

The thesis gives no learning rates, scales or baselines. Nothing here is a result about poker; it says which settings
leave the phase in which nobody folds, and how soon.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import click

from kibitz import __version__
from kibitz.learning import Learning, SelfPlay

BASE = Learning(rate=1e-3, card_rate=1e-2, type_rate=5e-4, move_rate=2e-5, entropy=0.0, halving=0.0)


def scaled(factor: float) -> Learning:
    """All learning rates times a factor."""
    names = ("rate", "card_rate", "type_rate", "move_rate", "showdown_rate")
    return replace(BASE, **{name: factor * getattr(BASE, name) for name in names})


RUNS = {
    "base": BASE,
    "defaults, no entropy": Learning(entropy=0.0),
    "rates x 0.3": scaled(0.3),
    "rates x 3": scaled(3.0),
    "policy rate x 0.3": replace(BASE, rate=0.3 * BASE.rate),
    "card rate x 0.2": replace(BASE, card_rate=0.2 * BASE.card_rate),
    "returns in chips": replace(BASE, pot_scaling=False),
    "values begin small": replace(BASE, value_scale=0.05),
    "baseline none": replace(BASE, baseline="none"),
    "baseline linear": replace(BASE, baseline="linear"),
    "entropy 0.02": replace(BASE, entropy=0.02),
}


@click.command()
@click.option("--hands", default=500_000, show_default=True, help="Deals of each run.")
@click.option("--players", default=6, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(hands: int, players: int, seed: int, out: Path) -> None:
    rows = []
    for name, learning in RUNS.items():
        trainer = SelfPlay(players, seed, learning=learning)
        row: dict[str, object] = {"run": name, "learning": learning.describe()}
        try:
            curve = [trainer.train(hands // 4).describe() for _ in range(4)]
        except Exception as error:
            row["error"] = str(error)
        else:
            row["curve"] = [
                {key: value for key, value in each.items() if key not in ("seconds", "rate")} for each in curve
            ]
            row["hands per second"] = round(hands / trainer.seconds)
        rows.append(row)
        print(name, file=sys.stderr, flush=True)
        settings = {"hands": hands, "players": players, "seed": seed}
        command = f"python scripts/sweep_self_play.py --hands {hands} --players {players} --seed {seed}"
        text = json.dumps({"kibitz": __version__, "command": command, **settings, "runs": rows}, indent=1)
        out.write_text(text + "\n")


if __name__ == "__main__":
    main()
