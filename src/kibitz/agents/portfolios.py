"""The folder of a portfolio: experts and what is known of opponents. What plays it is `kibitz.agents.implicit`."""

from __future__ import annotations

from pathlib import Path

from kibitz.plans import read_manifest

KIND = "portfolio"


def expert_folders(folder: Path) -> dict[str, Path]:
    """The folders of the experts that play, by name."""
    about = read_manifest(folder, KIND)["about"]
    folders = {each["name"]: folder / each["folder"] for each in about["experts"]}
    return {name: folders[name] for name in about["playing"]}


def model_folders(folder: Path) -> dict[str, Path]:
    """The folders of what is known of the opponents, by name."""
    return {each["name"]: folder / each["mimic"] for each in read_manifest(folder, KIND)["about"]["experts"]}
