"""`python -m bench.compare OLD_SRC NEW_SRC [NAME...]`: is a tree slower than the one before?

Two processes, one a tree, do every job in turns, the order changing from turn to turn. CPU time counts, that of child
processes included, so that other work on the machine disturbs little. The ratio is new over old: of the best turns, of
the medians, and the quarters of all turns between which half of the ratios lie. A job is slower where even the lower
quarter and the ratio of the best turns are above 1.05; then the exit status is 1.

Jobs go through functions and commands that both trees have. Where a module has moved, the new place is tried first.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import BytesIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

Job = Callable[[], object]
SLOWER = 1.05
ENOUGH = 0.25  # seconds that a turn takes at least, by doing the job several times
WARM_UPS = 2


def taken(*places: str) -> Any:
    """The first of `module:name` that this tree has."""
    for place in places:
        module, _, name = place.partition(":")
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"none of {', '.join(places)}")


def command(line: str, folder: Path | None = None) -> Job:
    """A command of kibitz in this process, in `folder`; what it prints is dropped."""
    from kibitz.cli import main

    def run() -> None:
        os.chdir(folder or Path.cwd())
        with redirect_stdout(TextIOWrapper(BytesIO(), encoding="utf-8")), suppress(SystemExit):
            main(line.split(), standalone_mode=False)

    return run


def process(line: str) -> Job:
    """The same in a process of its own, as a user starts it."""
    words = [sys.executable, "-m", "kibitz", *line.split()]
    return lambda: subprocess.run(words, check=True, capture_output=True)


def problem(game: str, *menus: str, **settings: Any) -> tuple[Any, Any]:
    """A problem of the tree, and its game compiled for vector solvers."""
    from kibitz.games import load_game
    from kibitz.solvers.problem import Problem

    found = Problem(load_game(game), *menus, **settings)
    return found, getattr(found, "vector" if hasattr(type(found), "vector") else "form")


def logs() -> Path:
    """A folder with a thousand hands as ACPC log and as PHH."""
    folder = Path(tempfile.mkdtemp())
    command("match tight-aggressive loose-passive --hands 500 --seed 4 --log one.log", folder)()
    command("convert one.log --to phhs --lossy --out one.phhs", folder)()
    return folder


def evaluator() -> Job:
    import numpy as np

    from kibitz.evaluator import evaluate_batch

    decks = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (200_000, 1)), axis=1)
    hands = np.ascontiguousarray(decks[:, :7])
    return lambda: evaluate_batch(hands)


def equity(*hands: str, **settings: Any) -> Job:
    compute = taken("kibitz.equity:compute_equity", "kibitz.equity:equity")
    return lambda: compute(hands, **settings)


def random_hands() -> Job:
    from kibitz.games import State, deal_hands, load_game

    game = load_game("holdem-nolimit-2p")

    def play() -> None:
        rng = Random(0)
        for deal in islice(deal_hands(game, 0), 500):
            state = State.start(game, deal)
            while not state.finished:
                legal = state.legal()
                choice = rng.randrange(3)
                raised = choice == 2 and legal.max_raise_to
                amount = rng.randint(legal.min_raise_to, legal.max_raise_to) if raised else 0
                state = state.apply(f"r{amount}" if raised else "f" if choice == 0 and legal.fold else "c")
            state.returns()

    return play


def batched_play() -> Job:
    from kibitz.agents import load_agent
    from kibitz.games import load_game

    play, game = taken("kibitz.arena.batch:play_batch"), load_game("holdem-nolimit-2p")
    agents = [load_agent("random"), load_agent("random")]
    try:
        from kibitz.games import AcpcCards
    except ImportError:  # of a revision in which a number stood for them
        return lambda: play(game, agents, [1, 2], 100_000, 0)
    return lambda: play(game, agents, [1, 2], 100_000, AcpcCards(0))


def read_phh() -> Job:
    read, text = taken("kibitz.io.phh:read_phh"), (logs() / "one.phhs").read_text()
    return lambda: [None for _ in read(text, "one.phhs")]


def cfr(algorithm: str, iterations: int, *of: str, **settings: Any) -> Job:
    solver = taken("kibitz.solvers.cfr:CFR")(problem(*of, **settings)[1], algorithm)
    return lambda: solver.step(iterations)


def five_buckets() -> Job:
    folder = taken("kibitz.abstraction.features.cache:cache_folder")()
    if not any(folder.glob("**/*.np*")):
        raise FileNotFoundError(f"no card tables in {folder}: kibitz abstract cards 5-bucket makes them")
    return cfr("dcfr", 2, "holdem-nolimit-2p", "fcpa", cards="5-bucket")


def exploitability() -> Job:
    from kibitz.strategy import Strategy

    measure = taken("kibitz.responses.best_response:exploitability", "kibitz.solvers.best_response:exploitability")
    compiled = problem("leduc-nolimit", "fcpa")[1]
    strategy = Strategy.uniform(compiled.layout)
    return lambda: measure(compiled, strategy)


def external_sampling() -> Job:
    make = taken("kibitz.solvers.sampled:ExternalSampling", "kibitz.solvers.mccfr:ExternalSampling")
    solver = make(problem("leduc", "full")[0].sampled, seed=1)
    return lambda: solver.step(50_000)


def linear_program() -> Job:
    solve, compiled = taken("kibitz.solvers.sequence_lp:solve_lp"), problem("leduc", "full")[1]
    return lambda: solve(compiled)


def spot(board: str, iterations: int) -> Job:
    make, game, solver = (
        taken(f"kibitz.spots:{name}", f"kibitz.solvers.spot:{old}")
        for name, old in (("Spot", "Spot"), ("SpotGame", "SpotForm"), ("SpotCFR", "SpotCFR"))
    )
    solving = solver(game(make.parse(board, 100, 400, "random", "random", "0.5, 1, all-in", 2)))
    return lambda: solving.step(iterations)


BETS = "abstract bets leduc-nolimit --ranges 0.5-0.8,1-1.4 --algorithm redm --iterations 300 --runs 1 --json"
CASES = "cases build one.log --expert tight-aggressive --strength made-hand --out cases.parquet"
JOBS: dict[str, Callable[[], Job]] = {  # what prepares a job, and returns what is timed
    "evaluator": evaluator,
    "equity-exact": lambda: equity("AsAh", "KdKc", method="exact"),
    "equity-sampled": lambda: equity("22+", "AKs", "QJs", method="sample", samples=200_000),
    "state-random-hands": random_hands,
    "batched-play": batched_play,
    "read-acpc": lambda: command("replay one.log --json", logs()),
    "read-phh": read_phh,
    "leduc-cfr+": lambda: cfr("cfr+", 2000, "leduc", "full"),
    "leduc-dcfr": lambda: cfr("dcfr", 2000, "leduc", "full"),
    "leduc-lp": linear_program,
    "exploitability": exploitability,
    "external-sampling": external_sampling,
    "five-buckets": five_buckets,
    "spot-river": lambda: spot("Qs Jh 2h 8d 3c", 100),
    "spot-turn": lambda: spot("Qs Jh 2h 8d", 2),
    "bets-leduc": lambda: command(BETS),
    "local-best-response": lambda: command("lbr tight-aggressive --boards 5 --seed 5 --json"),
    "cases-build": lambda: command(CASES, logs()),
    "translate": lambda: command("translate --game holdem-nolimit-2p --history r250c/r600 --menu fcpa --json"),
    "help": lambda: process("--help"),
    "match": lambda: process("match always-call random --hands 2000"),
}


def cpu_seconds() -> float:
    """Of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def serve() -> None:
    """Prepare and do jobs that are asked for on standard input, and answer with CPU seconds."""
    asked, answers = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = open(os.devnull), sys.stderr  # noqa: SIM115 - commands take these for their own
    prepared: dict[str, Job] = {}
    for line in asked:
        name, times = json.loads(line)
        try:
            if name not in prepared:
                prepared[name] = JOBS[name]()
            begun = cpu_seconds()
            for _ in range(times):
                prepared[name]()
            answer: float | str = cpu_seconds() - begun
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), file=answers, flush=True)


