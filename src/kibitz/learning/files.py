"""Learned models as artefacts: what their weights mean, the rules they play by, and the weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import shown
from kibitz.learning.cards.names import private_names, public_names
from kibitz.learning.model import Floats, Model, ModelError, Structure
from kibitz.plans import Artefact, open_artefact, save_artefact

KIND, WEIGHTS = "learned", "weights"
# What those who read a model ask of how it was made: it counts as its content, and the rest as its history.
READ = ("algorithm", "deals", "players", "rules", "against", "contest")


def model_artefact(model: Model, kind: str = KIND) -> Artefact:
    """What is kept of a model, or of a policy that is part of something of another kind; ModelError if it is broken."""
    if not model.is_finite:
        raise ModelError("the model has weights that are not numbers: it is not saved")
    about = {"structure": model.structure.describe(), "features": _features(model.structure.profile)}
    about |= {name: model.made[name] for name in READ if name in model.made}
    made = {name: value for name, value in model.made.items() if name not in READ}
    return Artefact(kind, about, made, {WEIGHTS: model.flat}, content=model)


def save_model(model: Model, folder: Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older model there is replaced, anything else is not."""
    save_artefact(model_artefact(model), folder)


def load_model(folder: Path) -> Model:
    """The model in `folder`; KibitzError with a sentence if it is damaged or of another kind."""
    return model_of(open_artefact(folder, KIND))


def model_of(found: Artefact) -> Model:
    """The model of an artefact, or the policy of one that has more."""
    place = found.path
    try:
        described = dict(found.about["structure"])
        structure = Structure(**{name: _plain(value) for name, value in described.items()})
        features = found.about["features"]
    except KibitzError as error:
        raise ModelError(f"{place}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{place} is damaged: {type(error).__name__} {shown(str(error))}") from None
    if features != (ours := _features(structure.profile)):
        raise ModelError(
            f"{place}: its profile {structure.profile} has features {shown(features)}, here they are {ours}"
        )
    flat = array_of(found, WEIGHTS)
    try:
        model = Model(structure, flat, made_of(found))
    except ModelError as error:
        raise ModelError(f"{place}: {error}") from None
    if not model.is_finite:
        raise ModelError(f"{place}: {WEIGHTS} contains weights that are not numbers")
    return model


def made_of(found: Artefact) -> dict[str, Any]:
    """How what is in an artefact was made, with what is read of it."""
    return {**{name: found.about[name] for name in READ if name in found.about}, **found.made}


def array_of(found: Artefact, name: str) -> Floats:
    """A copy of one of its arrays; ModelError if there is none."""
    if name not in found.arrays:
        raise ModelError(f"{found.path} is not complete: it lacks {name}.npy")
    return found.arrays[name].copy()


def entry_of(found: Artefact, name: str, kind: type) -> Any:
    """What its manifest says by that name; ModelError unless it is of that type."""
    value = found.about.get(name)
    if type(value) is not kind:
        raise ModelError(f"{found.path} is damaged: its {name} is {shown(value)}")
    return value


def _features(profile: str) -> Mapping[str, list[int]]:
    """How many public and private features each stage has: a list that differs is another profile."""
    return {
        "public": [len(public_names(profile, stage)) for stage in range(4)],
        "private": [len(private_names(profile, stage)) for stage in range(4)],
    }


def _plain(value: Any) -> Any:
    """A value of a document as a structure has it: numbers are floats, lists are tuples."""
    return tuple(float(each) for each in value) if isinstance(value, list) else value
