"""An artefact is what is kept: a folder with a manifest (its kind, what its arrays mean, how it was made) and arrays.

The manifest is written last: a folder without one holds no artefact. It has the checksum of every array and of itself.
Some artefacts are one file, of JSON or Parquet, with the manifest in it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import numpy.typing as npt

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.files import (
    check_seal,
    checksum,
    file_sha256,
    fingerprint,
    folder_taking_place,
    load_array,
    parse_json,
    read_json,
    save_array,
    sealed,
    shown,
    taking_place,
    write_text,
)
from kibitz.files.tables import table_metadata
from kibitz.plans.kinds import what_is

Array = npt.NDArray[Any]
LAYOUT = 2  # of manifests
_PARQUET = b"PAR1"
MANIFEST = "manifest.json"
KEY = "kibitz"  # of the manifest in the metadata of a Parquet file
CHECKPOINT = "checkpoint.npz"
PICTURES = (".png", ".svg")
WITHIN = {"kind": str, "about": dict, "made": dict, "arrays": dict, "files": dict, "parts": dict}  # of a manifest
CONTENT = ("kind", "about", "arrays", "files", "parts")  # what is left of it when nobody asks how it was made
OLDER = (
    "strategy/manifest.json",
    "portfolio.json",
    "model.json",
    "pool.json",
    "ledger.jsonl",
)  # where earlier versions had theirs


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
    parts    folders within that hold artefacts of their own; those that are given with them are written too
    alone    writes it to a path, given its manifest, if it is one file: without arrays, files and parts
    content  the object itself, if it was just made
    path     the folder it was written to or read from
    """

    kind: str
    about: Mapping[str, Any] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)
    files: Mapping[str, Callable[[Path], Any]] = field(default_factory=dict)
    parts: Sequence[str] | Mapping[str, Artefact] = ()
    alone: Callable[[Path, Mapping[str, Any]], Any] | None = None
    content: Any = None
    path: Path | None = None

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path is not None else ""
        return f"<Artefact {self.kind}{where}: {', '.join(self.arrays)}>"


def save_artefact(artefact: Artefact, folder: Path, replace: bool = True) -> None:
    """Write it to `folder`, whole or not at all. An older one of its kind there is replaced, anything else is not.

    replace   False keeps one that another process has saved meanwhile, and may be reading
    """
    folder = folder.resolve()
    if folder.exists() and (reason := _why_not_replaced(folder, artefact)):
        raise ArtefactError(f"{folder} exists and {reason}: it is not replaced")
    if artefact.alone is not None:
        write_artefact(artefact, folder)
        return
    with folder_taking_place(folder, replace) as beside:
        write_artefact(artefact, beside)


def write_artefact(artefact: Artefact, folder: Path) -> None:
    """Write its files into a folder that may hold others, such as a checkpoint; or the one file that it is."""
    if artefact.alone is not None:
        with taking_place(folder) as beside:
            artefact.alone(beside, _manifest(artefact, folder))
        return
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, part in artefact.parts.items() if isinstance(artefact.parts, Mapping) else ():
        (folder / name).mkdir(exist_ok=True)
        write_artefact(part, folder / name)
    for name, array in artefact.arrays.items():
        with taking_place(folder / f"{name}.npy") as beside:
            save_array(beside, array)
    for name, write in artefact.files.items():
        with taking_place(folder / name) as beside:
            write(beside)
    write_text(folder / MANIFEST, json.dumps(_manifest(artefact, folder), indent=2) + "\n")


def _manifest(artefact: Artefact, folder: Path) -> dict[str, Any]:
    """What is said of it, as it will be read."""
    manifest = {
        "kibitz": __version__,
        "layout": LAYOUT,
        "kind": artefact.kind,
        "about": dict(artefact.about),
        "made": dict(artefact.made),
        "arrays": {name: checksum(array) for name, array in artefact.arrays.items()},
        "files": {name: _file_sum(folder / name) for name in artefact.files},
        "parts": {name: fingerprint_of(folder / name) for name in artefact.parts},
    }
    return sealed(manifest)


def open_artefact(folder: Path, kind: str = "") -> Artefact:
    """The artefact in `folder`, its arrays memory-mapped; ArtefactError unless it is whole, and of `kind`."""
    manifest = read_manifest(folder, kind)
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
    for name, said in manifest["parts"].items():
        if fingerprint_of(folder / name) != said:
            raise ArtefactError(f"{folder}: {name} is another than the one that it was made with")
    parts = tuple(manifest["parts"])
    return Artefact(manifest["kind"], manifest["about"], manifest["made"], arrays, parts=parts, path=folder)


