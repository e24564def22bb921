"""Safe exploitation: what is won may be risked, and no more."""

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.best_response import best_response
from kibitz.responses.robust.safely import SafeExploiter
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import owner_mask
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import Strategy

GAMES = {name: Problem(load_game(name)).vector for name in ("kuhn", "leduc")}


def value(game, seat: int, ours: Strategy, theirs: Strategy) -> float:
    both = np.where(owner_mask(game.layout, seat), ours.values, theirs.values)
    return root_values(game, both, np.empty(0), best=False)[seat]


@pytest.mark.parametrize("rule", ["sps", "rwywe"])
@pytest.mark.parametrize("name", GAMES)
def test_nobody_takes_more_than_was_given(name, rule):
    """Against one who is weak at first and then plays best responses, the total stays that of an equilibrium."""
    game = GAMES[name]
    weak, player = Strategy.uniform(game.layout), SafeExploiter(game, rule, 0.01)
    ahead, allowed, at_start = 0.0, 0.0, 0.0
    for t in range(16):
        seat = t % 2
        ours = player.respond(seat, weak)
        theirs = weak if t < 8 else best_response(game, ours)[0]
        won = value(game, seat, ours, theirs)
        player.record(seat, won)
        ahead += won - player.value(seat)
        allowed += 0.01 / (t + 1) if rule == "sps" else 0.0
        assert ahead >= -allowed - 1e-7
        at_start = ahead if t == 7 else at_start
    assert at_start > 0.5  # it did exploit
    assert ahead < at_start  # and risked what it had won


def test_what_was_won_lets_more_be_won():
    game, weak = GAMES["leduc"], Strategy.uniform(GAMES["leduc"].layout)
    player, gains = SafeExploiter(game), []
    for _ in range(6):
        won = value(game, 0, player.respond(0, weak), weak)
        player.record(0, won)
        gains.append(won)
    assert gains == pytest.approx(sorted(gains), abs=1e-9)
    assert gains[-1] > gains[0] + 0.3


def test_unknown_rules_are_refused():
    with pytest.raises(KibitzError, match="one of sps, rwywe"):
        SafeExploiter(GAMES["kuhn"], "greedy")
