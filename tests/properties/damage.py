"""Files damaged at random: what loads them answers, or refuses with one sentence.

    PYTHONPATH=tests python tests/properties/damage.py 2000

damages each kind of file so often, and prints what went wrong.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError

ABSURD: list[Any] = [
    None,
    -5,
    1e308,
    float("nan"),
    float("inf"),
    10**30,
    2**63,
    "",
    "abc",
    "\u0000",
    [],
    {},
    [[]],
    True,
    "9" * 400,
]


def damage(path: Path, draws: random.Random) -> str:
    """Change `path` in one way, and say in which."""
    whole = path.read_bytes()
    ways: list[Callable[[], tuple[str, bytes]]] = [
        lambda: _replace_byte(whole, draws),
        lambda: _replace_byte(whole, draws, 160),  # headers
        lambda: _cut(whole, draws),
        lambda: _repeat(whole, draws),
    ]
    if path.suffix == ".json":
        ways += [lambda: _absurd_value(whole, draws)] * 4 + [lambda: _nested(whole, draws)]
    how, content = draws.choice(ways)()
    path.write_bytes(content)
    return f"{path.name}: {how}"


def _replace_byte(whole: bytes, draws: random.Random, among: int = 1 << 40) -> tuple[str, bytes]:
    place, value = draws.randrange(min(among, len(whole))), draws.randrange(256)
    return f"byte {place} is {value}", whole[:place] + bytes([value]) + whole[place + 1 :]


def _cut(whole: bytes, draws: random.Random) -> tuple[str, bytes]:
    place = draws.randrange(len(whole))
    return f"cut at {place}", whole[:place]


def _repeat(whole: bytes, draws: random.Random) -> tuple[str, bytes]:
    first, last = sorted(draws.randrange(len(whole)) for _ in range(2))
    return f"bytes {first} to {last} twice", whole[:last] + whole[first:]


def _absurd_value(whole: bytes, draws: random.Random) -> tuple[str, bytes]:
    document = json.loads(whole)
    where, container = draws.choice(list(_places(document)))
    value = draws.choice(ABSURD)
    container[where] = value
    return f"{where!r} is {value!r:.40}", json.dumps(document).encode()


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every dictionary and every index of every list, with what it belongs to."""
    pairs = document.items() if isinstance(document, dict) else enumerate(document)
    for where, value in list(pairs):
        yield where, document
        if isinstance(value, dict | list):
            yield from _places(value)


def _nested(whole: bytes, draws: random.Random) -> tuple[str, bytes]:
    document = json.loads(whole)
    where = draws.choice(list(document)) if isinstance(document, dict) else 0
    depth = draws.choice([500, 100_000])
    text = json.dumps(document | {where: "@"}).replace('"@"', "[" * depth + "]" * depth)
    return f"{where!r} is nested {depth} deep", text.encode()


def check(source: Path, load: Callable[[Path], object], times: int, seed: int = 0) -> list[str]:
    """Damage a copy of `source`, a file or folder, `times` times; what `load` did wrong, with a traceback each."""
    draws, wrong = random.Random(seed), []
    for number in range(times):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / source.name
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, copy)
            files = sorted(path for path in copy.rglob("*") if path.is_file()) if copy.is_dir() else [copy]
            how = damage(draws.choice(files), draws)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    load(copy)
            except KibitzError as error:
                if len(str(error).strip().splitlines()) != 1 or len(str(error)) > 1000:
                    wrong.append(f"{number}, {how}: the message is {str(error)[:300]!r}")
            except FileNotFoundError as error:  # which is told by its name
                if error.filename is None:
                    wrong.append(f"{number}, {how}: {error!r}")
            except Exception:
                wrong.append(f"{number}, {how}\n{traceback.format_exc()[-1500:]}")
    return wrong


def make_all(folder: Path) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """A small one of every kind of file, and what loads it."""
    from abstraction.test_files import percentiles
    from kibitz.abstraction import read_abstraction, save_abstraction
    from kibitz.modelling.cases import build_cases, load_cases, save_cases
    from kibitz.plans import carry_out
    from kibitz.strategy import Layout, Strategy, load_strategy, save_strategy
    from kibitz.training.solving import SolvePlan
    from modelling.conftest import EXPERT, QUICK
    from modelling.expert_logs import play_log

    plan = SolvePlan("kuhn", iterations=4)
    list(carry_out(plan, folder / "run"))
    strategy = load_strategy(folder / "run")
    tree = replace(strategy.layout.tree, menus=())
    own_tree = Strategy(Layout(tree, strategy.layout.counts, strategy.layout.cards), strategy.values)
    save_strategy(own_tree, folder / "own-tree")
    save_abstraction(percentiles(5), folder / "cards")
    log = play_log(folder / "match.log", (EXPERT, "example-player"), 40)
    save_cases(build_cases([log], EXPERT, QUICK).base, folder / "expert.cases")
    return {
        "strategy": (folder / "run", load_strategy),
        "strategy with its tree": (folder / "own-tree", load_strategy),
        "run": (folder / "run", lambda path: list(carry_out(plan, path, resume=True))),
        "cards": (folder / "cards", read_abstraction),
        "cases": (folder / "expert.cases", load_cases),
        **_make_bets(folder / "sizes"),
        **_make_opponents(folder, strategy),
    }


def _make_opponents(folder: Path, strategy: Any) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """What says how others play: counts of a player, learned weights, player types, bots."""
    import numpy as np

    from kibitz.learning import Model, Structure, load_model, save_model
    from kibitz.learning.player_types import TypedModel, load_typed, save_typed
    from kibitz.learning.population import load_population, save_population
    from kibitz.strategy import FrequentistModel
    from kibitz.strategy import load_model as load_counts
    from kibitz.strategy import save_model as save_counts

    learned = Model.random(Structure(), 1)
    learned.made["seed"] = 1
    save_model(learned, folder / "learned")
    save_typed(TypedModel.random(learned, 2, 1, 0.1), folder / "types")
    save_counts(FrequentistModel(strategy.layout, np.ones(strategy.layout.size), {"hands": 7}), folder / "counts")
    save_population(load_population("switchable"), folder / "bots.json")
    return {
        "counts": (folder / "counts", load_counts),
        "learned": (folder / "learned", load_model),
        "player types": (folder / "types", load_typed),
        "bots": (folder / "bots.json", load_population),
    }


def _make_bets(folder: Path) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """A plan that was stopped in its second run, and one that was not."""
    from bet_sizing.test_bets_plans import plan, stopped_after
    from kibitz.bet_sizing import load_bets, runs
    from kibitz.plans import carry_out

    wait, runs.PIECE_SECONDS = runs.PIECE_SECONDS, 0.0
    stopped_after(plan(iterations=100), folder / "stopped", 150)
    runs.PIECE_SECONDS = wait
    list(carry_out(plan(iterations=100), folder / "whole"))

    def resume(path: Path) -> object:
        return next(carry_out(plan(iterations=100), path, resume=True), None)

    return {"bet sizes under way": (folder / "stopped", resume), "bet sizes": (folder / "whole", load_bets)}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for kind, (source, load) in make_all(Path(made)).items():
            found = check(source, load, int(sys.argv[1]), seed=18)
            print(f"{kind}: {len(found)} of {sys.argv[1]}", *found[:5], sep="\n")
