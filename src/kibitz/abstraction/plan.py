"""Building a card abstraction as a plan: what was built before comes from the cache, and `--out` gets a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.notation import Notation, parse_notation
from kibitz.amounts import counted, format_bytes
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, kind_of, on_threads, seed_for, setting


@dataclass(frozen=True)
class CardsPlan(Plan):
    """Build the card abstraction NOTATION of hold'em and print its buckets.

    NOTATION is, for example, 5-bucket, 12-bucket, IR-100, 'IR KE-KO 169-9000-9000-9000', 'PR EHS 5-5-5-5', one-bucket
    or lossless. IR stands for imperfect recall, PR for perfect recall.

    Abstractions are kept in the cache folder ($KIBITZ_CACHE, or the platform's) and built only once.
    """

    kind: ClassVar[str] = "abstract cards"
    resumes = False

    notation: str = setting(help="Name of the card abstraction", argument=True)
    game: str | None = setting(None, "Game whose information sets are counted with these buckets", free=True)
    seed: int = seed_for("sampling and for the initial clusters")
    threads: int = on_threads(2, "Number of threads; the buckets do not depend on it")

    @cached_property
    def parsed(self) -> Notation:
        """What the name stands for."""
        return parse_notation(self.notation)

    def begin(self, means: Means = HERE) -> CardsRun:
        from kibitz.abstraction.build import check_buildable
        from kibitz.abstraction.files import KIND, abstraction_folder

        check_buildable(self.parsed)
        if kind_of(abstraction_folder(self.parsed, self.seed)) != KIND:
            means.say(expectation(self.parsed, self.threads))
        return CardsRun(self, means)


def expectation(notation: Notation, threads: int) -> str:
    """What building it will take."""
    from kibitz.abstraction.report import estimate_cost

    cost = estimate_cost(notation)
    seconds = counted(round(max(cost.seconds / threads, 1)), "second")
    text = (
        f"{notation}: about {seconds} on {counted(threads, 'free core')}, "
        f"{format_bytes(cost.memory)} of memory, {format_bytes(cost.disk)} on disk"
    )
    return text + f", {format_bytes(cost.features)} for features shared with other abstractions" * (cost.features > 0)


class CardsRun:
    """One step: tables are built by many threads, and kept in the cache when all are there."""

    def __init__(self, plan: CardsPlan, means: Means) -> None:
        self.plan, self.means = plan, means
        self.found: CardAbstraction | None = None

    @property
    def done(self) -> int:
        """1 when it is built."""
        return int(self.found is not None)

    def step(self) -> Report | None:
        """Build it, or load it from the cache."""
        from kibitz.abstraction.files import load_abstraction

        if self.found is not None:
            return None
        plan = self.plan
        self.found = load_abstraction(plan.parsed, plan.seed, plan.threads, self.means.tell)
        return Report(1, 1, "building")

    def arrays(self) -> Mapping[str, Any]:
        return {}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        raise NotImplementedError("a card abstraction is built in one step")

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        from kibitz.abstraction.files import cards_artefact

        assert self.found is not None
        return cards_artefact(self.found)