def read_manifest(folder: Path, kind: str = "") -> dict[str, Any]:
    """The manifest of the artefact in `folder`, or the file that is one; ArtefactError unless whole, and of `kind`."""
    path = folder if os.path.isfile(folder) else folder / MANIFEST
    try:
        manifest = read_document(folder)
    except FileNotFoundError:
        raise ArtefactError(_why_none(folder, kind)) from None
    except (OSError, ValueError) as error:
        raise ArtefactError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("layout") != LAYOUT:
        raise ArtefactError(_earlier(folder))
    if kind and manifest.get("kind") != kind:
        raise ArtefactError(f"{folder} is {what_is(str(manifest.get('kind')))}: {what_is(kind)} is needed")
    try:
        check_seal(manifest)
    except ValueError as error:
        raise ArtefactError(f"{path}: {error}") from None
    if any(not isinstance(manifest.get(key), kind) for key, kind in WITHIN.items()):
        raise ArtefactError(f"{path} is damaged: it lacks some of {', '.join(WITHIN)}")
    for name in (*manifest["arrays"], *manifest["files"], *manifest["parts"]):
        if PurePath(name).is_absolute() or ".." in PurePath(name).parts:
            raise ArtefactError(f"{path} is damaged: {shown(name)} lies outside the folder")
    return manifest


def holds_run(folder: Path) -> bool:
    """Whether `folder` holds a run or an artefact, of this version or an earlier one."""
    return any((folder / name).is_file() for name in (MANIFEST, CHECKPOINT, *OLDER))


def kind_of(folder: Path) -> str:
    """Which kind of artefact is in `folder`, or is that file, as its manifest says; empty where there is none."""
    try:
        manifest = read_document(folder)
    except (OSError, ValueError):
        return ""
    is_ours = isinstance(manifest, dict) and manifest.get("layout") == LAYOUT
    return str(manifest.get("kind", "")) if is_ours else ""


def files_of(folder: Path) -> list[Path]:
    """The files that make the artefact what it is, those of its parts included; pictures are none of them."""
    manifest = read_manifest(folder)
    if folder.is_file():
        return [folder]
    found = [folder / MANIFEST, *(folder / f"{name}.npy" for name in manifest["arrays"])]
    found += [folder / name for name in manifest["files"] if PurePath(name).suffix not in PICTURES]
    return found + [file for part in manifest["parts"] for file in files_of(folder / part)]


def fingerprint_of(folder: str | Path) -> str:
    """Sixteen digits that tell an artefact by its content, wherever it lies and whenever it was made."""
    manifest = read_manifest(Path(folder))
    return fingerprint(json.dumps([manifest[key] for key in CONTENT], sort_keys=True))


def _why_none(folder: Path, kind: str) -> str:
    """Why there is no artefact in `folder`."""
    if not folder.exists():
        return f"there is no folder {folder}: give that of {what_is(kind) if kind else 'something Kibitz has made'}"
    if any((folder / name).is_file() for name in OLDER):
        return _earlier(folder)
    if (folder / CHECKPOINT).is_file():
        return f"{folder} holds a run that is not finished: continue it with --resume"
    inner = [each.parent for each in sorted(folder.glob(f"*/{MANIFEST}"))]
    instead = f" (there is one in {', '.join(map(str, inner[:4]))})" if inner else ""
    what = f"no {what_is(kind).partition(' ')[2]}" if kind else "nothing that Kibitz has made"
    return f"{folder} holds {what}: there is no {MANIFEST}{instead}"


def _earlier(folder: Path) -> str:
    return f"{folder} was made by an earlier version of Kibitz, or by something else: make it again"


def _file_sum(path: Path) -> str:
    """Of the bytes of a file; of pictures, which nobody computes with, nothing."""
    if path.suffix in PICTURES:
        return ""
    return file_sha256(path) if path.is_file() else "missing"


def _why_not_replaced(folder: Path, artefact: Artefact) -> str:
    """What would be lost with `folder` beyond an older artefact of that kind."""
    try:
        manifest = read_manifest(folder)
    except ArtefactError:
        return f"does not hold {what_is(artefact.kind)}"
    if manifest["kind"] != artefact.kind:
        return f"holds {what_is(manifest['kind'])}"
    known = {MANIFEST, *(f"{name}.npy" for name in manifest["arrays"]), *manifest["files"], *manifest["parts"]}
    others = sorted({path.name for path in folder.iterdir()} - known) if folder.is_dir() else []
    return f"holds more than {what_is(artefact.kind)} ({others[0]})" if others else ""


def read_document(place: Path) -> Any:
    """The manifest of the folder or file `place`, unchecked; None of a file that has none, OSError without a file."""
    if os.path.isdir(place):  # a name that is too long for one is no folder
        return read_json(place / MANIFEST)
    with place.open("rb") as file:
        begin = file.read(4)
    if begin == _PARQUET:
        return parse_json(table_metadata(place).get(KEY, "null"))
    return read_json(place) if begin[:1] == b"{" and place.name != MANIFEST else None


def as_json(place: Path, manifest: Mapping[str, Any]) -> None:
    """Write an artefact of which `about` is all as a file of JSON."""
    place.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8", newline="\n")


def in_metadata(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The metadata of a Parquet file that has this manifest."""
    return {KEY: json.dumps(manifest)}
