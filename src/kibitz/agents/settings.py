"""Settings behind an agent's name, folder or file: `runs/leduc,mapping=rand-psharmonic,name=mine`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from kibitz.errors import AgentError

Settings = dict[str, str]


def read_settings(text: str, known: Sequence[str]) -> tuple[str, Settings]:
    """What stands before the first comma, and the settings behind it; AgentError for others than the `known` ones."""
    place, *pieces = text.split(",")
    return place, settings_of(pieces, known, text)


def read_folder(text: str, known: Sequence[str]) -> tuple[Path, Settings]:
    """The same of a path; the folder of a run stands for the strategy in it."""
    from kibitz.strategy.files import find_strategy

    place, settings = read_settings(text, known)
    return find_strategy(place), settings


def settings_of(pieces: Iterable[str], known: Sequence[str], text: str) -> Settings:
    """The settings written key=value in the pieces of `text`."""
    settings: Settings = {}
    last = ""
    for piece in pieces:
        key, equals, value = piece.partition("=")
        if equals:
            last = key.strip()
            if last in settings:
                raise AgentError(f"{last} is set twice in {text!r}")
            settings[last] = value.strip()
        elif last:  # a list of mappings has commas of its own
            settings[last] += f",{piece}"
        else:
            raise AgentError(f"{piece!r} in {text!r}: settings are written like {known[0]}=...")
    if unknown := settings.keys() - set(known):
        raise AgentError(f"{', '.join(sorted(unknown))} in {text!r}: settings are {', '.join(known)}")
    return settings


def as_number(value: str, key: str, text: str) -> float:
    """The number that a setting of `text` has."""
    try:
        return float(value)
    except ValueError:
        raise AgentError(f"{key}={value} in {text!r}: a number is needed") from None
