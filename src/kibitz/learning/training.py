"""Learning from simulated deals: self-play, and responses to players who stay as they are.

In self-play the policy learns by REINFORCE and the observer by conditional likelihood.

>>> from kibitz.learning import SelfPlay, Structure
>>> trainer = SelfPlay(players=3, seed=5)                       # doctest: +SKIP
>>> progress = trainer.train(64_000)                            # doctest: +SKIP
>>> trainer.model.weights.usage.shape                           # doctest: +SKIP
(4, 8)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.files import checksum
from kibitz.learning.model import BEGINNINGS, SIZE, Floats, Model, ModelError, Structure, views
from kibitz.learning.records import WEIGHTS, WORK
from kibitz.learning.rivals import Rivals
from kibitz.learning.settings import Learning
from kibitz.learning.tables import TableRules, seat_chances

MOST_DEALS = 2**53
STYLES = 1 << 51  # deals from here on are for counting styles
TOLD = 32  # sums that kernels tell of a part of a batch, see `_kernels.running.tell`
NOW, AVERAGED, GRADIENT = range(3)  # rows of a learner's weights
COLLAPSED = 0.002  # usage of a card-type below which it is as good as lost
LARGE = 50.0  # weights beyond this have no business in a soft-max


def lost_types(flat: Floats) -> list[str]:
    """Warnings of the card-types of weights that are as good as lost."""
    stages = zip(("pre-flop", "flop", "turn", "river"), views(flat).usage, strict=True)
    return [
        f"card-type {int(usage.argmin())} of the {name} is hardly used ({usage.min():.4f})"
        for name, usage in stages
        if usage.min() < COLLAPSED
    ]


class Winnings(NamedTuple):
    """What learners won per hand, in small blinds, with the standard deviation and the number of hands."""

    mean: float
    deviation: float
    hands: int

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return self.deviation / sqrt(self.hands) if self.hands else float("nan")

    @classmethod
    def of(cls, chips: float, squares: float, hands: float) -> Winnings:
        """From sums over hands."""
        if hands < 2:
            return cls(chips / hands if hands else float("nan"), float("nan"), int(hands))
        variance = max(0.0, (squares - chips**2 / hands) / (hands - 1))
        return cls(chips / hands, sqrt(variance), int(hands))


@dataclass(frozen=True)
class Seen:
    """What was seen in some deals.

    deals       how many; decisions per deal, and by stage
    actions     shares of fold, call and raise at each stage; entropy of decisions in bits, by stage
    voluntary   share of seats that put chips in of their own accord (VP$IP)
    winnings    of learners, small blinds per hand
    likelihood  ln of the observer's conditional likelihood, per decision
    showdowns   share of deals
    chips       won by everybody together, which is nothing
    """

    deals: int
    decisions: tuple[float, ...]
    actions: tuple[tuple[float, ...], ...]
    entropy: tuple[float, ...]
    voluntary: float
    winnings: Winnings
    likelihood: float
    showdowns: float
    chips: float

    @classmethod
    def of(cls, told: Floats) -> Seen:
        """From the sums that kernels tell: float64[parts, TOLD]."""
        sums = told.sum(axis=0)
        deals, each = max(sums[2], 1.0), np.maximum(sums[6:10], 1.0)
        return cls(
            int(sums[2]),
            tuple((sums[6:10] / deals).tolist()),
            tuple(map(tuple, (sums[10:22].reshape(4, 3) / each[:, None]).tolist())),
            tuple((sums[22:26] / each / np.log(2)).tolist()),
            float(sums[26] / max(sums[27], 1.0)),
            Winnings.of(*sums[28:31].tolist()),
            float(sums[0] / max(sums[1], 1.0)),
            float(sums[4] / deals),
            float(sums[31]),
        )

    @property
    def mean_entropy(self) -> float:
        """The entropy of a decision in bits."""
        return sum(map(float.__mul__, self.entropy, self.decisions)) / max(sum(self.decisions), 1e-12)


@dataclass(frozen=True)
class Progress:
    """What was seen in the deals since the last report.

    deals     of the run so far; seconds spent on it, and deals per second
    usage     of card-types, by stage
    norms     mean norms of the gradients of policy and observer, per deal
    warnings  what may have gone wrong
    """

    deals: int
    seconds: float
    rate: float
    seen: Seen
    usage: tuple[tuple[float, ...], ...]
    norms: tuple[float, float]
    warnings: tuple[str, ...] = ()

    def describe(self) -> dict[str, Any]:
        """The numbers by name."""
        found = {name: value for name, value in asdict(self).items() if name != "seen"}
        winnings = {**self.seen.winnings._asdict(), "error": self.seen.winnings.error}
        return {**asdict(self.seen), **found, "winnings": winnings, "deviation": self.seen.winnings.deviation}


class Simulator:
    """Weights that learn from deals which kernels simulate; `train` goes on from where it is.

    Everything follows from the seed and the settings. All seats have the same weights, unless those of an observer are
    given: then one seat at a time has its own, and everybody else plays, and is watched with, the observer's.

    sums   since the last report: what kernels told, norms of gradients, batches and seconds
    """

    def __init__(
        self, start: Model, observer: Model | None, rules: TableRules, learning: Learning, seed: int, threads: int = 1
    ) -> None:
        self.start, self.rules, self.learning, self.seed, self.threads = start, rules, learning, seed, threads
        self.structure = start.structure
        self.deals, self.seconds = 0, 0.0
        self.flats: Floats = np.zeros((GRADIENT + learning.parts, SIZE))
        self.flats[[NOW, AVERAGED]] = start.flat
        self._observer = observer
        self._works = np.zeros(max(1, min(threads, learning.parts)), dtype=WORK)
        self.sums = {"told": np.zeros((learning.parts, TOLD)), "norms": np.zeros(2), "spent": np.zeros(2)}

    def seated(self, run: npt.NDArray[np.void], told: Floats, weights: Floats | None = None) -> Any:
        """The lesson of kernels that do `run`, with other weights than those that are learned if they are given."""
        from kibitz.learning._kernels.running import Lesson

        flats = self.flats
        if weights is not None:
            flats = np.zeros((GRADIENT + len(told), SIZE))
            flats[NOW] = weights
        records = flats.view(WEIGHTS)[:, 0]
        observer = records[:1] if self._observer is None else self._observer.record
        norms, works = np.zeros((len(told) + 1, 2)), self._works
        return Lesson(
            run, self.rules.table, self.structure.mode, flats, records, observer, BEGINNINGS, works, told, norms
        )

    def make_run(self) -> npt.NDArray[np.void]:
        """What kernels are to do."""
        raise NotImplementedError

    def arrays(self) -> dict[str, Floats]:
        """The memory of the run: weights, and their average."""
        return {"weights": self.flats[NOW], "averaged": self.flats[AVERAGED]}

    def restore(self, deals: int, seconds: float, arrays: dict[str, Floats]) -> None:
        """Go back to a memory that `arrays` gave after so many deals."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self.flats[GRADIENT:] = 0.0
        self.deals, self.seconds = deals, seconds

    def train(self, deals: int) -> Progress:
        """Learn from so many more deals, in whole batches, and report; see `advance`."""
        self.advance(-(-deals // self.learning.batch))
        return self.report()

    def advance(self, batches: int) -> None:
        """Learn from so many more batches; ModelError, and the weights as they were before the batch, where a gradient
        is not a number.
        """
        begun = perf_counter()
        done = self._learn(batches)
        seconds = perf_counter() - begun
        self.deals += done * self.learning.batch
        self.seconds += seconds
        self.sums["spent"] += done, seconds
        if done < batches or not all(np.isfinite(each).all() for each in self.arrays().values()):
            raise ModelError(
                f"a gradient was not finite after {self.deals:,} deals: learning rates are too high for this run"
            )

    def _learn(self, batches: int) -> int:
        """Learn from the next batches and tell `sums` of them; how many, before a gradient was not finite."""
        from kibitz.learning._kernels import running
        from kibitz.parallel.team import SIZE as CONTROL
        from kibitz.parallel.team import Team

        lesson = self.seated(self.make_run(), self.sums["told"])
        lesson.norms[0] = self.sums["norms"]  # added to in order, however batches are cut into pieces
        done = np.zeros(len(self._works), dtype=np.int64)

        def work(control: npt.NDArray[np.int64], member: int) -> None:
            done[member] = running.train(control, member, self.deals, batches, lesson)

        if len(done) > 1:
            Team(len(done)).run(work)
        else:
            work(np.zeros(CONTROL, dtype=np.int64), 0)
        self.sums["norms"][:] = lesson.norms[0]
        return int(done[0])

    def styles(self, deals: int, weights: Floats) -> Floats:
        """How those with these weights (row 0) and others (row 1) play: counts of `_kernels.styles`."""
        from kibitz.learning._kernels.running import count_styles
        from kibitz.learning._kernels.styles import COLUMNS

        run, sums = self.make_run(), np.zeros((2, COLUMNS))
        run["rivals"] = 0.0
        count_styles(STYLES, deals, self.seated(run, np.zeros((1, TOLD)), weights), sums)
        return sums

    def report(self) -> Progress:
        """What was seen since the last report."""
        seen, (batches, seconds) = Seen.of(self.sums["told"]), self.sums["spent"].tolist()
        norms = self.sums["norms"] / max(batches, 1)
        for each in self.sums.values():
            each[:] = 0.0
        usage = self.flats[NOW].view(WEIGHTS)["usage"][0]
        return Progress(
            self.deals, self.seconds, seen.deals / max(seconds, 1e-9), seen, tuple(map(tuple, usage.tolist())),
            (float(norms[0]), float(norms[1])), self._warnings(),
        )  # fmt: skip

    def _warnings(self) -> tuple[str, ...]:
        """What may have gone wrong with the weights."""
        found = lost_types(self.flats[NOW]) if self._observer is None else []
        largest = float(np.abs(self.flats[NOW, : BEGINNINGS[-1]]).max())
        if largest > LARGE:
            found.append(f"a weight has grown to {largest:.3g}: learning rates may be too high")
        return tuple(found)


class SelfPlay(Simulator):
    """A run of self-play, perhaps with rivals in some seats of some deals, from whom the observer does not learn."""

    def __init__(
        self,
        players: int | str = 6,
        seed: int = 0,
        structure: Structure | None = None,
        rules: TableRules | None = None,
        learning: Learning | None = None,
        rivals: Rivals = (),
        start: Model | None = None,
        threads: int = 1,
    ) -> None:
        learning = learning or Learning()
        begun = start or Model.random(structure or Structure(), seed, learning.scale, learning.value_scale)
        super().__init__(begun, None, rules or TableRules(), learning, seed, threads)
        self.players, self.rivals = players, tuple(rivals)

    def make_run(self) -> npt.NDArray[np.void]:
        return self.learning.run(
            seat_chances(self.players), self.rivals, seed=self.seed, learn_policy=True, learn_observer=True
        )

    def describe(self) -> dict[str, Any]:
        """What the run is: two runs that say the same come to the same weights."""
        return {
            "players": self.players,
            "seed": self.seed,
            "structure": self.structure.describe(),
            "rules": asdict(self.rules),
            "learning": self.learning.describe(),
            "rivals": [each._asdict() for each in self.rivals],
            "start": checksum(self.start.flat),
        }

    @property
    def model(self) -> Model:
        """The agent so far, with weights of its own: averaged ones, if an average is kept."""
        made = {"algorithm": "self-play", "deals": self.deals, **self.describe()}
        flat = self.flats[AVERAGED if self.learning.window else NOW].copy()
        flat[BEGINNINGS[-1] :] = self.flats[NOW, BEGINNINGS[-1] :]
        return Model(self.structure, flat, made)


def simulate(
    model: Model, players: int | str, deals: int, seed: int = 0, rules: TableRules | None = None, rivals: Rivals = ()
) -> Seen:
    """Play deals of a model against itself without learning, or alone against rivals if there are any."""
    from kibitz.learning._kernels import running

    table = Simulator(model, None, rules or TableRules(), Learning(), seed)
    told = np.zeros((1, TOLD))
    run = Learning(floor=1.0).run(seat_chances(players), rivals, seed=seed, alone=bool(rivals))
    running.play(0, deals, table.seated(run, told, model.flat))
    return Seen.of(told)
