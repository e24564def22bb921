"""The connectionist structure (Sweeney 2012, chapter 4) and its weights.

For an option j (call or raise) with bet features b_j and direct cost c_j, opponents' summed beliefs O, and the actor's
card features x, or a card-type in place of them, with separate weights for each of the four stages:

    m_sj = sum_f A_sf b_fj + sum_k D_sk O_k + (sum_g G_sg x_g, or H_s of the card-type)     logits of outcome states s
    P(s | j) = exp(m_sj) / sum_s' exp(m_s'j)                                                (equation 4-1)
    u_j = sum_s P(s | j) sum_f w_sf b_fj - w_c c_j, and 0 for a fold                        (equations 4-2, 4-3)
    P(j) = exp(u_j) / sum over legal j' of exp(u_j')                                        (equation 4-4)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.cards.names import ADDED_PRIVATE, PROFILES, private_names
from kibitz.learning.cards.tables import pair_table
from kibitz.learning.records import BETS, MODE, PRIVATE, TYPES, WEIGHTS, make_record

Floats = npt.NDArray[np.float64]

BET_FEATURES = (
    "active opponents", "ends stage", "pot", "amount owed", "fair share", "opponents to act", "opponents behind",
    "heads-up", "bets until cap",
)  # fmt: skip
CHIPS = ("linear", "saturating", "logarithm")
_OFFSETS = {name: WEIGHTS.fields[name][1] // 8 for name in WEIGHTS.names}  # type: ignore[index, union-attr]
SIZE = WEIGHTS.itemsize // 8  # of the flat array of weights
BEGINNINGS = np.array(
    [_OFFSETS[name] for name in ("bets", "cards", "types", "transitions", "showdown", "initial")], dtype=np.int64
)
"""Where the groups of weights begin in the flat array, and where the last ends; running averages follow."""


class Weights(NamedTuple):
    """The weights by name, all float64; `records.WEIGHTS` says what they are."""

    bets: Floats
    values: Floats
    costs: Floats
    beliefs: Floats
    own: Floats
    cards: Floats
    types: Floats
    transitions: Floats
    showdown: Floats
    initial: Floats
    usage: Floats


class ModelError(KibitzError):
    """A model that cannot be read, does not fit, or has come to weights that are not numbers."""


@dataclass(frozen=True)
class Structure:
    """What the weights of a model mean.

    profile          card features as printed ("listed"), or with additions that tell all hands apart ("complete")
    public_observer  whether card-types see public card features at decisions (Table 4-2), and not only in transitions
    self_aware       whether a player looks ahead to what others would believe of it after each option (section 5.4.2)
    card_scales      what ranks, counts, counts of rank pairs and places among cards are divided by
    chips            how bet features count pots and what is owed: "linear", or bounded, "saturating" or by "logarithm"
    bet_scales       what each bet feature, and at the end the cost, is divided by; chips are small blinds
    """

    profile: str = "complete"
    public_observer: bool = False
    self_aware: bool = False
    chips: str = "linear"
    card_scales: tuple[float, ...] = (13.0, 4.0, 16.0, 3.0)
    bet_scales: tuple[float, ...] = (5.0, 1.0, 16.0, 16.0, 16.0, 5.0, 5.0, 1.0, 4.0, 16.0)

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise ModelError(f"a feature profile {self.profile!r}: there are {' and '.join(PROFILES)}")
        if self.chips not in CHIPS:
            raise ModelError(f"chips {self.chips!r} in bet features: there are {', '.join(CHIPS)}")
        for name in ("public_observer", "self_aware"):
            if not isinstance(flag := getattr(self, name), bool):
                raise ModelError(f"{name} = {flag!r}: true or false is needed")
        for name, wanted in (("card_scales", 4), ("bet_scales", BETS + 1)):
            scales = getattr(self, name)
            if len(scales) != wanted or not all(np.isfinite(each) and each > 0 for each in scales):
                raise ModelError(f"{name} = {scales}: {wanted} positive numbers are needed")

    def describe(self) -> dict[str, Any]:
        """What a model file says of it."""
        return asdict(self)

    @cached_property
    def mode(self) -> npt.NDArray[np.void]:
        """What kernels know of it: a record `MODE`."""
        return make_record(
            MODE,
            complete=self.profile == "complete",
            public_observer=self.public_observer,
            self_aware=self.self_aware,
            chips=CHIPS.index(self.chips),
            card_scales=self.card_scales,
            bet_scales=1.0 / np.array(self.bet_scales),
            pairs=pair_table(),
        )


@dataclass(frozen=True, eq=False)
class Model:
    """A structure with its weights: float64[n] in one array, of which `weights` are views.

    made   where they come from: settings, seed, deals
    """

    structure: Structure
    flat: Floats
    made: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.flat.shape != (SIZE,) or self.flat.dtype != np.float64:
            raise ModelError(f"{self.flat.dtype} weights {self.flat.shape}: this structure has float64 ({SIZE},)")

    @classmethod
    def random(
        cls, structure: Structure, seed: int = 0, scale: float = 0.05, value_scale: float | None = None
    ) -> Model:
        """Small random weights, N(0, scale²); card-types are equally likely, and none is used more than another.

        value_scale   the same of the values of outcome states: where all states are worth the same, cards teach nothing
        """
        flat = np.zeros(SIZE)
        learned = int(BEGINNINGS[-1])
        flat[:learned] = np.random.Generator(np.random.PCG64(seed)).normal(0.0, scale, learned)
        model = cls(structure, flat)
        weights = model.weights
        if value_scale is not None:
            weights.values[:] *= value_scale / scale if scale else 0.0
        weights.initial[:] = 1.0 / TYPES
        weights.usage[:] = 1.0 / TYPES
        if not structure.self_aware:
            weights.own[:] = 0.0
        if structure.profile == "listed":
            for stage, (begin, names) in enumerate(zip(PRIVATE, ADDED_PRIVATE, strict=True)):
                listed = begin + len(private_names("listed", stage))
                weights.cards[listed : listed + len(names)] = 0.0
        return model

    @cached_property
    def weights(self) -> Weights:
        """The weights by name."""
        return views(self.flat)

    @property
    def record(self) -> npt.NDArray[np.void]:
        """The weights as kernels take them, sharing their memory."""
        return self.flat.view(WEIGHTS)

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers."""
        return bool(np.isfinite(self.flat).all())

    def copy(self) -> Model:
        """A model with weights of its own."""
        return Model(self.structure, self.flat.copy(), dict(self.made))


def views(flat: Floats) -> Weights:
    """The arrays of a flat one, which they share their memory with."""
    found = flat.view(WEIGHTS)
    return Weights(*(found[name][0] for name in Weights._fields))
