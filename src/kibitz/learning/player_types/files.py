"""Models with player types on disk: a folder with a manifest, the weights of types, and the folder of the base."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.files import checksum, folder_taking_place, load_array, read_json, save_array, shown
from kibitz.learning.files import is_model, load_model, model_files, write_model
from kibitz.learning.model import ModelError
from kibitz.learning.player_types.model import TypedModel

MANIFEST, WEIGHTS_FILE, BASE = "manifest.json", "types.npy", "base"
KIND = "player types"
LAYOUT = 1


def is_typed(folder: Path) -> bool:
    """Whether `folder` says that it is a model with player types."""
    try:
        found = read_json(folder / MANIFEST)
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("kind") == KIND


def typed_files(folder: Path) -> list[Path]:
    """The files that make the model what it is."""
    return [folder / MANIFEST, folder / WEIGHTS_FILE, *model_files(folder / BASE)]


def save_typed(model: TypedModel, folder: Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older one there is replaced, anything else is not."""
    folder = folder.resolve()
    if not (model.is_finite and model.base.is_finite):
        raise ModelError("the model has weights that are not numbers: it is not saved")
    if folder.exists() and not is_typed(folder):
        raise ModelError(f"{folder} exists and holds no model with player types: it is not replaced")
    if folder.exists() and (
        others := sorted({each.name for each in folder.iterdir()} - {MANIFEST, WEIGHTS_FILE, BASE})
    ):
        raise ModelError(f"{folder} exists and holds more than a model ({others[0]}): it is not replaced")
    with folder_taking_place(folder) as beside:
        write_typed(model, beside)


def write_typed(model: TypedModel, folder: Path) -> None:
    """Write the files of a model into a folder that is there; the manifest comes last."""
    (folder / BASE).mkdir(exist_ok=True)
    write_model(model.base, folder / BASE)
    save_array(folder / WEIGHTS_FILE, model.flat)
    manifest = {
        "kibitz": __version__,
        "kind": KIND,
        "layout": LAYOUT,
        "types": model.count,
        "checksum": checksum(model.flat),
        "base": checksum(model.base.flat),
        "made": model.made,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")


def load_typed(folder: Path) -> TypedModel:
    """The model in `folder`; ModelError with a sentence where it is damaged or of another kind."""
    manifest = _read_manifest(folder)
    try:
        count, made = manifest["types"], dict(manifest["made"])
        wanted, base_wanted = manifest["checksum"], manifest["base"]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{folder / MANIFEST} is damaged: {type(error).__name__} {shown(str(error))}") from None
    if type(count) is not int:
        raise ModelError(f"{folder / MANIFEST} tells {shown(count)} types: a number belongs there")
    base = load_model(folder / BASE)
    try:
        flat = load_array(folder / WEIGHTS_FILE)
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder}: its weights of types cannot be read: {error}") from None
    for name, array, said in ((WEIGHTS_FILE, flat, wanted), (BASE, base.flat, base_wanted)):
        if (found := checksum(array)) != said:
            said = shown(said, quoted=False)
            raise ModelError(f"{folder}: {name} is damaged: its checksum is {found}, the manifest says {said}")
    try:
        return TypedModel(base, count, flat.copy(), made)
    except ModelError as error:
        raise ModelError(f"{folder}: {error}") from None


def load_opponents(folder: Path) -> TypedModel:
    """The model in `folder`, with player types or without."""
    return TypedModel.plain(load_model(folder)) if is_model(folder) else load_typed(folder)


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        raise ModelError(f"{folder} holds no model: there is no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        raise ModelError(f"{path} does not describe a model with player types")
    if manifest.get("layout") != LAYOUT:
        raise ModelError(f"{path} has layout {shown(manifest.get('layout'))}: this version reads {LAYOUT}")
    return manifest
