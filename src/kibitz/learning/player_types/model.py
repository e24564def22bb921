"""Models of players who have types (Sweeney 2012, section 6.3): a structure with weights, and those of types on top.

A player of type p has the logits of his cards, of what he believes of opponents' cards, and

    m_sj += Y_sp + sum_k W_sk Q_k        Q: opponents' distributions of types, summed over those who are active

with separate weights for every stage. Those who watch keep a joint distribution J(c, p) of every player, which begins
each deal as P(C_0) times the distribution of his types after the last one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.files import checksum
from kibitz.learning.files import array_of, entry_of, load_model, made_of, model_artefact
from kibitz.learning.model import Floats, Model, ModelError
from kibitz.learning.player_types.records import FILTER, KINDS, KINDS_SIZE, MEMORY, MOST, READING, Match
from kibitz.learning.records import make_record
from kibitz.plans import Artefact, kind_of, open_artefact, save_artefact

DEFAULT = 8  # types
KIND, WEIGHTS, BASE = "types", "types", "base"  # of an artefact, its array and its part


class KindWeights(NamedTuple):
    """The weights of types by name, all float64; `records.KINDS` says what they are."""

    own: Floats
    opponents: Floats
    initial: Floats


@dataclass(frozen=True, eq=False)
class TypedModel:
    """A model of players of `count` types: a base, and the weights of types, float64[n] in one array.

    made   where they come from
    """

    base: Model
    count: int
    flat: Floats
    made: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST:
            raise ModelError(f"{self.count} player types: 1 to {MOST} can be told apart", settings=("types",))
        if self.flat.shape != (KINDS_SIZE,) or self.flat.dtype != np.float64:
            raise ModelError(f"{self.flat.dtype} weights {self.flat.shape} of types: float64 ({KINDS_SIZE},) is needed")
        if self.base.structure.self_aware:
            raise ModelError("player types on a self-aware model: use one that does not look ahead")
        if not self.is_finite:
            raise ModelError("weights of player types that are not numbers")
        initial, others = self.weights.initial, self.weights.initial[self.count :]
        if others.any() or initial.min() < 0 or abs(initial.sum() - 1) > 1e-9:
            raise ModelError(f"an initial distribution of types {initial.tolist()}: {self.count} chances that sum to 1")

    @classmethod
    def plain(cls, model: Model) -> TypedModel:
        """A model without types as one with a single type, which plays the same."""
        flat = np.zeros(KINDS_SIZE)
        views(flat).initial[0] = 1.0
        return cls(model, 1, flat, dict(model.made))

    @classmethod
    def random(cls, base: Model, count: int = DEFAULT, seed: int = 0, scale: float = 0.05) -> TypedModel:
        """Types that are equally likely, with small random weights, N(0, scale²), of their own."""
        flat = np.zeros(KINDS_SIZE)
        made = views(flat)
        noise = np.random.Generator(np.random.PCG64(seed))
        if 1 <= count <= MOST:
            made.own[:, :count] = noise.normal(0.0, scale, made.own[:, :count].shape)
            made.initial[:count] = 1.0 / count
        return cls(base, count, flat)

    @cached_property
    def weights(self) -> KindWeights:
        """The weights of types by name."""
        return views(self.flat)

    @property
    def record(self) -> npt.NDArray[np.void]:
        """The weights of types as kernels take them, sharing their memory."""
        return self.flat.view(KINDS)

    @property
    def is_finite(self) -> bool:
        """Whether all weights of types are numbers."""
        return bool(np.isfinite(self.flat).all())

    def describe(self) -> dict[str, Any]:
        """What tells it from other models."""
        return {"types": self.count, "weights": checksum(self.flat), "base": checksum(self.base.flat)}

    def begin_match(
        self, reading: Floats | None = None, layered: bool = False, forgetful: bool = False, shown: int = -1
    ) -> Match:
        """A match in which nothing has been seen; `Match` and the records say what there is to it.

        reading : float64[READING_SIZE]   of learners, if there are any
        """
        memory = make_record(
            MEMORY, count=self.count, carried=self.weights.initial, shown=shown, layered=layered, forgetful=forgetful
        )
        shared = np.zeros(1, dtype=FILTER)
        found = np.zeros(1, dtype=READING) if reading is None else reading.view(READING)
        return Match(found, self.record, memory, shared, np.zeros(1, dtype=FILTER) if forgetful else shared)

    def copy(self) -> TypedModel:
        """A model with weights of its own."""
        return TypedModel(self.base.copy(), self.count, self.flat.copy(), dict(self.made))


def views(flat: Floats) -> KindWeights:
    """The arrays of a flat one, which they share their memory with."""
    found = flat.view(KINDS)
    return KindWeights(*(found[name][0] for name in KindWeights._fields))


def typed_artefact(model: TypedModel) -> Artefact:
    """What is kept of a model with types: their weights, and the base as a part."""
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
