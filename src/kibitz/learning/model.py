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
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.cards.names import PROFILES, SHORT_RIVER, private_names, public_names

if TYPE_CHECKING:
    from kibitz.learning._kernels import Layout, Mode, Weights

Floats = npt.NDArray[np.float64]

STAGES, STATES, TYPES, BETS = 4, 8, 8, 9
FLOP, TURN, RIVER, SHORT = 1, 2, 3, 4  # lists of public features
BET_FEATURES = (
    "active opponents", "ends stage", "pot", "amount owed", "fair share", "opponents to act", "opponents behind",
    "heads-up", "bets until cap",
)  # fmt: skip
GROUPS = ("policy", "cards", "types", "transitions", "showdown")  # of weights, each with a learning rate
_ACTING = {FLOP: (FLOP,), TURN: (FLOP, TURN), RIVER: (SHORT,)}  # lists that the action function sees at a stage
_MOVING = {FLOP: (FLOP,), TURN: (FLOP, TURN), RIVER: (FLOP, TURN, RIVER)}  # and those that transitions see


class ModelError(KibitzError):
    """A model that cannot be read, does not fit, or has come to weights that are not numbers."""


@dataclass(frozen=True)
class Structure:
    """What the weights of a model mean.

    profile          card features as printed ("listed"), or with additions that tell all hands apart ("complete")
    public_observer  whether card-types see public card features at decisions (Table 4-2), and not only in transitions
    self_aware       whether a player looks ahead to what others would believe of it after each option (section 5.4.2)
    card_scales      what ranks, counts, counts of rank pairs and places among cards are divided by
    bet_scales       what each bet feature, and at the end the cost, is divided by; chips are small blinds
    """

    profile: str = "complete"
    public_observer: bool = False
    self_aware: bool = False
    card_scales: tuple[float, ...] = (13.0, 4.0, 16.0, 3.0)
    bet_scales: tuple[float, ...] = (5.0, 1.0, 16.0, 16.0, 16.0, 5.0, 5.0, 1.0, 4.0, 16.0)

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise ModelError(f"a feature profile {self.profile!r}: there are {' and '.join(PROFILES)}")
        for name, wanted in (("card_scales", 4), ("bet_scales", BETS + 1)):
            scales = getattr(self, name)
            if len(scales) != wanted or not all(np.isfinite(each) and each > 0 for each in scales):
                raise ModelError(f"{name} = {scales}: {wanted} positive numbers are needed")

    def describe(self) -> dict[str, Any]:
        """What a model file says of it."""
        return asdict(self)

    @cached_property
    def layout(self) -> Layout:
        """Where the rows of feature lists begin."""
        from kibitz.learning import _kernels

        private = np.zeros(STAGES, dtype=np.int64)
        public = np.full((STAGES, _kernels.LISTS), -1, dtype=np.int64)
        moves = public.copy()
        constant = np.full(STAGES, -1, dtype=np.int64)
        row = row_of_moves = 0
        for stage in range(STAGES):
            for kind in _ACTING.get(stage, ()):
                public[stage, kind] = row
                row += self.public_count(kind)
            private[stage] = row
            row += len(private_names(self.profile, stage))
            for kind in _MOVING.get(stage, ()):
                moves[stage, kind] = row_of_moves
                row_of_moves += self.public_count(kind)
            if stage:
                constant[stage] = row_of_moves
                row_of_moves += 1
        return _kernels.Layout(private, public, moves, constant)

    def public_count(self, kind: int) -> int:
        """The number of features in a list of public ones."""
        return len(SHORT_RIVER) if kind == SHORT else len(public_names(self.profile, kind))

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays of `Weights`, in their order in the flat array."""
        layout = self.layout
        rows = int(layout.private[-1]) + len(private_names(self.profile, STAGES - 1))
        return {
            "bets": (STAGES, BETS + 1, STATES),
            "values": (STAGES, BETS, STATES),
            "costs": (STAGES,),
            "beliefs": (STAGES, TYPES, STATES),
            "own": (STAGES, TYPES, STATES),
            "cards": (rows, STATES),
            "types": (STAGES, STATES, TYPES),
            "transitions": (int(layout.constant[-1]) + 1, TYPES * TYPES),
            "showdown": (TYPES,),
            "initial": (TYPES,),
            "usage": (STAGES, TYPES),
        }

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where each array begins in the flat array; "end" is its length."""
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in self.shapes.values())])
        return dict(zip((*self.shapes, "end"), ends.tolist(), strict=True))

    @property
    def groups(self) -> npt.NDArray[np.int64]:
        """Where the groups of weights begin, and where the last ends."""
        names = ("bets", "cards", "types", "transitions", "showdown", "initial")
        return np.array([self.offsets[name] for name in names], dtype=np.int64)

    @cached_property
    def mode(self) -> Mode:
        """What kernels know of it."""
        from kibitz.learning._kernels import Mode

        return Mode(
            self.profile == "complete",
            self.public_observer,
            self.self_aware,
            np.array(self.card_scales),
            1.0 / np.array(self.bet_scales),
        )

    def views(self, flat: Floats) -> Weights:
        """The arrays of a flat one, which they share their memory with."""
        from kibitz.learning._kernels import Weights

        offsets = self.offsets
        found = {
            name: flat[offsets[name] : offsets[name] + int(np.prod(shape))].reshape(shape)
            for name, shape in self.shapes.items()
        }
        return Weights(**found)


