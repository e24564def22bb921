"""Agents from code and from objects: a class in a file, a class or function, a strategy, or an agent as it is."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from kibitz.agents.base import Agent
from kibitz.agents.faults import agent_name, describe, is_interrupt, note_authored, place_of
from kibitz.errors import AgentError, KibitzError


def agent_of(given: object) -> Agent:
    """The agent that is no text: a new one of a class or function that makes agents, one that plays a strategy (or
    what has one, such as a solution), or the very one that is given.
    """
    from kibitz.agents.strategic import strategy_agent
    from kibitz.strategy import Strategy

    if isinstance(given, Agent) and not isinstance(given, type):
        return given
    strategy = getattr(given, "strategy", given)
    if isinstance(strategy, Strategy):
        return strategy_agent(strategy)
    if not callable(given):
        raise AgentError(
            f"{given!r} is not an agent: give a name, a folder or file.py:Class as text, a class, a strategy or an "
            "object with name, reset, act and observe"
        )
    label = getattr(given, "__qualname__", type(given).__name__)
    try:
        return _checked(given(), label)
    except KibitzError:
        raise
    except Exception as error:
        raise AgentError(f"{label} makes no agent: {describe(error)}") from error


def _checked(agent: object, label: str) -> Agent:
    """`agent`, if it is one and has a name that can be shown."""
    if not isinstance(agent, Agent):
        raise AgentError(f"{label} makes {type(agent).__name__}, which lacks name, reset, act or observe")
    agent_name(agent.name, label)
    return agent


def load_from_file(path: Path, attribute: str) -> Agent:
    """The agent that a class or function in the file at `path` makes."""
    module = _import(path)
    factory = getattr(module, attribute, None)
    if not callable(factory):
        raise AgentError(f"{path} has no class or function {attribute!r}")
    try:
        agent: Agent = factory()
        name = getattr(agent, "name", "")
    except AgentError:
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise AgentError(f"{path}:{attribute} makes no agent: {_fault(error)}") from error
    _checked(agent, f"{path}:{attribute}")
    note_authored((kind.__module__ for kind in type(agent).__mro__), agent_name(name, f"{path}:{attribute}"))
    return agent


def _import(path: Path) -> ModuleType:
    if not path.is_file():
        raise AgentError(f"no file {path}")
    # Registered under a name of its own: dataclasses and pickles look their module up.
    name = f"kibitz_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    note_authored([name])
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if is_interrupt(error):
            raise
        raise AgentError(f"{path} cannot be loaded: {_fault(error)}") from error
    return module


def _fault(error: BaseException) -> str:
    place = place_of(error)
    return f"{describe(error)} ({place})" if place else describe(error)
