"""Agents made of others: the words before the colon, as a table.

`switch:tight-passive@1500@loose-aggressive` is such a one: what follows the colon has parts, some of which are agents
or files themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kibitz.agents.meta import meta_parts
from kibitz.agents.switching import MARK, switching_parts

AGENT, FILE, TEXT = "agent", "file", "text"
Parts = list[tuple[str, str]]  # what a part is, and how it is written; all of them in a row are the text


class Prefix(NamedTuple):
    """A word before a colon.

    load    `module:function` of what follows; with `nested` the function that loads the agents in it comes second
    parts   of what follows
    """

    load: str
    parts: Callable[[str], Parts]
    nested: bool = False


def _in_turn(split: Callable[[str], list[str]]) -> Callable[[str], Parts]:
    """Agents at the even places and other words between them, parted by marks."""

    def parts(rest: str) -> Parts:
        found: Parts = []
        for number, part in enumerate(split(rest)):
            found += [(TEXT, MARK)] * bool(number) + [(TEXT if number % 2 else AGENT, part)]
        return found

    return parts


def _settings(rest: str) -> Parts:
    agent, comma, settings = rest.partition(",")
    return [(AGENT, agent), (TEXT, comma + settings)]


def _bot(rest: str) -> Parts:
    file = rest.partition(",from=")[2]
    return [(TEXT, rest.removesuffix(file)), (FILE, file)] if file else [(TEXT, rest)]


PREFIXES: dict[str, Prefix] = {
    "rules": Prefix("kibitz.agents.rules:parse_rules", lambda rest: [(TEXT, rest)]),
    "switch": Prefix("kibitz.agents.switching:load_switching_agent", _in_turn(switching_parts), nested=True),
    "meta": Prefix("kibitz.agents.meta:load_meta_agent", _in_turn(meta_parts), nested=True),
    "explicit": Prefix("kibitz.agents.explicit:load_explicit_agent", lambda rest: [(AGENT, rest)]),
    "explore": Prefix("kibitz.agents.exploring:load_exploring_agent", _settings, nested=True),
    "rollout": Prefix("kibitz.agents.rollouts:load_rollout_agent", lambda rest: [(AGENT, rest)]),
    "population": Prefix("kibitz.agents.population:load_population_agent", _bot),
}


def split_prefix(text: str) -> tuple[Prefix | None, str]:
    """The prefix of an agent's text, None without one, and what follows."""
    word, colon, rest = text.partition(":")
    prefix = PREFIXES.get(word) if colon else None
    return (prefix, rest) if prefix is not None else (None, text)
