"""Bodies of requests: of limited size, each and together, and sent within a limited time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.datastructures import Headers
from starlette.types import Receive

MOST_BYTES = 16 << 20  # of one body
MOST_HELD = 8 * MOST_BYTES  # of all that are being read or worked on
SECONDS_TO_SEND = 60.0


class BodyError(Exception):
    """A body that is not taken: the status of the answer and its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Bodies:
    """The bodies that are held at present."""

    def __init__(self) -> None:
        self._held = 0

    @asynccontextmanager
    async def read(self, headers: Headers, receive: Receive) -> AsyncIterator[bytes]:
        """The body of a request, which counts as held until the block ends; BodyError for one that is not taken."""
        announced = headers.get("content-length", "0")
        if not announced.isdigit() or int(announced) > MOST_BYTES:
            raise BodyError(413, f"more than {MOST_BYTES >> 20} MiB were sent")
        body = bytearray()
        try:
            try:
                async with asyncio.timeout(SECONDS_TO_SEND):
                    await self._fill(body, receive)
            except TimeoutError:
                raise BodyError(408, f"the request was not sent within {SECONDS_TO_SEND:g} seconds") from None
            yield bytes(body)
        finally:
            self._held -= len(body)

    async def _fill(self, body: bytearray, receive: Receive) -> None:
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise BodyError(400, "the request was broken off")
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if len(body) > MOST_BYTES:
                raise BodyError(413, f"more than {MOST_BYTES >> 20} MiB were sent")
            if self._held > MOST_HELD:
                raise BodyError(503, "too much is being sent at once: try again in a moment")
            more = message.get("more_body", False)
