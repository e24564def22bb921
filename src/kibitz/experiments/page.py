"""Tables computed again as one HTML page that needs nothing beside it."""

from __future__ import annotations

from importlib.resources import files

from kibitz.experiments import load_paper
from kibitz.experiments.published import VERDICTS, Reproduction, format_figure

GENERATOR = '<meta name="generator" content="kibitz reproduce">'  # in every page, and by which it is known


def render_page(reproductions: list[Reproduction]) -> str:
    """The page: paper by paper every table with printed figures, ours and verdicts, notes, reasons and figures."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = lambda value, decimals: format_figure(value, decimals).replace("-", "−")
    template = environment.from_string(
        (files("kibitz.experiments") / "templates" / "reproduction.html").read_text(encoding="utf-8")
    )
    totals = {word: sum(each.counts.get(word, 0) for each in reproductions) for word in VERDICTS}
    return template.render(
        generator=GENERATOR,
        titles={each.paper: load_paper(each.paper).TITLE for each in reproductions},
        reproductions=reproductions,
        verdicts=VERDICTS,
        totals={word: count for word, count in totals.items() if count},
    )
