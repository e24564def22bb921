"""Who leads under which cap: against the bankrolls at many caps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.bankroll import cap_sweep, total_bankroll
from kibitz.arena.caps import leaders, plot_cap_sweep, share_of_cap
from kibitz.arena.rankings import Rankings
from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.crosstables import published_table


@st.composite
def fields(draw):
    agents = draw(st.integers(2, 5))
    rates = np.zeros((agents, agents))
    for a in range(agents):
        for b in range(a):
            rates[a, b] = draw(st.integers(-1000, 1000))
            rates[b, a] = -rates[a, b]
    return rates


@given(fields())
def test_the_leader_has_the_largest_bankroll_at_every_cap(rates):
    found = leaders(cap_sweep(rates))
    caps = [lead.cap for lead in found] + [2000.0]
    assert caps == sorted(caps)
    for lead, until in zip(found, caps[1:], strict=True):
        for cap in np.linspace(lead.cap, until, 7):
            bankrolls = total_bankroll(rates, cap)
            assert bankrolls[lead.agent] == pytest.approx(bankrolls.max(), abs=1e-6)


def test_published_leads():
    table = published_table("acpc-2014-nolimit")
    found = [(round(lead.cap), table.names[lead.agent]) for lead in leaders(cap_sweep(table.rates))]
    assert found[0] == (0, "Tartanian7")
    assert found[-1] == (2180, "Hyperborean_tbr")


def test_shares_of_the_cap():
    rates = [[0, 900, 100], [-900, 0, 5], [-100, -5, 0]]
    assert share_of_cap(rates, 0, [1, 2], 200) == pytest.approx(0.75)
    for agent, opponents, cap, words in (
        (0, [], 200, "at least one opponent"),
        (0, [0, 1], 200, "not the agent itself"),
        (0, [1], 0, "above 0"),
    ):
        with pytest.raises(KibitzError, match=words):
            share_of_cap(rates, agent, opponents, cap)
    with pytest.raises(KibitzError, match="two players"):
        share_of_cap(np.zeros((3, 3, 3)), 0, [1], 200)


def test_a_picture_of_the_sweep_is_the_same_each_time():
    ranked = Rankings(published_table("acpc-2013-nolimit"), 750.0)
    first = plot_cap_sweep(ranked)
    assert first.startswith("<svg")
    assert "slumbot" in first or "<path" in first
    assert first == plot_cap_sweep(ranked)
