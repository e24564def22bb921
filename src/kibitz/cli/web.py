"""`kibitz web`: the page."""

from __future__ import annotations

import secrets
import webbrowser
from pathlib import Path
from threading import Timer

import click

from kibitz.errors import KibitzError

SECONDS_BEFORE_OPENING = 0.7


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any but the loopback interface asks visitors for a token, which is printed.",
)
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the page in a browser.")
def web(folder: Path, port: int, host: str, opens: bool) -> None:
    """Play, watch, solve and explore in the browser.

    FOLDER holds what the page shows and keeps: strategies, logs, sessions, results. Nothing outside is served or
    written. The default is the current folder. Stop the server with Ctrl-C.
    """
    import uvicorn

    from kibitz.web.app import make_app
    from kibitz.web.security import LOOPBACK

    local = host in LOOPBACK
    token = None if local else secrets.token_urlsafe(16)
    app = make_app(folder, LOOPBACK if local else None, token, warm=True)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{port}/" + (f"?token={token}" if token else "")
    _check_free(host, port)
    click.echo(f"The page of {folder.resolve()}: {address}")
    click.echo("Stop it with Ctrl-C.")
    if opens:
        timer = Timer(SECONDS_BEFORE_OPENING, webbrowser.open, [address])
        timer.daemon = True
        timer.start()
    uvicorn.run(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2)


def _check_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on before anything is printed."""
    import socket

    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise KibitzError(f"cannot listen on {host}:{port} ({reason}): choose another --port or --host") from None
