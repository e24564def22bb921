"""Every kind of plan, killed at five random moments and resumed, leaves the same bytes as one that was left alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.plans.kinds import PLANS

LEDUC = "--game leduc"
# A small one of each: whoever adds a plan adds a line here.
SMALL = {
    "solve": "leduc --iterations 300",
    "style": f"always-call {LEDUC} --styles 5 --hands 20",
    "sweep": "solve kuhn --iterations 50 --over algorithm=cfr,cfr+",
    "train": "tiny",
    "pool make": f"A {LEDUC} --iterations 20",
    "pool member": "",
    "portfolio build": f"always-call tight-passive {LEDUC} --iterations 50",
    "portfolio expert": "",
    "cluster": f"always-call always-raise tight-passive {LEDUC} --k 2",
    "respond": f"always-call {LEDUC} --method rnr --p 0.7 --iterations 100",
    "model build": "",
    "solve-spot": "--board Qs8d3c2h --pot 20 --stack 60 --oop AA,QJs,T9s --ip QQ,AQs,KTs --iterations 300 --accuracy 0",
    "abstract cards": "",
    "abstract bets": "leduc-nolimit --iterations 400 --runs 2 --ranges 1 --algorithm red",
    "cases build": "",
}
WITHIN = {"pool member", "portfolio expert"}  # cells of others, which are killed with them


def test_every_kind_is_killed():
    assert SMALL.keys() == PLANS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in SMALL if SMALL[kind]])
def test_a_killed_run_leaves_the_same_bytes(kind, tmp_path):
    words = [sys.executable, "-m", "plans.killing", str(tmp_path), "7", "5", *kind.split(), *SMALL[kind].split()]
    tests = Path(__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tests), *filter(None, sys.path)])}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=400, check=False, cwd=tests)
    assert done.returncode == 0, done.stdout + done.stderr
