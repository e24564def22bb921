"""Models with player types on disk: a folder with a manifest, the weights of types, and the folder of the base."""

from __future__ import annotations

from pathlib import Path

from kibitz.files import checksum, folder_taking_place, save_array, shown
from kibitz.learning.files import (
    MANIFEST,
    check_manifest,
    check_saving,
    check_sum,
    is_kind,
    is_model,
    load_model,
    model_files,
    read_manifest,
    read_weights,
    write_manifest,
    write_model,
)
from kibitz.learning.model import ModelError
from kibitz.learning.player_types.model import TypedModel

WEIGHTS_FILE, BASE = "types.npy", "base"
KIND, DESCRIBED = "player types", "model with player types"


def is_typed(folder: Path) -> bool:
    """Whether `folder` says that it is a model with player types."""
    return is_kind(folder, KIND)


def typed_files(folder: Path) -> list[Path]:
    """The files that make the model what it is."""
    return [folder / MANIFEST, folder / WEIGHTS_FILE, *model_files(folder / BASE)]


def save_typed(model: TypedModel, folder: Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older one there is replaced, anything else is not."""
    folder = folder.resolve()
    finite = model.is_finite and model.base.is_finite
    check_saving(finite, folder, (KIND, DESCRIBED), {MANIFEST, WEIGHTS_FILE, BASE})
    with folder_taking_place(folder) as beside:
        write_typed(model, beside)


def write_typed(model: TypedModel, folder: Path) -> None:
    """Write the files of a model into a folder that is there; the manifest comes last."""
    (folder / BASE).mkdir(exist_ok=True)
    write_model(model.base, folder / BASE)
    save_array(folder / WEIGHTS_FILE, model.flat)
    sums = {"checksum": checksum(model.flat), "base": checksum(model.base.flat)}
    write_manifest(folder, KIND, types=model.count, **sums, made=model.made)


def load_typed(folder: Path) -> TypedModel:
    """The model in `folder`; ModelError with a sentence where it is damaged or of another kind."""
    manifest = read_manifest(folder, KIND, f"a {DESCRIBED}")
    try:
        count, made = manifest["types"], dict(manifest["made"])
        wanted, base_wanted = manifest["checksum"], manifest["base"]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{folder / MANIFEST} is damaged: {type(error).__name__} {shown(str(error))}") from None
    if type(count) is not int:
        raise ModelError(f"{folder / MANIFEST} tells {shown(count)} types: a number belongs there")
    base = load_model(folder / BASE)
    flat = read_weights(folder, WEIGHTS_FILE, "weights of types")
    check_sum(folder, WEIGHTS_FILE, flat, wanted)
    check_sum(folder, BASE, base.flat, base_wanted)
    try:
        model = TypedModel(base, count, flat.copy(), made)
    except ModelError as error:
        raise ModelError(f"{folder}: {error}") from None
    check_manifest(folder, manifest)
    return model


def load_opponents(folder: Path) -> TypedModel:
    """The model in `folder`, with player types or without."""
    return TypedModel.plain(load_model(folder)) if is_model(folder) else load_typed(folder)
