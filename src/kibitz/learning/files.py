"""Learned models on disk: a folder with a manifest and the weights, which is an agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.files import check_seal, checksum, folder_taking_place, load_array, read_json, save_array, sealed, shown
from kibitz.learning.cards.names import private_names, public_names
from kibitz.learning.model import Floats, Model, ModelError, Structure

MANIFEST, WEIGHTS_FILE = "manifest.json", "weights.npy"
KIND = "connectionist"
LAYOUT = 1
OTHERS = ("checkpoint.npz", "curve.jsonl")  # what a run keeps beside the agent
# Agents that read their opponents with another model, which lies beside the policy: by the algorithm that made them.
RESPONSE, EXPLOITER = "best response", "exploiter"
READERS = {RESPONSE: "a best response", EXPLOITER: "an exploiter"}


def is_model(folder: Path) -> bool:
    """Whether `folder` says that it is a learned model."""
    return is_kind(folder, KIND)


def is_kind(folder: Path, kind: str) -> bool:
    """Whether the manifest of `folder` says that it is of a kind."""
    return _manifest(folder).get("kind") == kind


def made_of(folder: Path) -> dict[str, Any]:
    """What the manifest of a learned model says of how it was made; nothing where `folder` is no model."""
    manifest = _manifest(folder)
    made = manifest.get("made") if manifest.get("kind") == KIND else None
    return made if isinstance(made, dict) else {}


def reader_of(made: dict[str, Any]) -> str:
    """What an agent made so is called if it reads its opponents with another model; else an empty text."""
    return READERS.get(str(made.get("algorithm")), "")


def _manifest(folder: Path) -> dict[str, Any]:
    """The manifest of `folder`, empty where there is none that can be read."""
    try:
        found = read_json(folder / MANIFEST)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def model_files(folder: Path) -> list[Path]:
    """The files that make the model what it is."""
    return [folder / MANIFEST, folder / WEIGHTS_FILE]


def save_model(model: Model, folder: Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older model there is replaced, anything else is not."""
    folder = folder.resolve()
    check_saving(model.is_finite, folder, (KIND, "model"), {MANIFEST, WEIGHTS_FILE, *OTHERS})
    kept = {name: (folder / name).read_bytes() for name in OTHERS if (folder / name).exists()}
    with folder_taking_place(folder) as beside:
        write_model(model, beside)
        for name, data in kept.items():
            (beside / name).write_bytes(data)


def check_saving(finite: bool, folder: Path, kind: tuple[str, str], known: set[str]) -> None:
    """Refuse to save what is no number, and to replace anything but a folder of that kind with files that are known.

    kind   as manifests say it, and for people
    """
    if not finite:
        raise ModelError("the model has weights that are not numbers: it is not saved")
    if not folder.exists():
        return
    if not is_kind(folder, kind[0]):
        raise ModelError(f"{folder} exists and holds no {kind[1]}: it is not replaced")
    if others := sorted({each.name for each in folder.iterdir()} - known):
        raise ModelError(f"{folder} exists and holds more than a model ({others[0]}): it is not replaced")


def write_model(model: Model, folder: Path) -> None:
    """Write the files of a model into a folder that is there."""
    save_array(folder / WEIGHTS_FILE, model.flat)
    write_manifest(
        folder,
        KIND,
        structure=model.structure.describe(),
        features=_features(model.structure.profile),
        checksum=checksum(model.flat),
        made=model.made,
    )


def write_manifest(folder: Path, kind: str, **content: Any) -> None:
    """Say what is in a folder."""
    manifest = sealed({"kibitz": __version__, "kind": kind, "layout": LAYOUT, **content})
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")


def _features(profile: str) -> dict[str, list[int]]:
    """How many public and private features each stage has: a list that differs is another profile."""
    return {
        "public": [len(public_names(profile, stage)) for stage in range(4)],
        "private": [len(private_names(profile, stage)) for stage in range(4)],
    }


def load_model(folder: Path) -> Model:
    """The model in `folder`; ModelError with a sentence where it is damaged or of another kind.

    The policy of an agent that reads its opponents with another model is refused: alone it is another agent.
    """
    model = load_policy(folder)
    if reader := reader_of(model.made):
        raise ModelError(
            f"{folder} is {reader}, which reads its opponents with a model of its own: choose a model from self-play, "
            "or one fitted to records"
        )
    return model


def load_policy(folder: Path) -> Model:
    """The same of any policy, also of one that needs the model beside it."""
    manifest = read_manifest(folder, KIND, "a model from self-play")
    try:
        described = dict(manifest["structure"])
        structure = Structure(**{name: _plain(value) for name, value in described.items()})
        made = dict(manifest["made"])
        features, wanted = manifest["features"], manifest["checksum"]
    except KibitzError as error:
        raise ModelError(f"{folder}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{folder / MANIFEST} is damaged: {type(error).__name__} {shown(str(error))}") from None
    if features != (ours := _features(structure.profile)):
        raise ModelError(
            f"{folder}: its profile {structure.profile} has features {shown(features)}, here they are {ours}"
        )
    flat = read_weights(folder, WEIGHTS_FILE, "weights")
    check_sum(folder, WEIGHTS_FILE, flat, wanted)
    model = Model(structure, flat.copy(), made)
    if not model.is_finite:
        raise ModelError(f"{folder}: {WEIGHTS_FILE} contains weights that are not numbers")
    check_manifest(folder, manifest)
    return model


def _plain(value: Any) -> Any:
    """A value of a document as a structure has it: numbers are floats, lists are tuples."""
    return tuple(float(each) for each in value) if isinstance(value, list) else value


def read_weights(folder: Path, name: str, what: str) -> Floats:
    """The array in a file of a model; ModelError where there is none."""
    try:
        return load_array(folder / name)
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder}: its {what} cannot be read: {error}") from None


def check_sum(folder: Path, name: str, array: Floats, said: object) -> None:
    """Refuse weights that are not those of the manifest."""
    if (found := checksum(array)) != said:
        told = shown(said, quoted=False)
        raise ModelError(f"{folder}: {name} is damaged: its checksum is {found}, the manifest says {told}")


def check_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Refuse a manifest that does not say what was written."""
    try:
        check_seal(manifest)
    except ValueError as error:
        raise ModelError(f"{folder / MANIFEST}: {error}") from None


def read_manifest(folder: Path, kind: str, what: str) -> dict[str, Any]:
    """What the manifest of a folder of that kind says; ModelError where there is none."""
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        raise ModelError(f"{folder} holds no model: there is no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("kind") != kind:
        raise ModelError(f"{path} does not describe {what}")
    if manifest.get("layout") != LAYOUT:
        raise ModelError(f"{path} has layout {shown(manifest.get('layout'))}: this version reads {LAYOUT}")
    return manifest
