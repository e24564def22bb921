"""An artefact is what is kept: a folder with a manifest (its kind, what its arrays mean, how it was made) and arrays.

The manifest is written last: a folder without one holds no artefact. It has the checksum of every array and of itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.files import (
    checksum,
    file_sha256,
    fingerprint,
    folder_taking_place,
    load_array,
    read_json,
    save_array,
    shown,
    taking_place,
    write_text,
)

Array = npt.NDArray[Any]
MANIFEST = "manifest.json"
LAYOUT = 2  # of manifests
PICTURES = (".png", ".svg")


class ArtefactError(KibitzError):
    """A folder that holds no artefact, a damaged one, or one of another kind than is needed."""


@dataclass(frozen=True, eq=False)
class Artefact:
    """What is kept of a run.

    kind     one of `kibitz.plans.kinds`
    about    what must be known to read the arrays, as JSON can say it
    made     how it was made and what was measured, likewise
    arrays   by name; memory-mapped if they come from a folder
    files    other files by name, each with what writes it to a path: tables and pictures
    content  the object itself, if it was just made
    path     the folder it was written to or read from
    """

    kind: str
    about: Mapping[str, Any] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)
    files: Mapping[str, Callable[[Path], Any]] = field(default_factory=dict)
    content: Any = None
    path: Path | None = None

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path is not None else ""
        return f"<Artefact {self.kind}{where}: {', '.join(self.arrays)}>"


def save_artefact(artefact: Artefact, folder: Path) -> None:
    """Write it to `folder`, whole or not at all. An older one of its kind there is replaced, anything else is not."""
    folder = folder.resolve()
    if folder.exists() and (reason := _why_not_replaced(folder, artefact)):
        raise ArtefactError(f"{folder} exists and {reason}: it is not replaced")
    with folder_taking_place(folder) as beside:
        write_artefact(artefact, beside)


def write_artefact(artefact: Artefact, folder: Path) -> None:
    """Write its files into a folder that may hold others, such as a checkpoint."""
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, array in artefact.arrays.items():
        with taking_place(folder / f"{name}.npy") as beside:
            save_array(beside, array)
    for name, write in artefact.files.items():
        with taking_place(folder / name) as beside:
            write(beside)
    manifest = {
        "kibitz": __version__,
        "layout": LAYOUT,
        "kind": artefact.kind,
        "about": dict(artefact.about),
        "made": dict(artefact.made),
        "arrays": {name: checksum(array) for name, array in artefact.arrays.items()},
        "files": {name: _file_sum(folder / name) for name in artefact.files},
    }
    write_text(folder / MANIFEST, json.dumps(manifest | {"checksum": _sum_of(manifest)}, indent=2) + "\n")


def open_artefact(folder: Path, kind: str = "") -> Artefact:
    """The artefact in `folder`, its arrays memory-mapped; ArtefactError unless it is whole, and of `kind`."""
    manifest = read_manifest(folder)
    if kind and manifest["kind"] != kind:
        raise ArtefactError(f"{folder} is a {manifest['kind']}: a {kind} is needed")
    arrays = {}
    for name, said in manifest["arrays"].items():
        try:
            arrays[name] = load_array(folder / f"{name}.npy")
        except (OSError, ValueError) as error:
            raise ArtefactError(f"{folder} is not complete: {error}") from None
        if (found := checksum(arrays[name])) != said:
            told = shown(said, quoted=False)
            raise ArtefactError(f"{folder}: {name}.npy is damaged: its checksum is {found}, the manifest says {told}")
    for name, said in manifest["files"].items():
        if _file_sum(folder / name) != said:
            raise ArtefactError(f"{folder}: {name} is missing or damaged: its checksum differs")
    return Artefact(manifest["kind"], manifest["about"], manifest["made"], arrays, path=folder)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of the artefact in `folder`; ArtefactError if there is none or it is damaged."""
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        raise ArtefactError(f"{folder} holds nothing that Kibitz has made: there is no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise ArtefactError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("layout") != LAYOUT:
        raise ArtefactError(f"{path} is not a manifest of this version")
    said = manifest.pop("checksum", None)
    wanted = {"kind": str, "about": dict, "made": dict, "arrays": dict, "files": dict}
    if said != _sum_of(manifest) or any(not isinstance(manifest.get(key), kind) for key, kind in wanted.items()):
        raise ArtefactError(f"{path} is damaged: its checksum differs")
    return manifest


def fingerprint_of(folder: Path) -> str:
    """Sixteen digits that tell an artefact by its content, wherever it lies."""
    return fingerprint(json.dumps(read_manifest(folder), sort_keys=True))


def _file_sum(path: Path) -> str:
    """Of the bytes of a file; of pictures, which nobody computes with, nothing."""
    if path.suffix in PICTURES:
        return ""
    return file_sha256(path) if path.is_file() else "missing"


def _sum_of(manifest: Mapping[str, Any]) -> str:
    return fingerprint(json.dumps(manifest, sort_keys=True))


def _why_not_replaced(folder: Path, artefact: Artefact) -> str:
    """What would be lost with `folder` beyond an older artefact of that kind."""
    try:
        manifest = read_manifest(folder)
    except ArtefactError:
        return f"holds no {artefact.kind}"
    if manifest["kind"] != artefact.kind:
        return f"holds a {manifest['kind']}"
    known = {MANIFEST, *(f"{name}.npy" for name in manifest["arrays"]), *manifest["files"]}
    others = sorted({path.name for path in folder.iterdir()} - known)
    return f"holds more than a {artefact.kind} ({others[0]})" if others else ""
