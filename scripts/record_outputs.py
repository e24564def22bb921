"""Record what commands with fixed seeds print and write, and compare two such records.

    python scripts/record_outputs.py record before.json          run all jobs with the kibitz of this Python
    python scripts/record_outputs.py record after.json solve-     only those whose names begin so
    python scripts/record_outputs.py compare before.json after.json

A job is some commands run one after the other in an empty folder. Its record has a digest of everything they print on
standard output and of every file they leave, times, dates and versions left out. Two records that are equal mean equal
results to the byte; a rewrite that moves code about is held to that. Where the layout of files changes, `arrays` still
compares: it counts every array in them by its content, wherever it lies. Takes some twenty minutes on two cores.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

VECTOR = ("cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+", "cfr-br")
SAMPLED = ("chance", "external", "outcome", "pure", "pcs")
STYLES = ("tight-aggressive", "loose-passive")
PAPERS = ("ganzfried2013", "hawkin2014", "rubin2011", "bard2016", "sweeney2012")
LIMIT = ("--game", "holdem-limit-2p")
SPOT = "spot --pot 60 --stack 180 --oop TT+,AKs,KQs,98s,T9s --ip 99+,AK,KQs,77 --json --sizes"
JOBS: dict[str, list[str]] = {
    **{f"solve-leduc-{name}": [f"solve leduc --algorithm {name} --iterations 200 --out run"] for name in VECTOR},
    **{
        f"solve-leduc-{name}": [f"solve leduc --algorithm {name} --iterations 3000 --seed 3 --out run"]
        for name in SAMPLED
    },
    "solve-leduc-lp": ["solve leduc --algorithm lp --out run"],
    "solve-leduc-nolimit": ["solve leduc-nolimit --menu fcpa --algorithm dcfr --iterations 100 --out run --json"],
    "solve-kuhn-3p": ["solve kuhn-3p --algorithm external --iterations 5000 --seed 2 --out run"],
    "solve-rhode-island": ["solve rhode-island --algorithm dcfr --iterations 10 --threads 2 --out run"],
    "solve-resumed": [
        "solve leduc --algorithm dcfr --iterations 100 --out run",
        "solve leduc --algorithm dcfr --iterations 200 --out run --resume",
    ],
    "solve-buckets": ["solve holdem-nolimit-2p --cards 5-bucket --menu fcpa --algorithm dcfr --iterations 5 --out run"],
    "solve-buckets-pcs": [
        "solve holdem-nolimit-2p --cards 5-bucket --menu fcpa --algorithm pcs --iterations 50 --out run",
        "show run",
        "measure exploitability run --json",
        "measure exploitability run --real --flops 2 --json",
        "measure lbr run --boards 20 --json",
    ],
    "train-quick": ["train blueprint quick --only nolimit --out agents"],
    "abstract-cards": ["abstract cards 5-bucket --json"],
    "abstract-bets-leduc": ["abstract bets leduc-nolimit --ranges 0.5-0.8,1-1.4 --iterations 200 --runs 2 --out sizes"],
    "abstract-bets-refined": [
        "abstract bets leduc-nolimit --ranges 2 --algorithm refined --iterations 200 --runs 2 --out sizes"
    ],
    "abstract-bets-holdem": [
        "abstract bets holdem-nolimit-2p --cards 5-bucket --ranges 0.8-1.2 --iterations 60 --runs 1 --boards 9 --out x"
    ],
    "spot-river": [f'{SPOT} 0.5,1,all-in --board "Ks 7h 2d 9c 3s"'],
    "spot-turn": [f'{SPOT} "0.5, 1 | 0.75, all-in" --board "Ks 7h 2d 9c" --iterations 60 --node c'],
    "spot-flop": [f'{SPOT} all-in --board "Ks 7h 2d" --iterations 10'],
    "match-frequencies": ["match always-call random --hands 5000 --seed 4 --json --out run"],
    "match-rules": [f"match {' '.join(STYLES)} --hands 300 --seed 4 --json --out run"],
    "match-limit-3p": ["match tight-aggressive loose-passive random --game holdem-limit-3p --hands 100 --json"],
    "tournament": [
        "tournament tight-aggressive loose-passive random always-call --hands 50 --matches 2 --seed 9 --json --out run"
    ],
    "logs": [
        f"match {' '.join(STYLES)} --hands 300 --seed 4 --log one.log",
        "hands check one.log --json",
        "hands convert one.log --to phhs --lossy --out one.phhs",
        "imitate build one.log --expert tight-aggressive --out cases.parquet",
        "imitate build one.log --expert tight-aggressive --workers 2 --out again.parquet",
        "match cases.parquet random --hands 50 --json",
        "hands luck one.log --player tight-aggressive --agent tight-aggressive=tight-aggressive --json",
        "hands luck one.log --player loose-passive --method imaginary --agent loose-passive=loose-passive --json",
    ],
    "dealer": [
        "DEALER holdem-nolimit-2p 60 7 alice bob --match-name served -p 0,0 --log served.log --transactions served.txt",
    ],
    "translate": [
        'translate 0.3 0.7 2 --sizes "0.5, 1, all-in" --mapping all --json',
        "translate --game holdem-nolimit-2p --history r250c/r600 --menu fcpa --json",
    ],
    "lbr": ["measure lbr tight-aggressive --boards 10 --seed 5 --json"],
    "exploit-real": ["measure exploitability always-call --real --game holdem-limit-2p --flops 2 --json"],
    "equity": [
        "equity AsAh KdKc --json",
        "equity 22+ AKs QJs --samples 20000 --seed 3 --json",
    ],
    "deals-and-sizes": [
        "acpc deal holdem-nolimit-2p --seed 5",
        "size holdem-limit-2p --json",
        "size leduc-nolimit --json",
    ],
    **{
        f"respond-leduc-{method}": [
            f"exploit tight-passive --game leduc --method {method} {options} --iterations 300 --out run --json",
            "show run",
        ]
        for method, options in (("fbr", ""), ("rnr", "--p 0.7"), ("eps-safe", "--epsilon 100"))
    },
    "respond-leduc-target": [
        "exploit always-call --game leduc --method rnr --target 200 --iterations 300 --out run --json"
    ],
    "respond-leduc-curve": ["exploit always-call --game leduc --method rnr --curve --iterations 100 --out run --json"],
    "respond-leduc-dbr": [
        "exploit loose-passive --game leduc --method dbr --p-max 0.8 --observe 2000 --iterations 300 --out run --json"
    ],
    "respond-kuhn-3p": [
        "exploit always-call --game kuhn-3p --method rnr --p 0.6 --iterations 2000 --hands 5000 --out run --json"
    ],
    "portfolio": [
        "adapt build always-call tight-passive --game leduc --iterations 200 --out folio --json",
        "adapt show folio --json",
        "adapt trace folio loose-aggressive --hands 100 --seed 2 --out trace.jsonl --json",
        "adapt prune folio --size 1 --json",
        "match folio always-raise --game leduc --hands 50 --json",
    ],
    "portfolio-sampled": [
        "adapt build always-call always-raise --game kuhn-3p --iterations 500 --hands 2000 --out folio --json"
    ],
    "pool": [
        "opponents pool make A --game leduc --iterations 50 --out pool --json",
        "opponents pool show pool --json",
        "opponents cluster pool --k 2 --out clusters --json",
        "adapt build --pool pool --game leduc --iterations 50 --out folio --json",
    ],
    "cluster": [
        "opponents cluster always-call always-raise tight-passive loose-aggressive --game leduc --k 2 --json "
        f"--method {method}"
        for method in ("greedy", "coverage", "k-means")
    ],
    "model": [
        f"match {' '.join(STYLES)} --game leduc --hands 300 --seed 4 --log one.log",
        "hands model build one.log --player loose-passive --game leduc --out model --json",
        "hands model show model --json",
        "measure exploitability model --json",
        "exploit model --method dbr --iterations 200 --out run --json",
    ],
    "model-bets": [
        f"match {' '.join(STYLES)} --hands 200 --seed 4 --log one.log",
        "hands model build one.log --player loose-passive --cards 5-bucket --menu fcpa --sample 3 --out model --json",
    ],
    "cases": [
        f"match {' '.join(STYLES)} --hands 200 --seed 4 --log one.log",
        "imitate build one.log --expert tight-aggressive --out cases.parquet",
        "imitate inspect cases.parquet --json",
        "match cases.parquet random --hands 30 --seed 2 --json",
    ],
    "learn-self-play": [
        "train self-play --players 2 --hands 4000 --seed 1 --out agent --json",
        "match agent always-call --game holdem-limit-2p --hands 30 --json",
        "measure lbr agent --boards 3 --json",
    ],
    "learn-self-play-3p": [
        "train self-play --players 3 --hands 3000 --public-observer --self-aware --out agent --json"
    ],
    "learn-self-play-resumed": [
        "train self-play --players 2 --hands 2000 --seed 1 --out agent",
        "train self-play --players 2 --hands 4000 --seed 1 --out agent --resume --json",
    ],
    "learn-best-response": [
        "train best-response always-call --players 3 --hands 2000 --evaluate 500 --out agent --json"
    ],
    "learn-opponent": [
        "match tight-aggressive loose-passive --game holdem-limit-2p --hands 200 --seed 4 --log one.log",
        "train opponent one.log --epochs 2 --out model --json",
        "train types one.log --types 2 --epochs 2 --out types --json",
        "train exploiter types --players 2 --hands 2000 --evaluate 10 --out exploiter --json",
    ],
    **{
        f"learn-small-game-{method}": [f"train small-game kuhn --steps 200 --method {method} --anchor strategy --json"]
        for method in ("exact", "reinforce")
    },
    "population": [
        "opponents population make --rounds 4 --samples 1 --seed 3 --out bots.json --json",
        "opponents population show bots.json --json",
        "opponents population play bots.json --matches 4 --deals 20 --json",
        "train self-play --players 2 --hands 1000 --seed 1 --out agent",
        "opponents population measure agent bots.json --matches 5 --deals 10 --players 3 --json",
    ],
    "rollout-error": [
        "train self-play --players 2 --hands 1000 --seed 1 --out agent",
        "measure rollouts agent --decisions 6 --samples 40 --out errors --json",
    ],
    "stats": [
        f"match {' '.join(STYLES)} --hands 200 --seed 4 --log one.log",
        "hands stats one.log --json",
        "hands export one.log --out tables",
    ],
    "competition": [
        "tournament random always-call always-raise --hands 20 --matches 10 --seed 9 --out run",
        "rank run --json --run-off",
        "rank --json",
    ],
    "spot-rake": [f'{SPOT} 0.5,all-in --board "Ks 7h 2d 9c 3s" --rake 5%'],
    **{f"reproduce-{paper}-smoke": [f"reproduce {paper} --preset smoke --json"] for paper in PAPERS},
    "reproduce-ganzfried2013": ["reproduce ganzfried2013 table-1", "reproduce ganzfried2013 table-3"],
    "reproduce-hawkin2014": ["reproduce hawkin2014 table-5.3"],
}
TIMES = re.compile(
    r'("(?:seconds|fixed|date|version|started|duration|hands_per_second|command)"\s*:\s*)(?:"[^"]*"|[-+.\w]+)'
)
SPOKEN = re.compile(r"(?<=\d) +\d+\.\d\d$|\d+(?:\.\d+)? ?s\b|\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?", re.MULTILINE)
UNTIMED = ("header", "seconds")  # arrays that differ from run to run
TEXTS = {".json", ".jsonl", ".txt", ".log", ".html", ".toml", ".phhs", ""}


def main(words: list[str]) -> int:
    """Do what `words` say; the exit status comes back."""
    match words:
        case ["record", out, *names]:
            record(Path(out), names)
            return 0
        case ["compare", one, two]:
            return compare(Path(one), Path(two))
    print(__doc__, file=sys.stderr)
    return 2


def record(out: Path, names: list[str]) -> None:
    """Run the jobs whose names begin as one of `names` (all without any), and keep their digests in `out`."""
    chosen = [name for name in JOBS if not names or name.startswith(tuple(names))]
    found: dict[str, dict[str, str]] = json.loads(out.read_text()) if out.exists() else {}
    for name in chosen:
        print(name, file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            found[name] = run_job(JOBS[name], Path(folder))
        out.write_text(json.dumps(found, indent=1) + "\n")


def run_job(commands: list[str], folder: Path) -> dict[str, str]:
    """Digests of what the commands print, by their number, and of what they leave, by path."""
    digests = {}
    for number, command in enumerate(commands):
        done = serve(command, folder) if command.startswith("DEALER") else run(command, folder)
        told = f"status {done.returncode}: {done.stderr[-300:]}" if done.returncode else ""
        digests[f"{number}: {command}"] = told or digest_text(done.stdout, folder)
    arrays: Counter[str] = Counter()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in (".png", ".svg"):
            digests[str(path.relative_to(folder))] = digest_file(path, folder)
            arrays.update(digest for name, digest in digests_of_arrays(path) if name not in UNTIMED)
    return digests | {f"arrays {digest}": str(count) for digest, count in sorted(arrays.items())}


def digests_of_arrays(path: Path) -> Iterator[tuple[str, str]]:
    """Name and digest of every array in a file of NumPy's."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays}
    else:
        found = {"array": np.load(path, allow_pickle=False)} if path.suffix == ".npy" else {}
    for name, array in found.items():
        yield name, f"{array.dtype} {hashlib.sha256(array.tobytes()).hexdigest()[:16]}"


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of kibitz; a shell splits its words."""
    line = f"{sys.executable} -m kibitz {command}"
    environment = os.environ | {"COLUMNS": "80", "PYTHONHASHSEED": "0"}
    return subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def serve(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a dealer and two agents that connect to it."""
    words = [sys.executable, "-m", "kibitz", "acpc", "dealer", *command.split()[1:], "--json"]
    dealer = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert dealer.stdout is not None
    ports = json.loads(dealer.stdout.readline())["ports"]
    play = [sys.executable, "-m", "kibitz", "acpc", "connect"]
    players = [
        subprocess.Popen([*play, agent, "localhost", str(port), "--seed", "3"], stdout=subprocess.DEVNULL)
        for agent, port in zip(STYLES, ports, strict=True)
    ]
    out, errors = dealer.communicate(timeout=600)
    for player in players:
        player.wait(timeout=60)
    return subprocess.CompletedProcess(words, dealer.returncode, out, errors)


def digest_text(text: str, folder: Path) -> str:
    """A digest of a text without what changes from run to run."""
    text = SPOKEN.sub("...", TIMES.sub(r"\1...", text.replace(str(folder), "FOLDER")))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_file(path: Path, folder: Path) -> str:
    """A digest of a file: of the arrays in an archive, of a text without times, of the bytes of anything else."""
    if path.suffix == ".npz":
        parts = [f"{name} {digest}" for name, digest in digests_of_arrays(path) if name not in UNTIMED]
        return digest_text("\n".join(parts), folder)
    if path.name == "served.txt":  # every action with the moment at which it came
        return "times"
    if path.suffix in TEXTS:
        return digest_text(path.read_text(errors="replace"), folder)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def compare(one: Path, two: Path) -> int:
    """Print every difference between two records; 1 comes back where there are any."""
    before, after = (json.loads(path.read_text()) for path in (one, two))
    different = 0
    for job in sorted(set(before) & set(after)):
        for part in sorted(set(before[job]) | set(after[job])):
            old, new = (found[job].get(part, "missing") for found in (before, after))
            if old != new:
                different += 1
                print(f"{job}: {part}: {old} -> {new}")
    print(f"{len(set(before) & set(after))} jobs compared, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
