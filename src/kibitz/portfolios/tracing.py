"""A match of an implicit agent, watched: its weights and estimates hand by hand, as JSON lines and as a plot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kibitz.agents import Agent
from kibitz.agents.implicit import HandReport, ImplicitAgent
from kibitz.arena.chance import Chance
from kibitz.arena.match import Match
from kibitz.errors import AgentError
from kibitz.files import save_figure
from kibitz.games import Game
from kibitz.games.stakes import Stake
from kibitz.policy.base import Floats
from kibitz.statistics import Estimate, Moments

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Trace(NamedTuple):
    """A watched match.

    names      of the experts
    weights    : float64[hands, experts], by which every hand was played
    estimates  : float64[hands, experts], what each expert would have won, in `unit`; nan where unknown
    won        : float64[hands], what the agent won, in `unit`
    unit       of rewards: big blinds, or antes; its thousandth, per hand, is `thousandth`
    """

    names: tuple[str, ...]
    weights: Floats
    estimates: Floats
    won: Floats
    unit: str
    thousandth: str

    def rates(self) -> dict[str, Estimate]:
        """What each expert would have won in thousandths of the unit per hand, as the agent estimates it."""
        columns = ([x for x in column.tolist() if x == x] for column in self.estimates.T)
        return {
            name: Moments.of(known).estimate(1000, self.thousandth)
            for name, known in zip(self.names, columns, strict=True)
        }

    @property
    def rate(self) -> Estimate:
        """What the agent won, in the same."""
        return Moments.of(self.won.tolist()).estimate(1000, self.thousandth)


def watch(
    agent: Agent, opponent: Agent, game: Game, hands: int, chance: Chance
) -> Iterator[tuple[HandReport, tuple[str, ...]]]:
    """Play a match, and tell every step of `agent` with the names of its experts."""
    if not isinstance(agent, ImplicitAgent):
        raise AgentError(f"{agent.name} is no portfolio: there are no weights to watch")
    if game.players != 2:
        raise AgentError(f"{agent.name} is static with {game.players} players: there are no weights to watch")
    told: list[HandReport] = []
    agent.watch = told.append
    match = Match(game, chance.cards(), [agent, opponent], [chance.seat(0), chance.seat(1)], hands=hands)
    for _hand in match.play_out():
        yield told.pop(), agent.experts.names


def to_line(step: HandReport, names: tuple[str, ...], **match: str) -> str:
    """A step as a line of JSON, after what is said of the match: agent, opponent and game."""
    known: dict[str, Any] = {
        **match,
        "hand": step.hand,
        "position": step.position,
        "won": step.won,
        "unit": step.unit,
        "weights": dict(zip(names, step.weights.tolist(), strict=True)),
        "estimates": {
            name: None if value != value else value for name, value in zip(names, step.estimates.tolist(), strict=True)
        },
    }
    return json.dumps(known)


def gather(steps: list[HandReport], names: tuple[str, ...], game: Game) -> Trace:
    """The whole match from its steps."""
    return Trace(
        names,
        np.array([step.weights for step in steps]),
        np.array([step.estimates for step in steps]),
        np.array([step.won for step in steps]),
        steps[0].unit,
        Stake.of(game).unit,
    )


def plot_weights(trace: Trace, path: Path, title: str = "") -> None:
    """The weights of the experts over the hands of a match, in a file."""
    save_figure(path, draw_weights(trace, title))


def draw_weights(trace: Trace, title: str = "") -> Figure:
    """The same as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    for name, column in zip(trace.names, trace.weights.T, strict=True):
        axes.plot(column, label=name, lw=1.2)
    axes.set_xlabel("hand")
    axes.set_ylabel("weight")
    axes.set_ylim(0, 1)
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
