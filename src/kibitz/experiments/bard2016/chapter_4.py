"""Chapter 4 in small games: for each figure a table of statements, and one of numbers for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from kibitz.experiments.bard2016 import asymmetric, curves, observations
from kibitz.experiments.bard2016.drawing import Line, draw_panels
from kibitz.experiments.bard2016.printed import STATEMENTS
from kibitz.experiments.bard2016.settings import SETTINGS, TITLES, UNIT
from kibitz.experiments.bard2016.studies import study_of, tuned_4_2
from kibitz.experiments.claims import Claims, explain, judge, statements
from kibitz.experiments.published import Cells, Effort, Experiment, by_effort, unprinted


class Figure(NamedTuple):
    """What is shown of the studies of some games.

    stated, titled    sources of the table of statements, and of that of a game called {title}
    heading, shape    of a game's table: of its first column, and rows and columns by the name of the game
    studies           by the name of the game, all that an effort has
    claims, cells     of a study
    notes             how the numbers of some studies are found
    lines, across     of a picture with a panel for each game
    """

    stated: str
    titled: str
    heading: str
    shape: Callable[[str], tuple[Iterable[str], Iterable[str]]]
    studies: Callable[[Effort], dict[str, Any]]
    claims: Callable[[Any], Claims]
    cells: Callable[[Any], Cells]
    notes: Callable[[list[Any]], tuple[str, ...]]
    lines: Callable[[Any], list[Line]] | None = None
    across: str = ""

    def statements(self, name: str, effort: Effort) -> Experiment:
        """The statements on it in all games of an effort."""
        studies = self.studies(effort)

        def find() -> Cells:
            for game, study in studies.items():
                yield from judge(TITLES[game], self.claims(study))

        def draw() -> str:
            assert self.lines is not None
            return draw_panels({TITLES[game]: self.lines(study) for game, study in studies.items()}, self.across)

        return Experiment(
            statements(self.stated, STATEMENTS[name], TITLES.values()),
            find,
            (*explain(STATEMENTS[name]), *self.notes(list(studies.values()))),
            draw if self.lines else None,
            lambda: {"made": {game: study.ledger.made for game, study in studies.items()}},
        )

    def table(self, game: str, effort: Effort) -> Experiment:
        """Its numbers in one game."""
        rows, columns = self.shape(game)
        published = unprinted(self.titled.format(title=TITLES[game]), self.heading, columns, rows, 1)
        study = self.studies(effort).get(game)
        if study is None:
            return Experiment(published, None, ("Not computed by this preset.",))
        made = {"made": study.ledger.made}
        return Experiment(published, lambda: self.cells(study), self.notes([study]), values=lambda: made)


def _studies(effort: Effort) -> dict[str, Any]:
    return {game: study_of(setting, effort) for game, setting in SETTINGS[effort.preset].items()}


def _cross_tables(effort: Effort) -> dict[str, Any]:
    return {game: asymmetric.cross_table(game, effort) for game in asymmetric.SETTINGS[effort.preset]}


def _shape_of_4_2(game: str) -> tuple[Iterable[str], Iterable[str]]:
    setting = SETTINGS["full"][game]
    return tuned_4_2(setting), (f"{hands:,}" for hands in setting.hands)


def _shape_of_table(game: str) -> tuple[Iterable[str], Iterable[str]]:
    setting = asymmetric.SETTINGS["full"][game]
    return map(asymmetric.label_of, setting.rows), asymmetric.columns_of(setting)


def _shape_of_curves(name: str, game: str) -> tuple[Iterable[str], Iterable[str]]:
    setting = SETTINGS["full"][game]
    columns = (f"{label}: {what}" for label in curves.CURVES[name](setting) for what in ("risk", "gain"))
    return (f"{share:g}" for share in setting.shares), columns


def _curves(name: str, about: str) -> Figure:
    source = f"Bard 2016, {name.replace('-', ' ')}: {about}"
    return Figure(
        f"{source}, {UNIT}",
        f"{source}, in {{title}}, {UNIT}",
        "p or P_max",
        partial(_shape_of_curves, name),
        _studies,
        curves.CLAIMS[name],
        partial(curves.cells, name),
        curves.notes_on,
        partial(curves.lines, name),
        f"exploitability, {UNIT}",
    )


_SEEN = "Bard 2016, figure 4.2: observed hands and the model's cards"
FIGURES: dict[str, Figure] = {
    "table-4.2-small": Figure(
        f"Bard 2016, table 4.2: asymmetric equilibria in small games, {UNIT}",
        f"Bard 2016, table 4.2 in {{title}}, {UNIT}: what the row's strategy wins from the column's",
        "U-R",
        _shape_of_table,
        _cross_tables,
        asymmetric.claims,
        asymmetric.cells,
        asymmetric.notes_on,
    ),
    "figure-4.2": Figure(
        f"{_SEEN}, {UNIT}",
        f"{_SEEN}, in {{title}}, {UNIT}",
        "model",
        _shape_of_4_2,
        _studies,
        observations.claims,
        observations.cells,
        observations.notes_on,
        observations.lines,
        "observed hands",
    ),
    "figure-4.3": _curves("figure-4.3", "restricted Nash responses by the cards of both players"),
    "figure-4.4": _curves("figure-4.4", "data-biased responses by the opponent's cards and observed hands"),
    "figure-4.5": _curves("figure-4.5", "data-biased responses by the model's cards"),
}
EXPERIMENTS: dict[str, Experiment] = {}
for _name, _figure in FIGURES.items():
    EXPERIMENTS[_name] = by_effort(partial(_figure.statements, _name))
    for _game in TITLES:
        EXPERIMENTS[f"{_name.removesuffix('-small')}-{_game}"] = by_effort(partial(_figure.table, _game))
