"""Compute the case study of Bard 2016 in limit hold'em on a machine with many cores, and pack what it found.

python scripts/case_study.py --out results/case-study --threads 16 --minutes 15 --pack results/case-study/packed

The same command goes on where it was interrupted. `--pack` writes the numbers as JSON and the strategies of the small
portfolio with probabilities in steps of 1/255, some megabytes each; `--unpack FOLDER` makes a portfolio of them again.
"""

import argparse
import json
import sys
from pathlib import Path
from shutil import copyfile
from time import monotonic, perf_counter

import numpy as np

from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.case_matches import Study, study_at
from kibitz.experiments.published import Effort
from kibitz.portfolios import Portfolio
from kibitz.strategy import Strategy, save_strategy

STEPS = 255
BEGUN = perf_counter()


def tell(stage: str, done: int, total: int) -> None:
    """A line for what is worth one."""
    if not total:
        print(f"{perf_counter() - BEGUN:7.1f} s  {stage} {done or ''}", flush=True)


def pack(study: Study, folder: Path) -> None:
    """The numbers, and the strategies that play."""
    folder.mkdir(parents=True, exist_ok=True)
    assert study.ledger.path is not None
    copyfile(study.ledger.path, folder / "case-study.json")
    paths = {name: f"experts/{name}/strategy" for name in study.chosen} | {"equilibrium-pool": "pool-A/equilibrium"}
    for name, path in paths.items():
        strategy = study.players.strategy(path)
        values = np.rint(STEPS * strategy.values).astype(np.uint8)
        rounded = Strategy.from_sums(strategy.layout, values.astype(np.float64), strategy.manifest)
        losses = study.players.milli * sum(study.players.roles.losses(rounded)) / 2
        np.savez_compressed(folder / f"{name}.npz", values=values, manifest=json.dumps(strategy.manifest))
        tell(f"packed {name}: rounded it loses {losses:.1f} mbb/hand to a best response", 0, 0)


def unpack(study: Study, packed: Path, folder: Path) -> None:
    """A portfolio of the packed responses, and the equilibrium beside it."""
    layout, experts = study.setting.problem().vector.layout, []
    for name in [*study.chosen, "equilibrium-pool"]:
        with np.load(packed / f"{name}.npz") as arrays:
            sums, manifest = arrays["values"].astype(np.float64), json.loads(str(arrays["manifest"]))
        path = folder / "equilibrium" if name == "equilibrium-pool" else folder / "portfolio" / "experts" / name
        save_strategy(Strategy.from_sums(layout, sums, manifest), path, "float32")
        if name in study.chosen:
            amount, won, lost, _gap = study.ledger.found[f"response to {name}"]
            told = {"name": name, "opponent": name, "folder": f"experts/{name}", "mimic": f"experts/{name}"}
            experts.append(told | {"amount": amount, "exploitation": won, "exploitability": lost})
    names = [each["name"] for each in experts]
    places = [study.singles.index(f"to {name}") for name in names]
    table = study.utilities()[np.ix_(places, places)]
    portfolio = Portfolio(
        folder / "portfolio", study.setting.describe(), tuple(experts), table, "mbb/hand", tuple(names)
    )
    portfolio.save()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--preset", choices=("smoke", "full"), default="full")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--pack", type=Path)
    parser.add_argument("--unpack", type=Path)
    given = parser.parse_args()
    study = study_at(Effort(given.preset, given.threads, 0, given.out, tell), monotonic() + 60 * given.minutes)
    if given.unpack:
        unpack(study, given.unpack, given.out)
        return 0
    code = 0
    try:
        study.run()
        tell("all done", 0, 0)
    except KibitzError as error:
        tell(f"not done: {error}", 0, 0)
        code = 1
    if given.pack and study.ledger.path is not None and study.ledger.path.exists():
        pack(study, given.pack)
    return code


if __name__ == "__main__":
    sys.exit(main())
