"""Every kind of plan, killed at five random moments and resumed, leaves the same bytes as one that was left alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.learning import Model, Structure, save_model
from kibitz.plans.kinds import PLANS

LEDUC = "--game leduc"
# A small one of each: whoever adds a plan adds a line here.
SMALL = {
    "solve": "leduc --iterations 300",
    "train style": f"always-call {LEDUC} --styles 5 --hands 20",
    "match": f"tight-aggressive always-call {LEDUC} --hands 60 --matches 12",
    "tournament": f"random always-call always-raise {LEDUC} --hands 50 --matches 20",
    "sweep": "solve kuhn --iterations 50 --over algorithm=cfr,cfr+",
    "train blueprint": "tiny --threads 1 --lbr-boards 2",
    "opponents pool make": f"A {LEDUC} --iterations 20",
    "adapt build": "always-call tight-passive --game kuhn --method dbr --observe 5000 --iterations 50",
    "opponents cluster": f"always-call always-raise tight-passive {LEDUC} --k 2",
    "exploit": f"always-call {LEDUC} --method rnr --p 0.7 --iterations 100",
    "hands model build": "{logs}/0.log --player p1 --cards one-bucket --seen-tree",
    "train self-play": "--players 3 --hands 12800",
    "train best-response": "{model} --players 3 --hands 12800 --evaluate 200",
    "train exploiter": "{model} --players 3 --hands 12800 --evaluate 4",
    "train opponent": "{logs} --epochs 3 --hide-folded",
    "train types": "{logs} --types 2 --epochs 2 --hide-folded",
    "train small-game": "kuhn --steps 5000",
    "opponents population make": "--rounds 1",
    "measure rollouts": "{model} --decisions 100 --samples 40 --players 3",
    "spot": "--board Qs8d3c2h --pot 20 --stack 60 --oop AA,QJs,T9s --ip QQ,AQs,KTs --iterations 300 --accuracy 0",
    "abstract cards": "one-bucket",
    "abstract bets": "leduc-nolimit --iterations 120 --runs 2 --ranges 1 --algorithm red",
    "imitate build": "{logs}/0.log --expert p1 --alphabet fcr --strength made-hand",
}
HANDS = (
    "STATE:{}:rfrrc/cc/rrc/rrrrc:5d5c|9hQd|8dAs/8s4h6d/5s/Js:-5|-160|165:p1|p2|p3",
    "STATE:{}:cfc/rrrrc/crc/rrrrc:4h6c|3sQc|TsAd/4s2s4d/Ah/8d:-5|-150|155:p2|p3|p1",
)
WITHIN = {"opponents pool member", "adapt expert"}  # cells of others, which are killed with them
KILLED = [*SMALL]
BATCHES = 6  # of plans that one process kills after one another: it starts and imports once


def test_every_kind_is_killed():
    assert {*KILLED} | WITHIN == PLANS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [KILLED[batch::BATCHES] for batch in range(BATCHES)], ids=", ".join)
def test_killed_runs_leave_the_same_bytes(kinds, tmp_path):
    model, logs = tmp_path / "model", tmp_path / "logs"
    save_model(Model.random(Structure(), 2, 0.3), model)
    logs.mkdir()
    for match in range(6):
        lines = [HANDS[number % 2].format(number) for number in range(20)]
        (logs / f"{match}.log").write_text("\n".join(lines) + "\n")
    commands = [f"{kind} {SMALL[kind].format(model=model, logs=logs)}" for kind in kinds]
    words = [sys.executable, "-m", "plans.killing", str(tmp_path), "7", "5", *commands]
    tests = Path(__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tests), *filter(None, sys.path)])}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=400, check=False, cwd=tests)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == kinds
