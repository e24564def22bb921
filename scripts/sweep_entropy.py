"""What a bonus for entropy does to self-play: rollout errors of runs that differ in one setting each, as JSON.

    python scripts/sweep_entropy.py --workers 12 --out docs/background/self-play-entropy.json

Twelve runs of 12 million deals with the IRC mix of players take about seven minutes on as many cores.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from kibitz import __version__
from kibitz.learning import Learning, SelfPlay
from kibitz.learning.rollouts import RolloutSettings, measure_rollout_errors
from kibitz.parallel import Processes

STAGES = (0, 1, 2, 3, None)
LAST = 100_000  # deals before a mark in which folds are counted
RUNS: dict[str, tuple[int, dict[str, Any]]] = {
    "no entropy": (0, {"entropy": 0.0}),
    "no entropy, seed 1": (1, {"entropy": 0.0}),
    "no entropy, values begin small": (0, {"entropy": 0.0, "value_scale": 0.05}),
    "no entropy, slower": (0, {"entropy": 0.0, "rate": 1e-4, "card_rate": 1e-3, "halving": 2e7}),
    "0.05": (0, {"entropy": 0.05}),
    "0.1": (0, {"entropy": 0.1}),
    "0.1, seed 1": (1, {"entropy": 0.1}),
    "0.1, returns in chips": (0, {"entropy": 0.1, "pot_scaling": False}),
    "0.1, rates fall five times later": (0, {"entropy": 0.1, "halving": 1e7}),
    "0.2": (0, {"entropy": 0.2}),
}


def learn(marks: tuple[int, ...], settings: RolloutSettings, name: str) -> dict[str, Any]:
    """One run, measured at every mark: shares of folds by stage, standard deviation, rollout improvement."""
    seed, changed = RUNS[name]
    trainer, points = SelfPlay("irc", seed, learning=Learning(**changed)), []
    for mark in marks:
        if mark - trainer.deals > LAST:
            trainer.train(mark - trainer.deals - LAST)
        seen = trainer.train(mark - trainer.deals)
        report = measure_rollout_errors(trainer.model, settings=settings)
        stages = [report.of_stage(stage) for stage in STAGES]
        points.append(
            {
                "deals": trainer.deals,
                "folds": [round(shares[0], 3) for shares in seen.actions],
                "deviation": round(seen.deviation, 2),
                "improvement": [round(each.improvement, 3) for each in stages],
                "error": [round(each.improvement_error, 3) for each in stages],
            }
        )
    return {"run": name, "seed": seed, "changed": changed, "points": points}


@click.command()
@click.option("--marks", default="1000000,4000000,12000000", show_default=True, help="Deals after which to measure.")
@click.option("--decisions", default=1500, show_default=True)
@click.option("--samples", default=300, show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(marks: str, decisions: int, samples: int, workers: int, out: Path) -> None:
    wanted = tuple(int(mark) for mark in marks.split(","))
    rows = list(Processes(workers).map(partial(learn, wanted, RolloutSettings(decisions, samples)), RUNS))
    command = f"python scripts/sweep_entropy.py --marks {marks} --decisions {decisions} --samples {samples}"
    out.write_text(json.dumps({"kibitz": __version__, "command": command, "runs": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
