"""Watched matches as a section of a tournament's report: what a portfolio won, and the plots of its weights."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.errors import FormatError
from kibitz.files import parse_json, svg_text
from kibitz.games.stakes import MILLI_ANTES
from kibitz.portfolios.tracing import Trace, draw_weights
from kibitz.statistics import MILLI_BIG_BLINDS, Estimate

THOUSANDTHS = {"antes": MILLI_ANTES, "big blinds": MILLI_BIG_BLINDS}


class WatchedMatch(NamedTuple):
    """A match of a portfolio as `kibitz portfolio trace --out` wrote it."""

    agent: str
    opponent: str
    game: str
    trace: Trace

    @property
    def settled(self) -> tuple[str, float]:
        """The expert with the largest weight in the last hand, and that weight."""
        last = self.trace.weights[-1]
        return self.trace.names[int(last.argmax())], float(last.max())


def read_trace(path: Path) -> WatchedMatch:
    """The match in a file of JSON lines, one for each hand from hand 0 on; FormatError where it is none."""
    try:
        hands = [parse_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return _gathered(hands)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise FormatError(
            f"{path} holds no match of a portfolio ({reason}): `kibitz portfolio trace` writes such files"
        ) from error


def _gathered(hands: list[dict[str, Any]]) -> WatchedMatch:
    if not hands:
        raise ValueError("it is empty")
    first = hands[0]
    agent, opponent, game, unit = (str(first[key]) for key in ("agent", "opponent", "game", "unit"))
    names = tuple(map(str, first["weights"]))
    for number, hand in enumerate(hands):
        if hand["hand"] != number:
            raise ValueError(f"line {number + 1} is hand {hand['hand']}, not hand {number}")
        if (hand["agent"], hand["opponent"], hand["game"], hand["unit"]) != (agent, opponent, game, unit):
            raise ValueError(f"line {number + 1} is of another match")
    weights, estimates = (
        np.array([[np.nan if hand[key][name] is None else hand[key][name] for name in names] for hand in hands], float)
        for key in ("weights", "estimates")
    )
    won = np.array([hand["won"] for hand in hands], float)
    if not (names and np.isfinite(weights).all() and np.isfinite(won).all()):
        raise ValueError("some weights or winnings are no numbers")
    if unit not in THOUSANDTHS:
        raise ValueError(f"the unit {unit!r} is none of {', '.join(THOUSANDTHS)}")
    return WatchedMatch(agent, opponent, game, Trace(names, weights, estimates, won, unit, THOUSANDTHS[unit]))


def render_traces(paths: Iterable[Path]) -> str:
    """A section for each agent and game, as HTML: a table with a row for each opponent, and a plot for each."""
    matches = [read_trace(path) for path in paths]
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    text = (files("kibitz.portfolios") / "templates" / "traces.html").read_text(encoding="utf-8")
    agents = [
        (agent, game, [_row(match) for match in group])
        for (agent, game), group in groupby(matches, lambda match: (match.agent, match.game))
    ]
    return environment.from_string(text).render(agents=agents)


def _row(match: WatchedMatch) -> dict[str, object]:
    expert, weight = match.settled
    return {
        "opponent": match.opponent,
        "hands": len(match.trace.won),
        "won": _rate(match.trace.rate),
        "unit": match.trace.thousandth,
        "rewards": match.trace.unit,
        "expert": expert,
        "weight": weight,
        "plot": svg_text(draw_weights(match.trace, f"weights against {match.opponent}")),
    }


def _rate(rate: Estimate) -> str:
    half = f"{rate.half_width:,.0f}" if np.isfinite(rate.half_width) else "–"
    return f"{rate.mean:+,.0f} ± {half}".replace("-", "−")
