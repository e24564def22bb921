"""The figures of chapter 4 and table 4.2 in small games, by name."""

from __future__ import annotations

from functools import partial

from kibitz.experiments.bard2016 import asymmetric_table, curves, observations
from kibitz.experiments.bard2016.settings import TITLES
from kibitz.experiments.published import Effort, Experiment


def _declared(name: str, make: partial[Experiment]) -> dict[str, Experiment]:
    """An experiment whose table is that of any effort."""
    return {name: Experiment(make(Effort("full")).published, None, scaled=make)}


EXPERIMENTS: dict[str, Experiment] = {}
EXPERIMENTS |= _declared(asymmetric_table.NAME, partial(asymmetric_table.statements_at))
for _game in TITLES:
    EXPERIMENTS |= _declared(f"table-4.2-{_game}", partial(asymmetric_table.table_at, _game))
EXPERIMENTS |= _declared("figure-4.2", partial(observations.statements_at))
for _game in TITLES:
    EXPERIMENTS |= _declared(f"figure-4.2-{_game}", partial(observations.table_at, _game))
for _name in curves.SOURCES:
    EXPERIMENTS |= _declared(_name, partial(curves.statements_at, _name))
    for _game in TITLES:
        EXPERIMENTS |= _declared(f"{_name}-{_game}", partial(curves.table_at, _name, _game))
