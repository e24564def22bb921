"""Learned responses as artefacts: the policy, and as a part the observer that it reads its opponents with."""

from __future__ import annotations

from pathlib import Path

from kibitz.learning.files import load_model, model_artefact, model_of
from kibitz.learning.model import Model
from kibitz.plans import Artefact, open_artefact

KIND, OBSERVER = "response", "observer"


def response_artefact(policy: Model, observer: Model) -> Artefact:
    """What is kept of a response."""
    found = model_artefact(policy, KIND)
    return Artefact(KIND, found.about, found.made, found.arrays, parts={OBSERVER: model_artefact(observer)})


def load_response(folder: Path) -> tuple[Model, Model]:
    """The policy of a response and the observer that it reads."""
    return model_of(open_artefact(folder, KIND)), load_model(folder / OBSERVER)
