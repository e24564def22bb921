"""The folder of a portfolio: a manifest, and a strategy for every expert. What plays it is `kibitz.agents.implicit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.errors import AgentError
from kibitz.files import read_json
from kibitz.plans import files_of

MANIFEST = "portfolio.json"


def is_portfolio(folder: Path) -> bool:
    """Whether `folder` holds a portfolio."""
    return (folder / MANIFEST).is_file()


def read_manifest(folder: Path) -> dict[str, Any]:
    """What a portfolio says of itself; AgentError where that makes no sense."""
    path = folder / MANIFEST
    try:
        document = read_json(path)
        names = [each["name"] for each in document["experts"]]
        folders = [each["folder"] for each in document["experts"]]
        playing = document["playing"]
    except FileNotFoundError:
        raise AgentError(f"{folder} holds no portfolio: there is no {MANIFEST}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AgentError(f"{path} does not describe a portfolio: {error!r}") from None
    if not all(isinstance(each, str) for each in (*names, *folders)) or len(set(names)) < len(names):
        raise AgentError(f"{path}: every expert has a name of its own and a folder")
    if not isinstance(playing, list) or not set(map(str, playing)) <= set(names):
        raise AgentError(f"{path}: playing names experts that are not there, or none")
    return document  # type: ignore[no-any-return]


def expert_folders(folder: Path) -> dict[str, Path]:
    """The folders of the experts that play, by name."""
    document = read_manifest(folder)
    folders = {each["name"]: folder / each["folder"] for each in document["experts"]}
    return {name: folders[name] for name in document["playing"]}


def model_folders(folder: Path) -> dict[str, Path]:
    """The folders of what is known of the opponents, by name."""
    experts = read_manifest(folder)["experts"]
    if wrong := [each["name"] for each in experts if not isinstance(each.get("mimic"), str)]:
        raise AgentError(f"{folder / MANIFEST}: {wrong[0]} has no mimic, by which its opponent is known")
    return {each["name"]: folder / each["mimic"] for each in experts}


def portfolio_files(folder: Path, explicit: bool = False) -> list[Path]:
    """The files that make the agent what it is: those of its experts, or of the opponents that it knows."""
    found = [folder / MANIFEST]
    for path in (model_folders(folder) if explicit else expert_folders(folder)).values():
        found += files_of(path)
    return found
