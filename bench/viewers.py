"""What viewers of a live match cost: CPU of the server, and how long they wait, while a worker plays the match.

Each viewer has a connection of its own and asks once a second, as the page does.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np

VIEWERS = (1, 100)
SECONDS = 15
FORM = {"game": "leduc", "agents": ["random", "always-call", "always-raise"], "hands": 500, "matches": 20_000}


def cpu_seconds(process: int) -> float:
    """CPU time of a process, its children left out."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_match(port: int) -> str:
    """Start the match and give its name."""
    connection = HTTPConnection("127.0.0.1", port)
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/matches/start", urlencode(FORM, doseq=True), headers)
    place = connection.getresponse().getheader("Location") or ""
    return parse_qs(urlsplit(place).query)["name"][0]


async def view(port: int, name: str, number: int, viewers: int, waits: list[float]) -> None:
    """One viewer: asks once a second, and says what he has."""
    await asyncio.sleep(number / viewers)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    tag = ""
    for _ in range(SECONDS):
        begun = time.perf_counter()
        writer.write(
            f"GET /matches/live?name={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nIf-None-Match: {tag}\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        await reader.readexactly(int(fields.get("content-length", "0")))
        tag = fields["etag"]
        waits.append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, 1 - waits[-1]))
    writer.close()


def run() -> list[dict[str, object]]:
    """CPU of the server in per cent of a core, and the waits, for each number of viewers."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        command = [sys.executable, "-m", "kibitz", "web", folder, "--port", str(port), "--no-open"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait_for(port)
            name = start_match(port)
            while not (Path(folder) / name / "checkpoint.npz").exists():
                time.sleep(0.1)
            for viewers in VIEWERS:
                rows += _measure(server.pid, port, name, viewers)
        finally:
            server.terminate()
            server.wait()
    return rows


def _measure(server: int, port: int, name: str, viewers: int) -> list[dict[str, object]]:
    waits: list[float] = []

    async def everybody() -> None:
        await asyncio.gather(*(view(port, name, number, viewers, waits) for number in range(viewers)))

    before, begun = cpu_seconds(server), time.perf_counter()
    asyncio.run(everybody())
    share = 100 * (cpu_seconds(server) - before) / (time.perf_counter() - begun)
    median, late = np.percentile(1000 * np.array(waits), [50, 99])
    found = {
        "CPU of the server": (share, "% of a core"),
        "median wait": (float(median), "ms"),
        "99 % wait at most": (float(late), "ms"),
    }
    named = f"live match, {viewers} viewer{'s' * (viewers > 1)}"
    empty = {"peer": None, "ratio": None, "target": None}
    return [{"name": f"{named}: {what}", "ours": ours, "unit": unit, **empty} for what, (ours, unit) in found.items()]


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")
