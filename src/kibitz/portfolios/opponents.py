"""Who a portfolio responds to: opponents by name, those of a pool among them, and the game in which all are met."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kibitz.agents import absolute_agent, load_agent
from kibitz.agents.registry import agent_content
from kibitz.errors import KibitzError
from kibitz.plans import kind_of
from kibitz.policy import known_policy
from kibitz.pools import load_pool
from kibitz.strategy import FrequentistModel

if TYPE_CHECKING:
    from kibitz.solvers.plan import ProblemPlan
    from kibitz.solvers.problem import Problem


class Opponents(NamedTuple):
    """Those who can be responded to, each the name of a folder -> an agent with its whole path; and who cannot."""

    agents: dict[str, str]
    left_out: list[str]


def find_opponents(texts: Sequence[str], pool: str) -> Opponents:
    """Opponents as they are written, and those of a pool; agents that only play are left out of a pool."""
    told = [_named(text) for text in texts]
    found = [(name or _own_name(agent), absolute_agent(agent)) for name, agent in told]
    left_out: list[str] = []
    for member in load_pool(Path(pool)) if pool else []:
        if _is_model(member.agent) or known_policy(load_agent(member.agent)) is not None:
            found.append((member.name, absolute_agent(member.agent)))
        else:
            left_out.append(member.name)
    names = [name for name, _agent in found]
    if not names:
        raise KibitzError("a portfolio without opponents: name at least one")
    if twice := [name for name in names if names.count(name) > 1]:
        raise KibitzError(f"two opponents are called {twice[0]}: give names of their own, as in name=agent")
    if wrong := [name for name in names if "/" in name or "," in name or name.startswith(".") or not name]:
        raise KibitzError(f"{wrong[0]!r} cannot name a folder: give the opponent a name, as in name=agent")
    return Opponents(dict(found), left_out)


def game_of_all(agents: dict[str, str], asked: ProblemPlan) -> tuple[Problem, str]:
    """The game that was asked for, or that of the folders among the opponents, all of which must have its bets; and the
    folder that brought it. Models come first: their cards are those of the responses.
    """
    from kibitz.training.opponents import Against, check_own_bets, choose_problem, load_known

    known = {name: load_known(text) for name, text in agents.items()}
    folders = {name: found for name, found in known.items() if found is not None}
    brought = {name: found for name, found in folders.items() if isinstance(found, FrequentistModel)} | folders
    game = asked.game or (None if brought else "leduc")
    problem, first = choose_problem(asked, game, brought), "" if game else next(iter(brought))
    for name, found in brought.items():
        check_own_bets(name, Against(problem, found), first)
    return problem, agents[first] if first else ""


def opponent_content(text: str) -> str:
    """What an opponent is, wherever its files lie."""
    name, agent = _named(text)
    return f"{name}={agent_content(agent)}" if name else agent_content(agent)


def _named(text: str) -> tuple[str, str]:
    """The name that an opponent was given, if any, and its agent."""
    name, equals, agent = text.partition("=")
    return (name, agent) if equals and "," not in name and ":" not in name else ("", text)  # settings have that too


def _own_name(agent: str) -> str:
    return Path(agent.partition(",")[0]).resolve().name if _is_model(agent) else load_agent(agent).name


def _is_model(agent: str) -> bool:
    return kind_of(Path(agent.partition(",")[0])) == "model"
