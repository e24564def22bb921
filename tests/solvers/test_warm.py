"""Getting ready is no part of the solving: `step(0)` loads, or compiles, all that later steps call."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json
import sys

import numpy as np
from numba.core.dispatcher import Dispatcher

from kibitz.cards import parse_cards
from kibitz.equity import Range
from kibitz.games import load_game
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options, make_solver
from kibitz.spots import Spot, SpotCFR, SpotGame
from kibitz.solvers.compiled import vector as form_module
from solvers.test_dense import TREE, bucket_game

def loaded():
    '''Compiled versions of all kernels, by module and name.'''
    return {
        f"{module}.{name}": len(value.signatures)
        for module in sorted(sys.modules) if module.startswith("kibitz.") and module.endswith("_kernels")
        for name, value in vars(sys.modules[module]).items() if isinstance(value, Dispatcher)
    }

def late(solver):
    '''The kernels that steps load beyond those of step(0).'''
    memory = {name: array.copy() for name, array in solver.arrays().items()}
    solver.step(0)
    before = loaded()
    assert all((array == memory[name]).all() for name, array in solver.arrays().items())
    assert any(before.values()), "nothing was loaded at all"
    solver.step(2)
    after = loaded()
    return [name for name in after if after[name] != before.get(name, 0)]

def dense():
    form_module.WIDE = 1
    form = form_module.VectorGame(TREE, bucket_game(3, 5, 3))
    assert form.is_dense
    return CFR(form)

def spot(board):
    ranges = Range.parse("AA,KQs"), Range.parse("QQ,AKs")
    return SpotCFR(SpotGame(Spot(parse_cards(board), 10, (20, 20), ranges, "1", 1)))

kuhn = Problem(load_game("kuhn"))
makers = {
    "spot on the turn": lambda: spot("Ts6hAh7c"),
    "spot on the river": lambda: spot("Ts6hAh7c2d"),
    "dense": dense,
    **{name: lambda name=name: make_solver(name, kuhn) for name in ("cfr", "external", "cfr-br")},
    "external on two threads": lambda: make_solver("external", kuhn, Options(threads=2)),
}
print(json.dumps({name: late(make()) for name, make in makers.items()}))
"""


def test_step_zero_loads_all_kernels():
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    program = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert {name: late for name, late in json.loads(done.stdout).items() if late} == {}
