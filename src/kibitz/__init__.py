"""Kibitz: a laboratory for computer poker.

>>> import kibitz
>>> solution = kibitz.solve("leduc", 200)         # an equilibrium
>>> solution.exploitability < 0.01                # chips per hand; solution.plot() draws the curve
True
>>> print(kibitz.compute_equity("AsAh", "KdKc"))
81.2555% 18.7445% (exact, 1,712,304 boards)
>>> print(kibitz.play_match("always-raise", "always-fold", hands=100))
always-raise  +750.0 ± 0.0 mbb/hand, 200 hands
always-fold   -750.0 ± 0.0 mbb/hand, 200 hands

Every name below has an example in its docstring. They are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "KibitzError": "kibitz.errors",
    "State": "kibitz.games",
    "load_game": "kibitz.games",
    "load_strategy": "kibitz.strategy",
    "load_agent": "kibitz.agents",
    "compute_equity": "kibitz.equity",
    "solve": "kibitz.public.solving",
    "exploitability": "kibitz.public.solving",
    "best_response": "kibitz.public.solving",
    "train_agent": "kibitz.public.solving",
    "solve_spot": "kibitz.public.spots",
    "play_match": "kibitz.public.playing",
    "play_tournament": "kibitz.public.playing",
    "read_hands": "kibitz.public.playing",
    "translate_bet": "kibitz.public.playing",
}

if TYPE_CHECKING:
    from kibitz.agents import load_agent as load_agent
    from kibitz.equity import compute_equity as compute_equity
    from kibitz.errors import KibitzError as KibitzError
    from kibitz.games import State as State
    from kibitz.games import load_game as load_game
    from kibitz.public.playing import play_match as play_match
    from kibitz.public.playing import play_tournament as play_tournament
    from kibitz.public.playing import read_hands as read_hands
    from kibitz.public.playing import translate_bet as translate_bet
    from kibitz.public.solving import best_response as best_response
    from kibitz.public.solving import exploitability as exploitability
    from kibitz.public.solving import solve as solve
    from kibitz.public.solving import train_agent as train_agent
    from kibitz.public.spots import solve_spot as solve_spot
    from kibitz.strategy import load_strategy as load_strategy

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
