"""The folder that is served: which of its files a request may name."""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import KibitzError
from kibitz.web.refusals import MissingError

OWN = ".kibitz-web"  # sessions and jobs of the page, inside the folder
MOST_LISTED = 500


def inside(folder: Path, name: str) -> Path:
    """The path that `name` means in `folder`; KibitzError for one that leads out of it, links followed."""
    if not name or "\0" in name or name.startswith(("/", "~")) or "\\" in name:
        raise KibitzError(f"{name!r} is no path inside the folder that is served")
    root = folder.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        raise KibitzError(f"{name!r} is outside the folder that is served")
    return path


def existing(folder: Path, name: str) -> Path:
    """The same of a file or folder that must be there."""
    path = inside(folder, name)
    if not is_there(path):
        raise MissingError(f"there is no {name!r} in the folder that is served")
    return path


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; a name that is too long for one is not there either."""
    try:
        return path.exists()
    except OSError:
        return False


def listed(folder: Path, *patterns: str) -> list[str]:
    """Names of the files and folders inside `folder` that match a pattern of `glob`, hidden ones left out, sorted."""
    root = folder.resolve()
    names: set[str] = set()
    for pattern in patterns:
        for path in root.glob(pattern):
            name = path.relative_to(root)
            if not any(part.startswith(".") for part in name.parts) and path.resolve().is_relative_to(root):
                names.add(name.as_posix())
    return sorted(names)[:MOST_LISTED]
