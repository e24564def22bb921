"""Who may ask: every request passes this gate before a page sees it.

Another site that a user has open can make his browser send requests to the loopback interface. It cannot forge the
headers that a browser adds, so these are checked: `Host` (against a name that was rebound to 127.0.0.1), and `Origin`
and `Sec-Fetch-Site` of everything that changes something. A server that others can reach asks for a token besides.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_BYTES = 16 << 20  # of a request's body
COOKIE = "kibitz-token"
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
    """Middleware that refuses foreign requests, reads bodies up to a limit, and adds the security headers.

    hosts   names by which the server may be called, without ports; None for any, which needs a token
    token   what a visitor has to bring in `?token=`, once, and then in a cookie; None for no token
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None = LOOPBACK, token: str | None = None) -> None:
        if hosts is None and not token:
            raise ValueError("a server that answers to any name needs a token")
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None and scope["method"] not in SAFE_METHODS:
            body = await read_body(Headers(scope=scope), receive)
            if body is None:
                refusal = PlainTextResponse(f"more than {MOST_BYTES >> 20} MiB were sent", 413)
            else:
                scope.setdefault("state", {})["body"] = body
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """What a foreign request is answered; None for one that may pass."""
        headers = Headers(scope=scope)
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
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == headers.get("host")


async def read_body(headers: Headers, receive: Receive) -> bytes | None:
    """The body of a request; None as soon as it is longer than may be."""
    announced = headers.get("content-length", "0")
    if not announced.isdigit() or int(announced) > MOST_BYTES:
        return None
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)
