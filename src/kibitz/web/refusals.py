"""Why the page refuses a request, with the status of the answer; any other KibitzError is 400."""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import KibitzError


class MissingError(KibitzError):
    """Something that is not there, or that belongs to another visitor, who alone may know of it."""

    status = 404


class ForeignError(KibitzError):
    """Something that everybody sees, and that only another visitor may change."""

    status = 403


class StaleError(KibitzError):
    """What was meant for a decision that is over: a second click, or a second window."""

    status = 409


def told(folder: Path, error: Exception | str) -> str:
    """What an error says, without the place of `folder` on this machine."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return text.replace(f"{folder.resolve()}/", "")
