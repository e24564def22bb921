"""Figures 4.3 to 4.5: curves of gain by risk, as tables and as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

from kibitz.experiments.bard2016.curve_claims import CLAIMS, CURVES, load_curves
from kibitz.experiments.bard2016.drawing import Line, draw_panels
from kibitz.experiments.bard2016.settings import SETTINGS, TITLES, UNIT, settings_of
from kibitz.experiments.bard2016.statements import cells_of_statements, explain, table_of_statements
from kibitz.experiments.bard2016.studies import Study, study_of
from kibitz.experiments.published import Effort, Experiment, Found, PublishedTable

SOURCES = {
    "figure-4.3": "Bard 2016, figure 4.3: restricted Nash responses by the cards of both players",
    "figure-4.4": "Bard 2016, figure 4.4: data-biased responses by the opponent's cards and observed hands",
    "figure-4.5": "Bard 2016, figure 4.5: data-biased responses by the model's cards",
}


def statements_at(name: str, effort: Effort) -> Experiment:
    """The statements on a figure in all games of an effort."""
    studies = [study_of(each, effort) for each in settings_of(effort).values()]

    def find() -> Iterator[tuple[str, str, Found]]:
        for study in studies:
            yield from cells_of_statements(study.setting.title, CLAIMS[name](study))

    published = table_of_statements(name, f"{SOURCES[name]}, {UNIT}", TITLES.values())
    return Experiment(
        published,
        find,
        (*explain(name), *notes_on(studies)),
        picture=lambda: draw(name, studies),
        values=lambda: {"made": {each.setting.game: each.ledger.made for each in studies}},
    )


def table_at(name: str, game: str, effort: Effort) -> Experiment:
    """The curves of a figure in one game."""
    setting = SETTINGS["full"][game]
    columns = tuple(f"{label}: {what}" for label in CURVES[name](setting) for what in ("risk", "gain"))
    rows = {f"{share:g}": (nan,) * len(columns) for share in setting.shares}
    source = f"{SOURCES[name]}, in {TITLES[game]}, {UNIT}"
    published = PublishedTable(source, "p or P_max", columns, rows, 0.0, 1, bounds=dict(rows))
    if game not in settings_of(effort):
        return Experiment(published, None, ("Not computed by this preset.",))
    study = study_of(settings_of(effort)[game], effort)

    def find() -> Iterator[tuple[str, str, Found]]:
        for label, curve in load_curves(name, study).items():
            for place, share in enumerate(curve.shares):
                for what, values in (("risk", curve.risk), ("gain", curve.gain)):
                    yield f"{share:g}", f"{label}: {what}", Found(*curve.interval(values[:, place]))

    return Experiment(published, find, notes_on([study]))


def notes_on(studies: list[Study]) -> tuple[str, ...]:
    """How the numbers of some games are found."""
    return (
        "Risk is the exploitability in the real game, exactly; gain is what is won from the tilted opponent, exactly.",
        *(
            f"In {each.setting.title}: percentile cards with {each.setting.coarse}, {each.setting.middle} and "
            f"{each.setting.fine} buckets a round stand for 5, 8 and 12, the opponent has the middle ones; observed "
            f"hands {', '.join(f'{hands:,}' for hands in each.setting.of_curves)} stand for 10^4, 10^5 and 10^7."
            for each in studies
        ),
        "Data-biased responses: means over observations with 95 % intervals (Student's t). Restricted Nash responses "
        "know the opponent: their intervals are the range over several algorithms.",
    )


def draw(name: str, studies: list[Study]) -> str:
    """Gain by risk, a panel for each game."""
    return draw_panels({each.setting.title: _lines(name, each) for each in studies}, f"exploitability, {UNIT}")


def _lines(name: str, study: Study) -> list[Line]:
    return [
        Line(label, list(map(curve.interval, curve.risk.T)), list(map(curve.interval, curve.gain.T)))
        for label, curve in load_curves(name, study).items()
    ]
