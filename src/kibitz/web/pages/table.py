"""Table: play against agents."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.agents.human import signed_chips
from kibitz.errors import KibitzError
from kibitz.games.named import MOST_PLAYERS
from kibitz.web.advice import EMPTY_PANEL, panel
from kibitz.web.choices import agents_inside, built_in_agents, game_choices, plays_first_game
from kibitz.web.drawing import draw_choices, draw_table
from kibitz.web.refusals import MissingError, StaleError
from kibitz.web.render import answer_json, download, folder_of, fragment, page, sent_form, sent_json
from kibitz.web.security import check_owner, may_see, visitor_of
from kibitz.web.sessions import Session, Sessions

FORMS = {"acpc": "log", "phhs": "phhs"}  # format of a history: ending of its file


def sessions_of(request: Request) -> Sessions:
    """The sessions of the folder that is served."""
    state = request.app.state
    if not hasattr(state, "sessions"):
        state.sessions = Sessions(folder_of(request))
    sessions: Sessions = state.sessions
    return sessions


def show(request: Request) -> Response:
    """The choice of a game, and the sessions that can go on."""
    folder, agents = folder_of(request), built_in_agents()
    inside = agents_inside(folder)
    return page(
        request,
        "table.html",
        games=game_choices(),
        agents=agents,
        inside=inside,
        chosen="" if inside and plays_first_game(folder, inside[0]) else agents[0],
        most_players=MOST_PLAYERS,
        sessions=[(name, record) for name, record in sessions_of(request).list() if may_see(request, record.owner)],
    )


def start(request: Request) -> Response:
    """Sit down: a new session, then its table."""
    form = sent_form(request)
    players = _number(form.get("players", ["2"])[0], "players")
    seed_text = form.get("seed", [""])[0].strip()
    opponents = form.get("opponent", []) or ["tight-aggressive"]
    kind = form.get("game", [""])[0]
    players = {"kuhn-3p": 3}.get(kind, players if kind.startswith("holdem") else 2)
    seated = [opponents[seat] if seat < len(opponents) else "" for seat in range(players - 1)]
    seated = [text or opponents[0] for text in seated]  # an empty choice is the same as the first
    seed = _number(seed_text, "seed") if seed_text else None
    session = sessions_of(request).start(kind, players, seated, seed, visitor_of(request))
    return RedirectResponse(f"/table/{session.id}", 303)


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        raise KibitzError(f"{text!r} is no number of {what}" if what == "players" else f"{text!r} is no {what}")
    return int(text)


def play(request: Request) -> Response:
    """The table of a session."""
    session = _session(request)
    with session.lock:
        context = _context(session)
        agents = [*dict.fromkeys([*session.record.opponents, *built_in_agents(), *agents_inside(folder_of(request))])]
    return page(request, "session.html", session=session, policies=agents, **context)


def act(request: Request) -> Response:
    """Play an action, or go on to the next hand with the action `next`; answers the table anew.

    It is sent as {hand, decision, action}. What was meant for another decision does nothing and is answered 409, with
    the table as it stands.
    """
    session, sent = _session(request), sent_json(request)
    hand, decision, action = (sent.get(name) for name in ("hand", "decision", "action"))
    if not isinstance(hand, int) or not isinstance(decision, int) or not isinstance(action, str):
        raise KibitzError("an action is sent as {hand: number, decision: number, action: text}")
    with session.lock:
        problem: dict[str, str] = {}
        try:
            if action == "next":
                session.next_hand(hand, decision)
            else:
                session.play(hand, decision, action)
        except StaleError as error:
            problem = {"error": str(error)}
        html = fragment("_felt.html", session=session, **_context(session))
    return answer_json({"html": html} | problem, StaleError.status if problem else 200)


def advice(request: Request) -> Response:
    """The kibitz panel: what the policy `?policy=` would do, and what it makes of the others; `?about=` names one."""
    session, name = _session(request), request.query_params.get("policy", "")
    with session.lock:
        state, own = session.match.view(0), session.match.seats.index(0)
        names, reasons = session.names_by_position(), session.reasons()
    others = [(own + step) % len(names) for step in range(1, len(names))]
    left = [p for p in others if not state.folded >> p & 1] or others
    about = next((p for p in others if names[p] == request.query_params.get("about")), left[0])
    try:
        with session.advising:
            shown = panel(session.record.kind, session.adviser(folder_of(request), name), state, own, about)
    except KibitzError as error:
        shown = {"problem": str(error)}
    people = [(names[p], p == about, bool(state.folded >> p & 1)) for p in others]
    html = fragment("_advice.html", **EMPTY_PANEL | shown, people=people, policy=name)
    return answer_json({"html": html, "reasons": fragment("_reasons.html", reasons=reasons) if state.finished else ""})


def luck(request: Request) -> Response:
    """The result of the session less the luck of cards and agents."""
    found = _session(request).luck()
    return answer_json({"html": fragment("_luck.html", found=found)})


def history(request: Request) -> Response:
    """The finished hands as a file."""
    session, form = _session(request), request.path_params["form"]
    if form not in FORMS:
        raise MissingError(f"{form!r} is no format of histories: there are {', '.join(FORMS)}")
    with session.lock:
        return download(session.history(form), f"kibitz-{session.id}.{FORMS[form]}")


def remove(request: Request) -> Response:
    """Forget a session."""
    sessions_of(request).remove(_session(request).id)
    return RedirectResponse("/table", 303)


def _session(request: Request) -> Session:
    session = sessions_of(request).get(request.path_params["session"])
    check_owner(request, session.record.owner, f"session {session.id!r}")
    return session


def _context(session: Session) -> dict[str, Any]:
    """What the felt is drawn from."""
    match = session.match
    own = match.seats.index(0)
    view = match.view(0)
    names = session.names_by_position()
    chips = session.results()
    return {
        "table": draw_table(view, own, names),
        "choices": draw_choices(view) if view.player == own else None,
        "hand": match.hand,
        "decision": session.decision,
        "played": len(chips),
        "total": signed_chips(sum(chips)),
        "ahead": sum(chips) > 0,
        "rate": session.rate(),
    }


ROUTES = [
    Route("/table", show),
    Route("/table/start", start, methods=["POST"]),
    Route("/table/{session}", play),
    Route("/table/{session}/act", act, methods=["POST"]),
    Route("/table/{session}/advice", advice),
    Route("/table/{session}/luck", luck),
    Route("/table/{session}/history/{form}", history),
    Route("/table/{session}/remove", remove, methods=["POST"]),
]
