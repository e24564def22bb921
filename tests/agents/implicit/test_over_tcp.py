"""Through the ACPC protocol an implicit agent learns what it learns in this process."""

import threading

import numpy as np
import pytest

from agents.implicit.small_experts import experts, problem, rival
from arena.dealer_thread import PATIENCE, Table
from kibitz.agents.implicit import ImplicitAgent, Learning
from kibitz.agents.remote import play_remote
from kibitz.arena.local import play_locally
from kibitz.random import derive_seed


@pytest.mark.parametrize(("game", "menu", "hands"), [("leduc", "full", 120), ("leduc-nolimit", "fcpa", 60)])
def test_weights_after_a_match_over_tcp_are_those_of_a_match_in_this_process(game, menu, hands):
    of = problem(game, menu)
    players = [ImplicitAgent(experts(of), Learning(rate=0.1)), rival(of)]
    table = Table(game, hands, seed=4)
    threads = [
        threading.Thread(target=play_remote, args=(player, of.game, ("127.0.0.1", port), 8), daemon=True)
        for player, port in zip(players, table.ports, strict=True)
    ]
    for thread in threads:
        thread.start()
    table.finish()
    for thread in threads:
        thread.join(PATIENCE)
    assert table.error is None
    local, lines = [ImplicitAgent(experts(of), Learning(rate=0.1)), rival(of)], []
    play_locally(table.plan, local, [derive_seed(8, seat) for seat in range(2)], lines.append)
    assert table.log == lines
    assert (players[0].weights() == local[0].weights()).all()
    assert np.ptp(players[0].weights()) > 0.01
