import pytest

from agents.implicit.small_experts import experts, problem
from kibitz.agents import absolute_agent, agent_files, load_agent
from kibitz.agents.implicit import ImplicitAgent
from kibitz.agents.meta import ENOUGH, AlwaysDetector, MetaAgent, MinBetDetector
from kibitz.arena.match import Match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, State, load_game


def played(agent, opponent, hands, game="leduc"):
    """Who was to play before each hand, 0 for the default."""
    match = Match(load_game(game), AcpcCards(3), [agent, load_agent(opponent)], [1, 2], hands=hands)
    found = [agent._now]
    for _hand in match.play_out():
        found.append(agent._now)
    return found


def test_one_who_always_calls_is_found_after_enough_decisions():
    agent = load_agent("meta:probe@always-raise@always-fold@always-call@always-raise")
    now = played(agent, "always-call", 60)
    assert now[0] == 0
    assert now[-1] == 2
    assert sorted(now) == now  # never given up again
    assert 5 < now.index(2) <= ENOUGH


def test_one_who_always_raises_is_found_though_it_must_call_at_the_cap():
    assert played(load_agent("meta:probe@always-raise@always-call"), "always-raise", 60)[-1] == 1
    assert played(load_agent("meta:probe@always-call@always-raise"), "always-raise", 60)[-1] == 0


def test_the_first_contradiction_ends_it():
    agent = load_agent("meta:probe@always-call@always-raise")
    now = played(agent, "switch:always-call@40@loose-aggressive", 120)
    assert now[40] == 1
    assert now[-1] == 0
    assert set(played(agent, "tight-passive", 100)) == {0}


def test_small_bets_are_counted_by_hand_and_not_the_first_one():
    game = load_game("holdem-nolimit-2p")
    detector, start = MinBetDetector(), State.start(game)
    detector.see(start, "r200")  # the first bet of the hand
    assert not detector.found
    later = start.apply("c").apply("c")
    detector.see(later, "r200")
    assert not detector.found  # still nobody has bet
    raised = start.apply("r300")
    detector.see(raised, "r500")
    detector.see(raised, "r500")
    assert detector.found
    detector.hands = 101
    assert not detector.found
    detector.see(raised, "r600")  # larger than the smallest
    assert not detector.found


def test_forced_decisions_do_not_count():
    game = load_game("leduc")
    detector, state = AlwaysDetector("r"), State.start(game)
    capped = state.apply("r").apply("r")
    for _ in range(ENOUGH):
        detector.see(state, "r")
    detector.see(capped, "c")  # no raise is left
    assert detector.found
    detector.see(state, "c")
    assert not detector.found


def test_an_agent_that_adapts_learns_only_from_hands_that_it_played():
    of = problem("leduc")
    inner = ImplicitAgent(experts(of))
    told = []
    inner.watch = told.append
    agent = MetaAgent(load_agent("tight-passive"), ["always-call"], [inner])
    now = played(agent, "always-call", 60)
    assert now[-1] == 1
    first = now.index(1)
    assert [step.hand for step in told] == list(range(first, 60))  # always-call never ends a hand before we act


def test_names_and_files(tmp_path):
    assert agent_files("meta:probe@always-call@always-raise") == []
    assert absolute_agent("meta:probe@min-bets@probe") == "meta:probe@min-bets@probe"
    file = tmp_path / "mine.py"
    file.write_text("from kibitz.agents.frequency import probe\nmade = probe\n")
    assert agent_files(f"meta:{file}:made@min-bets@probe") == [file]
    assert load_agent(f"meta:{file}:made@min-bets@probe").name == "probe-min-bets-probe"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("meta:probe", r"write meta:AGENT@KIND@AGENT, where KIND is one of always-call, always-raise, min-bets"),
        ("meta:probe@bluffs@probe", "nothing detects 'bluffs'"),
        ("meta:probe@min-bets@nobody", "no agent 'nobody'"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(AgentError, match=message):
        load_agent(text)


def test_it_watches_one_opponent():
    with pytest.raises(AgentError, match="has 3 players"):
        load_agent("meta:probe@min-bets@probe").reset(load_game("kuhn-3p"), 0)
