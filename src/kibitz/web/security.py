"""Who may ask: every request passes this gate before a page sees it.

Another site that a user has open can make his browser send requests to the loopback interface. It cannot forge the
headers that a browser adds, so these are checked: `Host` (against a name that was rebound to 127.0.0.1), and `Origin`
and `Sec-Fetch-Site` of everything that changes something. A server that others can reach asks for a token besides.

Visitors are told apart by a random cookie. Sessions, jobs and uploads keep a short name of their owner, from which the
cookie cannot be found; what has no owner is everybody's.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.files import fingerprint
from kibitz.web.bodies import Bodies, BodyError
from kibitz.web.refusals import MissingError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE, VISITOR = "kibitz-token", "kibitz-visitor"
_VISITOR = re.compile(r"[A-Za-z0-9_-]{22}")
SECONDS_REMEMBERED = 400 * 24 * 3600  # the longest that browsers keep a cookie; every page renews it
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SAFE_METHODS = ("GET", "HEAD")


class Gate:
    """Middleware that refuses foreign requests, tells visitors apart, reads bodies, and adds the security headers.

    hosts   names by which the server may be called, without ports; None for any, which needs a token
    token   what a visitor has to bring in `?token=`, once, and then in a cookie; None for no token
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None = LOOPBACK, token: str | None = None) -> None:
        if hosts is None and not token:
            raise ValueError("a server that answers to any name needs a token")
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)
        self._token = token
        self._bodies = Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        headers = Headers(scope=scope)
        visitor = _visitor(headers)
        state = scope.setdefault("state", {})
        state["visitor"] = fingerprint(visitor)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                # What comes from another site comes without the cookie, and must not replace it.
                if app is self._app and not _is_foreign(headers):
                    kept = f"Max-Age={SECONDS_REMEMBERED}; Path=/; HttpOnly; SameSite=Strict"
                    answer.append("Set-Cookie", f"{VISITOR}={visitor}; {kept}")
            await send(message)

        app = self._refusal(scope, headers) or self._app
        if app is not self._app or scope["method"] in SAFE_METHODS:
            await app(scope, receive, guarded)
            return
        try:
            async with self._bodies.read(headers, receive) as state["body"]:
                await app(scope, receive, guarded)
        except BodyError as error:
            refusal = PlainTextResponse(str(error), error.status, {"Connection": "close"})  # the rest is not read
            await refusal(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """What a foreign request is answered; None for one that may pass."""
        if self._hosts is not None and host_name(headers.get("host", "")) not in self._hosts:
            return PlainTextResponse("this server does not go by that name", 421)
        if scope["method"] not in SAFE_METHODS and not is_same_origin(headers):
            return PlainTextResponse("a request from another site was refused", 403)
        if self._token is not None:
            return self._ask_token(scope, headers)
        return None

    def _ask_token(self, scope: Scope, headers: Headers) -> Response | None:
        """None with the token in a cookie; with the token in the address, its cookie; a refusal otherwise."""
        assert self._token is not None
        cookies = _cookies(headers.get("cookie", ""))
        if hmac.compare_digest(cookies.get(COOKIE, "").encode(), self._token.encode()):
            return None
        brought = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] == "GET" and hmac.compare_digest(brought.encode(), self._token.encode()):
            answer = RedirectResponse("/", 303)  # so that the token does not stay in the address
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        return PlainTextResponse("open the address with the token that was printed at the start", 401)


def _cookies(text: str) -> dict[str, str]:
    """The cookies of a request; none where they cannot be read."""
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(text).items()}
    except CookieError:
        return {}


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets; empty where it cannot be read.

    >>> host_name("127.0.0.1:8765"), host_name("[::1]:80"), host_name("evil@localhost")
    ('127.0.0.1', '::1', '')
    """
    if any(sign in host for sign in "@/\\?# "):
        return ""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server: browsers say so with whatever changes something."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None and site is None:
        return False
    if site is not None and site != "same-origin":
        return False
    return origin is None or origin in _own_origins(headers)


def _own_origins(headers: Headers) -> tuple[str, str]:
    return f"http://{headers.get('host')}", f"https://{headers.get('host')}"


def _is_foreign(headers: Headers) -> bool:
    """Whether a page of another site has led here; its requests bring no cookie of ours."""
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("same-origin", "none")
    referer = headers.get("referer")  # browsers send no more than that to a server without TLS on another machine
    return referer is not None and not referer.startswith(tuple(f"{each}/" for each in _own_origins(headers)))


def _visitor(headers: Headers) -> str:
    """The cookie by which a visitor is known, a new one for a new visitor."""
    known = _cookies(headers.get("cookie", "")).get(VISITOR, "")
    return known if _VISITOR.fullmatch(known) else secrets.token_urlsafe(16)


def visitor_of(request: Request) -> str:
    """The short name of whoever asks, by which owners are stored."""
    name: str = request.state.visitor
    return name


def may_see(request: Request, owner: str) -> bool:
    """Whether whoever asks may know of what belongs to `owner`."""
    return owner in ("", visitor_of(request))


def check_owner(request: Request, owner: str, what: str) -> None:
    """MissingError, as for what is not there, for what belongs to another visitor; `what` was asked for."""
    if not may_see(request, owner):
        raise MissingError(f"there is no {what}")
