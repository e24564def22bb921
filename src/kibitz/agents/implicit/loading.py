"""Portfolios as agents, by their folder and settings."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from kibitz.agents.implicit.agent import ImplicitAgent
from kibitz.agents.implicit.learning import BANDITS, Learning
from kibitz.agents.portfolios import expert_folders
from kibitz.agents.settings import as_number, read_folder
from kibitz.agents.strategic import load_strategy_agent
from kibitz.errors import AgentError, KibitzError
from kibitz.modelling.estimators import Experts
from kibitz.plans import MANIFEST as STRATEGY_MANIFEST
from kibitz.policy.strategies import StrategyPolicy
from kibitz.translation import Reading

_OF_BANDITS = dict.fromkeys(name for names in BANDITS.values() for name in names)
SETTINGS = ("bandit", *_OF_BANDITS, *Reading.__dataclass_fields__, "name")


def load_portfolio_agent(text: str) -> ImplicitAgent:
    """The agent written FOLDER,bandit=exp3g,rate=0.025,least=0.02,...: settings are those of `Learning`, of `Reading`
    (mapping, measure, all_in, tiny), and name. Only the folder is needed; weights are written weights=0.5:0.3:0.2.
    With three or more players it is static.
    """
    folder, settings = read_folder(text, SETTINGS)
    name = settings.pop("name", folder.resolve().name)
    reading = Reading(**{key: settings.pop(key) for key in Reading.__dataclass_fields__ if key in settings})
    policies = []
    for expert, path in expert_folders(folder).items():
        try:
            policies.append(_load(path, _written(path), reading, expert))
        except KibitzError as error:
            raise AgentError(f"expert {expert} of {folder} cannot be used: {error}") from None
    experts = Experts(policies)
    settings.setdefault("bandit", "exp3g" if experts.tree.game.players == 2 else "static")
    return ImplicitAgent(experts, _learning(settings, text), name)


def _written(path: Path) -> int:
    manifest = path / STRATEGY_MANIFEST
    return manifest.stat().st_mtime_ns if manifest.is_file() else 0


@lru_cache(maxsize=64)
def _load(path: Path, _written: int, reading: Reading, name: str) -> StrategyPolicy:
    """The policy in `path`, kept for the next match; `_written` tells another strategy there from this one."""
    agent = load_strategy_agent(str(path)) if "," not in str(path) else None
    if agent is None:
        raise AgentError(f"{path}: a folder with a comma in its name cannot be told from settings")
    return StrategyPolicy(agent.strategy, agent.policy.states, reading, name)


def _learning(settings: dict[str, str], text: str) -> Learning:
    bandit = settings["bandit"]
    for key in settings.keys() - {"bandit"} if bandit in BANDITS else ():
        if key not in BANDITS[bandit]:
            raise AgentError(f"{key} in {text!r} is not for {bandit}: its settings are {', '.join(BANDITS[bandit])}")
    kinds = {field.name: field.type for field in fields(Learning)}
    values: dict[str, Any] = {}
    for key, value in settings.items():
        if key == "weights":
            values[key] = tuple(as_number(each, key, text) for each in value.split(":"))
        else:
            values[key] = as_number(value, key, text) if kinds[key] == "float" else value
    return Learning(**values)