@dataclass(frozen=True, eq=False)
class Model:
    """A structure with its weights: float64[n] in one array, of which `weights` are views.

    made   where they come from: settings, seed, deals
    """

    structure: Structure
    flat: Floats
    made: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wanted = (self.structure.offsets["end"],)
        if self.flat.shape != wanted or self.flat.dtype != np.float64:
            raise ModelError(f"{self.flat.dtype} weights {self.flat.shape}: this structure has float64 {wanted}")

    @classmethod
    def random(cls, structure: Structure, seed: int = 0, scale: float = 0.05) -> Model:
        """Small random weights, N(0, scale²); card-types are equally likely, and none is used more than another."""
        flat = np.zeros(structure.offsets["end"])
        learned = int(structure.groups[-1])
        flat[:learned] = np.random.Generator(np.random.PCG64(seed)).normal(0.0, scale, learned)
        model = cls(structure, flat)
        weights = model.weights
        weights.initial[:] = 1.0 / TYPES
        weights.usage[:] = 1.0 / TYPES
        if not structure.self_aware:
            weights.own[:] = 0.0
        return model

    @cached_property
    def weights(self) -> Weights:
        """The weights by name."""
        return self.structure.views(self.flat)

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers."""
        return bool(np.isfinite(self.flat).all())

    def copy(self) -> Model:
        """A model with weights of its own."""
        return Model(self.structure, self.flat.copy(), dict(self.made))


def make_work(decision_cap: int = 150) -> Any:
    """Scratch arrays for one deal at a time; see `kibitz.learning._kernels.Work`."""
    from kibitz.learning._kernels import LISTS, SEATS, Work

    d, most = max(decision_cap, 1), 32

    def floats(*shape: int) -> Floats:
        return np.zeros(shape)

    def ints(*shape: int) -> npt.NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    options = 2
    return Work(
        cards=np.zeros(2 * SEATS + 5, dtype=np.uint8),
        spent=ints(SEATS),
        net=floats(SEATS),
        last=ints(SEATS),
        belief=floats(SEATS, TYPES),
        public_numbers=ints(LISTS, most),
        public_values=floats(LISTS, most),
        public_counts=ints(LISTS),
        private_numbers=ints(STAGES, SEATS, most),
        private_values=floats(STAGES, SEATS, most),
        private_counts=ints(STAGES, SEATS),
        board=floats(2, STATES),
        hand=floats(SEATS, STATES),
        moves=floats(STAGES, TYPES, TYPES),
        type_exp=floats(STAGES, STATES, TYPES),
        player=ints(d),
        stage=ints(d),
        action=ints(d),
        paid=ints(d),
        features=floats(d, options, BETS + 1),
        opponents=floats(d, TYPES),
        ahead=floats(d, options, TYPES),
        state_exp=floats(d, options, STATES),
        state_value=floats(d, options, STATES),
        own_value=floats(d, options, STATES),
        outcome=floats(d, options, STATES),
        mean=floats(d, options),
        chance=floats(d, 3),
        type_sum=floats(d, options, TYPES),
        type_mean=floats(d, options, TYPES),
        type_chance=floats(d, 3, TYPES),
        counts=ints(5),
        combination=ints(2, SEATS),
        scratch=floats(8, 8),
        likely=floats(STAGES, SEATS, TYPES),
        alpha=floats(STAGES, SEATS, TYPES),
        prior=floats(STAGES, SEATS, TYPES),
        beta=floats(STAGES, SEATS, TYPES),
        gamma=floats(STAGES, SEATS, TYPES),
        total=floats(STAGES, SEATS, 2),
        moved=floats(STAGES, TYPES, TYPES),
        by_hand=floats(STAGES, SEATS, STATES),
    )