class Tree:
    """A process that has one tree on its path."""

    def __init__(self, source: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(source), "OPENBLAS_NUM_THREADS": "1"}
        words = [sys.executable, "-P", __file__, "serve"]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process: Any = subprocess.Popen(words, env=environment, text=True, **pipes)

    def seconds(self, name: str, times: int) -> float | str:
        """CPU seconds of a job done so often, or why it cannot be done."""
        with suppress(BrokenPipeError):
            print(json.dumps([name, times]), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        return json.loads(line) if line else "the process has ended"


def compare(name: str, trees: tuple[Tree, Tree], turns: int) -> tuple[str, bool]:
    """A line for one job, and whether the new tree is slower."""
    for _ in range(WARM_UPS):
        once = [tree.seconds(name, 1) for tree in trees]
        for which, found in zip(("old", "new"), once, strict=True):
            if isinstance(found, str):
                return f"{name:<22} {which}: {found[:90]}", False
    times = max(1, round(ENOUGH / max(min(float(each) for each in once), 1e-4)))
    spent: list[list[float]] = [[], []]
    for turn in range(turns):
        for which in (0, 1) if turn % 2 else (1, 0):
            spent[which].append(float(trees[which].seconds(name, times)) / times)
    old, new = spent
    low, _middle, high = quantiles([after / before for before, after in zip(old, new, strict=True)])
    best = min(new) / min(old)
    slower = best > SLOWER and low > SLOWER
    line = f"{name:<22} {1e3 * min(old):>9.2f} {1e3 * min(new):>9.2f} {best:>7.3f} {median(new) / median(old):>7.3f}"
    return f"{line}   {low:.3f} to {high:.3f}{'   slower' * slower}", slower


def main(words: list[str]) -> int:
    """Compare two trees; the exit status comes back."""
    if words == ["serve"]:
        serve()
        return 0
    turns = int(words.pop(words.index("--turns") + 1)) if "--turns" in words else 9
    words = [word for word in words if word != "--turns"]
    if len(words) < 2 or not all(Path(word, "kibitz").is_dir() for word in words[:2]) or set(words[2:]) - set(JOBS):
        print(f"{__doc__}\nJobs: {', '.join(JOBS)}; --turns N", file=sys.stderr)
        return 2
    trees = Tree(Path(words[0]).resolve()), Tree(Path(words[1]).resolve())
    print(f"{'CPU milliseconds':<22} {'old':>9} {'new':>9} {'best':>7} {'median':>7}   half of all turns", flush=True)
    slow = False
    for name in words[2:] or JOBS:
        line, slower = compare(name, trees, turns)
        print(line, flush=True)
        slow |= slower
    return int(slow)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
