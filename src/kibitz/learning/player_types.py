"""Models of players who have types (Sweeney 2012, section 6.3): a structure with weights, and those of types on top.

A player of type p has the logits of his cards, of what he believes of opponents' cards, and

    m_sj += Y_sp + sum_k W_sk Q_k        Q: opponents' distributions of types, summed over those who are active

with separate weights for every stage. Those who watch keep a joint distribution J(c, p) of every player, which begins
each deal as P(C_0) times the distribution of his types after the last one.

Types are numbered p = 0 .. count - 1, and arrays have room for `MOST`. A player has a number in the match and, in each
deal, a seat; weights and beliefs of a deal go by seat, what is carried from deal to deal goes by player.
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
from kibitz.learning.records import MOST_DECISIONS, SEATS, STAGES, STATES, TYPES, make_record
from kibitz.plans import Artefact, kind_of, open_artefact, save_artefact

DEFAULT = 8  # types
KIND, WEIGHTS, BASE = "types", "types", "base"  # of an artefact, its array and its part
MOST = 16  # player types
NODES = 8  # of the extra layer
POSITIONS = 7  # features of where an opponent sits
INPUTS = TYPES + MOST + POSITIONS + 1  # of a node; the last is the constant
_D = MOST_DECISIONS

# Weights of player types.
KINDS = np.dtype(
    [
        ("own", "f8", (STAGES, MOST, STATES)),  # a player's own type -> outcome states
        ("opponents", "f8", (STAGES, MOST, STATES)),  # summed beliefs about opponents' types -> outcome states
        ("initial", "f8", (MOST,)),  # how types are distributed before a match
    ]
)

# What one who has no type of his own, such as an exploiter, makes of those of others; or its gradient.
READING = np.dtype(
    [
        ("kinds", KINDS),  # of which `opponents` counts
        # the extra layer: logistic nodes for every opponent, of which the sum over opponents is an input
        ("nodes", "f8", (STAGES, INPUTS, NODES)),  # card-type belief, type belief, position, constant -> nodes
        ("outputs", "f8", (STAGES, NODES, STATES)),  # summed nodes -> outcome states
    ]
)
KINDS_SIZE, READING_SIZE = KINDS.itemsize // 8, READING.itemsize // 8  # of flat arrays

# What an observer believes in one deal.
FILTER = np.dtype(
    [
        ("joint", "f8", (SEATS, MOST, TYPES)),  # J(p, c) of every seat
        ("belief", "f8", (SEATS, TYPES)),  # its marginals: card-types
        ("kinds", "f8", (SEATS, MOST)),  # and player types
        ("start", "f8", (SEATS, MOST)),  # those of player types as the deal began
        ("chance", "f8", (3, MOST, TYPES)),  # P(action | p, c) at the decision
        ("scratch", "f8", (2, TYPES)),
    ]
)

# What lasts for a match, and what `records.WORK` has no room for.
MEMORY = np.dtype(
    [
        ("count", "i8"),  # number of player types
        ("carried", "f8", (SEATS, MOST)),  # beliefs about types after the last deal, by player
        ("drawn", "i8", (SEATS,)),  # types that simulated players have, by player
        ("player", "i8", (SEATS,)),  # who sits in a seat
        ("shown", "i8"),  # mask of seats whose cards are seen after the deal; -1 for all in a showdown
        ("layered", "i8"),  # whether learners have the extra layer
        ("recalled", "i8"),  # whether chances of actions with which a deal begins are worked out
        ("weight", "f8"),  # of squares in the rewards of learners, x - weight x^2
        ("own_exp", "f8", (STAGES, MOST, STATES)),  # exponentials of the weights of own types
        ("board_exp", "f8", (STAGES, STATES)),  # of public card features where card-types see them, or ones
        ("extra", "f8", (STATES,)),  # logits of Q and of the extra layer, for learners
        ("summed", "f8", (_D, MOST)),  # Q of every decision: beliefs about opponents' types, summed
        ("others", "i8", (_D,)),  # mask of opponents that the extra layer saw
        ("inputs", "f8", (_D, SEATS, INPUTS)),
        ("nodes", "f8", (_D, SEATS, NODES)),
        ("node_sum", "f8", (_D, NODES)),
    ]
)


class Match(NamedTuple):
    """A match among players with types; kernels take it apart at no cost. All are records, arrays of one in Python.

    reading   READING of learners; kinds : KINDS, of everybody else; memory : MEMORY
    filters   FILTER[1] of all, or FILTER[2] with that of learners who forget, which begins afresh with every deal
    """

    reading: Any
    kinds: Any
    memory: Any
    filters: Any


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
        if not np.isfinite(self.flat).all():
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
    def weights(self) -> Any:
        """The weights of types by name."""
        return views(self.flat)

    @property
    def record(self) -> npt.NDArray[np.void]:
        """The weights of types as kernels take them, sharing their memory."""
        return self.flat.view(KINDS)

    def describe(self) -> dict[str, Any]:
        """What tells it from other models."""
        return {"types": self.count, "weights": checksum(self.flat), "base": checksum(self.base.flat)}

    def begin_match(self, reading: Floats | None = None, layered: bool = False, forgetful: bool = False) -> Match:
        """A match in which nothing has been seen; reading : float64[READING_SIZE] of learners, if there are any."""
        memory = make_record(MEMORY, count=self.count, carried=self.weights.initial, shown=-1, layered=layered)
        found = np.zeros(1, dtype=READING) if reading is None else reading.view(READING)
        return Match(found, self.record, memory, np.zeros(2 if forgetful else 1, dtype=FILTER))


def views(flat: Floats) -> Any:
    """The fields of a flat record KINDS as attributes, which share its memory."""
    return flat.view(KINDS).view(np.recarray)[0]


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
