"""Strategies: open what a solver has left, walk its betting tree, compare two."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kibitz.errors import KibitzError
from kibitz.web.render import answer_json, folder_of, fragment, page
from kibitz.web.strategies import list_strategies, node_view, open_strategy, summary


def show(request: Request) -> Response:
    """The strategies of the folder."""
    return page(request, "strategies.html", strategies=list_strategies(folder_of(request)))


def walk(request: Request) -> Response:
    """One strategy, or two side by side, at one node: a page, or with `part` the node alone as JSON."""
    asked = {name: request.query_params.get(name, "") for name in ("name", "other", "at", "board", "cell")}
    folder, names = folder_of(request), [asked["name"], *filter(None, [asked["other"]])]
    opened = [open_strategy(folder, name) for name in names]
    sides = [_side(each, asked) for each in opened]
    context: dict[str, Any] = {"asked": asked, "sides": sides}
    if request.query_params.get("part"):
        return answer_json({"html": fragment("_strategy_node.html", **context)})
    others = [each for each in list_strategies(folder) if each["name"] != asked["name"]]
    return page(request, "strategy.html", summaries=[summary(each) for each in opened], others=others, **context)


def _side(opened: Any, asked: dict[str, str]) -> dict[str, Any]:
    """A strategy at the node; the second may not have it, and says so."""
    try:
        return {"name": opened.name, "error": "", **node_view(opened, asked["at"], asked["board"], asked["cell"])}
    except KibitzError as error:
        if opened.name == asked["name"] and not asked["other"] and not asked["board"]:
            raise
        return {"name": opened.name, "error": str(error)}


ROUTES = [Route("/strategies", show), Route("/strategies/open", walk)]
