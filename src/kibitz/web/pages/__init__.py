"""The pages by name. A page is one module with `ROUTES`, its templates, and one line here."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from starlette.routing import Route


class Page(NamedTuple):
    """A page: its title in the navigation, and the module that has its ROUTES. Its address is `/NAME`."""

    title: str
    module: str


PAGES: dict[str, Page] = {
    "table": Page("Table", "kibitz.web.pages.table"),
    "spot": Page("Spot", "kibitz.web.pages.spot"),
    "strategies": Page("Strategies", "kibitz.web.pages.strategies"),
    "matches": Page("Matches", "kibitz.web.pages.matches"),
    "make": Page("Make", "kibitz.web.pages.make"),
    "logs": Page("Logs", "kibitz.web.pages.logs"),
    "papers": Page("Papers", "kibitz.web.pages.papers"),
    "jobs": Page("Jobs", "kibitz.web.pages.jobs"),
}


def all_routes() -> list[Route]:
    """The routes of every page."""
    return [route for page in PAGES.values() for route in import_module(page.module).ROUTES]
