"""Bodies that are never finished, that come in drops, and that are too many; and origins that are none."""

import asyncio

import pytest
from starlette.testclient import TestClient

from kibitz.web import bodies
from kibitz.web.app import make_app
from kibitz.web.security import Gate

HOME = "http://localhost:8765"
SCOPE = {"type": "http", "method": "POST", "path": "/", "query_string": b"",
         "headers": [(b"host", b"localhost"), (b"origin", b"http://localhost")]}  # fmt: skip


async def answer(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["state"]["body"][:20]})


async def status_of(gate, receive):
    sent = []

    async def send(message):
        sent.append(message)

    await asyncio.wait_for(gate({**SCOPE}, receive, send), 30)
    return sent[0]["status"], sent[1]["body"].decode()


def never(part):
    """A body that begins and is not finished."""
    parts = [{"type": "http.request", "body": part, "more_body": True}]

    async def receive():
        if not parts:
            await asyncio.Event().wait()
        return parts.pop()

    return receive


def test_a_body_that_is_not_finished_is_given_up(monkeypatch):
    monkeypatch.setattr(bodies, "SECONDS_TO_SEND", 0.05)
    status, told = asyncio.run(status_of(Gate(answer), never(b"x")))
    assert (status, told) == (408, "the request was not sent within 0.05 seconds")


def test_all_bodies_together_have_a_limit_and_give_their_room_back(monkeypatch):
    monkeypatch.setattr(bodies, "MOST_HELD", 100)
    monkeypatch.setattr(bodies, "SECONDS_TO_SEND", 0.2)

    async def whole():
        return {"type": "http.request", "body": b"y" * 60}

    async def both():
        gate = Gate(answer)
        first = asyncio.create_task(status_of(gate, never(b"x" * 60)))
        await asyncio.sleep(0)
        refused = await status_of(gate, whole)
        given_up = await first
        return refused, given_up, await status_of(gate, whole)

    refused, given_up, taken = asyncio.run(both())
    assert refused == (503, "too much is being sent at once: try again in a moment")
    assert given_up[0] == 408
    assert taken == (200, "y" * 20)


def test_a_body_that_was_broken_off_is_not_acted_on():
    async def gone():
        return {"type": "http.disconnect"}

    assert asyncio.run(status_of(Gate(answer), gone))[0] == 400


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://a]b", "//", "http://localhost:8765/", "\x00"])
def test_an_origin_that_is_none_is_refused(tmp_path, origin):
    with TestClient(make_app(tmp_path), base_url=HOME, raise_server_exceptions=False) as page:
        assert page.post("/table/start", data={"game": "leduc"}, headers={"Origin": origin}).status_code == 403
