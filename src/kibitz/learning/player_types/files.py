"""Models with player types as artefacts: the weights of types, and the base as a part."""

from __future__ import annotations

from pathlib import Path

from kibitz.learning.files import array_of, entry_of, load_model, made_of, model_artefact
from kibitz.learning.model import ModelError
from kibitz.learning.player_types.model import TypedModel
from kibitz.plans import Artefact, kind_of, open_artefact, save_artefact

KIND, WEIGHTS, BASE = "types", "types", "base"


def typed_artefact(model: TypedModel) -> Artefact:
    """What is kept of a model with types."""
    parts = {BASE: model_artefact(model.base)}
    return Artefact(KIND, {"types": model.count}, model.made, {WEIGHTS: model.flat}, parts=parts, content=model)


def save_typed(model: TypedModel, folder: Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older one there is replaced, anything else is not."""
    save_artefact(typed_artefact(model), folder)


def load_typed(folder: Path) -> TypedModel:
    """The model in `folder`; KibitzError with a sentence if it is damaged or of another kind."""
    found = open_artefact(folder, KIND)
    count, base = entry_of(found, "types", int), load_model(folder / BASE)
    try:
        return TypedModel(base, count, array_of(found, WEIGHTS), made_of(found))
    except ModelError as error:
        raise ModelError(f"{folder}: {error}") from None


def load_opponents(folder: Path) -> TypedModel:
    """The model in `folder`, with player types or without."""
    return load_typed(folder) if kind_of(folder) == KIND else TypedModel.plain(load_model(folder))
