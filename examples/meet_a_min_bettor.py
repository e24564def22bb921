"""A no-limit agent that adapts, and that plays a strategy of its own against opponents who bet the minimum.

    python examples/meet_a_min_bettor.py

Bard 2016, section 6.2.3: bets that are not on the menu of an agent's strategies are translated, and small ones badly.
So somebody watches for them, and hands over to a strategy that knows them.
"""

import tempfile
from pathlib import Path

from kibitz.agents import load_agent
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.meta import MetaAgent
from kibitz.agents.strategic import strategy_agent
from kibitz.arena.match import Match
from kibitz.games import AcpcCards, load_game
from kibitz.games.stakes import Stake, win_rate
from kibitz.plans import carry_out
from kibitz.policy import policy_of
from kibitz.portfolios import PortfolioPlan
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.solvers.problem import Problem
from kibitz.statistics import Moments

HANDS = 2000


def min_bettor():
    """Bets and raises the smallest legal amount, half of the time."""
    return FrequencyAgent.of("min-bettor", {"call": 1, "min": 1}, {"fold": 1, "call": 1, "min": 2})


def play(agent, hands=HANDS):
    """What the agent wins, and who played each hand where it is one of several."""
    won, who = [], []
    for hand in Match(game, AcpcCards(7), [agent, min_bettor()], [1, 2], hands=hands).play_out():
        won.append(hand.chips[0])
        who.append(agent.current.name if isinstance(agent, MetaAgent) else agent.name)
    return win_rate(Moments.of(won), Stake.of(game)), who


if __name__ == "__main__":
    game = load_game("leduc-nolimit")
    with tempfile.TemporaryDirectory() as folder:
        # A portfolio has one betting menu: here pot-sized bets and all-in. Its experts answer two opponents.
        plan = PortfolioPlan(("always-call", "always-raise"), game="leduc-nolimit", menus="1, all-in")
        list(carry_out(plan, Path(folder) / "mine"))  # it yields as it goes on
        portfolio = load_agent(str(Path(folder) / "mine"))
        # The other strategy knows the smallest bet: a restricted Nash response to one who makes it.
        small = Problem(game, "min, 1, all-in")
        known = opponent_strategy(policy_of(min_bettor()), small, seed=0)
        answer = strategy_agent(respond(small, known, Method("rnr", 0.8)).strategy, "answer")
        meta = MetaAgent(portfolio, ["min-bets"], [answer], "meta")
        for agent in (portfolio, answer, meta):
            rate, who = play(agent)
            print(f"{agent.name:6} {rate}")
        print(f"after hand {who.index('answer') + 1} the answer plays")
