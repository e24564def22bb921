"""The names of card abstractions, read and printed (Bard 2016; `IR KE-KO 169-9000-9000-9000`).

    PR | IR                 perfect recall (a bucket lies inside one of the round before) or imperfect recall
    <feature>-<feature>     of the rounds before the river, and of the river; one alone serves all
    b1-b2-b3-b4             buckets per round: a number, `6/2` nested, `60x9000` public x private

Features: EHS and EHS2 are percentiles of E[HS] and E[HS²], `EHS2/EHS` nested ones, PHS percentiles of HS on the river,
KE k-medians of the distribution of HS by earth mover's distance, KO k-means of the strength against opponent clusters.

Short names: `5-bucket` is `PR EHS2 5-5-5-5`, `12-bucket` is `PR EHS2/EHS 6/2-6/2-6/2-6/2`, `5-bucket EHS` cuts by
E[HS], `IR-100` is `IR KE-KO 169-100-100-100`, `one-bucket` ignores the cards, and `lossless` keeps all but the names of
suits (`IR lossless` also ignores the order of the board cards).

>>> parse_notation("5-bucket").counts
(5, 25, 125, 625)
>>> str(parse_notation("IR KE-KO 169-100-100-100")), parse_notation("IR-100").counts
('IR-100', (169, 100, 100, 100))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul
from typing import Literal

from kibitz.errors import KibitzError

FEATURES = ("EHS", "EHS2", "PHS", "KE", "KO")
PERCENTILES = ("EHS", "EHS2", "PHS")
CLASSES = {"PR": (169, 1_286_792, 55_190_538, 2_428_287_420), "IR": (169, 1_286_792, 13_960_050, 123_156_254)}
"""Hands up to the names of suits in each round: boards as they came, or as sets of cards."""
PRINTED_FLOPS = 1_348_620
"""How Bard (2016) counts the flop, with an index that tells some isomorphic hands apart."""
EXAMPLES = "5-bucket, IR-100, IR KE-KO 169-9000-9000-9000, PR EHS2/EHS 6/2-6/2-6/2-6/2, one-bucket, lossless"


@dataclass(frozen=True)
class RoundBuckets:
    """The buckets of one round: nested parts, times those of the board alone where it is bucketed too."""

    parts: tuple[int, ...]
    public: int = 1

    @property
    def count(self) -> int:
        """All of them."""
        return self.public * prod(self.parts)

    def __str__(self) -> str:
        return f"{self.public}x" * (self.public > 1) + "/".join(map(str, self.parts))


@dataclass(frozen=True)
class Notation:
    """What an abstraction is called: recall, features before and on the river (nested ones in order), and sizes.

    features   empty for `lossless`, which has no sizes either
    public     whether boards are bucketed apart from hands, which Kibitz counts but does not build
    """

    recall: Literal["PR", "IR"]
    features: tuple[tuple[str, ...], ...] = ()
    sizes: tuple[RoundBuckets, ...] = ()
    public: bool = False

    @property
    def counts(self) -> tuple[int, ...]:
        """Bucket states per round; with perfect recall sequences of buckets, 5, 25, 125, 625."""
        if not self.features:
            return CLASSES[self.recall]
        counts = [size.count for size in self.sizes]
        return tuple(accumulate(counts, mul)) if self.recall == "PR" else tuple(counts)

    @property
    def lossless(self) -> tuple[bool, ...]:
        """For each round, whether it keeps everything but the names of suits."""
        if not self.features:
            return (True,) * 4
        if self.recall == "PR":
            return (False,) * 4
        return tuple(
            size.count == classes or (number == 1 and size.count == PRINTED_FLOPS)
            for number, (size, classes) in enumerate(zip(self.sizes, CLASSES["IR"], strict=True))
        )

    def features_of(self, round_: int) -> tuple[str, ...]:
        """The nested features of one round."""
        return self.features[round_ == len(self.sizes) - 1]

    def __str__(self) -> str:
        if not self.features:
            return "lossless" if self.recall == "PR" else "IR lossless"
        first, last = ("/".join(names) for names in self.features)
        text = "-".join(map(str, self.sizes))
        if not self.public and (short := self._short(first, last, text)):
            return short
        features = first if first == last else f"{first}-{last}"
        return f"{self.recall} {'PUBx' * self.public}{features} {text}"

    def _short(self, first: str, last: str, text: str) -> str:
        """The short name, or "" where there is none: short names never bucket boards on their own."""
        if (self.recall, first, last, text) in _SHORT:
            return _SHORT[self.recall, first, last, text]
        counts = {size.count for size in self.sizes}
        if (self.recall, first, last) == ("PR", "EHS2", "EHS2") and len(counts) == 1:
            return f"{self.sizes[0].count}-bucket"
        if (self.recall, first, last) == ("IR", "KE", "KO") and self.sizes[0].count == 169:
            later = {size.count for size in self.sizes[1:]}
            if len(later) == 1:
                return f"IR-{self.sizes[1].count}"
        return ""


_SHORT = {
    ("PR", "EHS2/EHS", "EHS2/EHS", "6/2-6/2-6/2-6/2"): "12-bucket",
    ("PR", "EHS2", "EHS2", "1-1-1-1"): "one-bucket",
    ("PR", "EHS2", "EHS2", "12-12-12-12"): "PR EHS2 12-12-12-12",
}


def parse_notation(text: str) -> Notation:
    """The abstraction that `text` names."""
    words = text.replace("×", "x").split()
    match words:
        case ["lossless"] | ["PR", "lossless"]:
            return Notation("PR")
        case ["IR", "lossless"]:
            return Notation("IR")
        case ["one-bucket"]:
            return _uniform("EHS2", 1)
        case [name] if found := re.fullmatch(r"IR-([1-9][0-9]*)", name):
            sizes = (RoundBuckets((169,)), *(RoundBuckets((int(found[1]),)),) * 3)
            return Notation("IR", (("KE",), ("KO",)), sizes)
        case ["12-bucket"]:
            return Notation("PR", (("EHS2", "EHS"),) * 2, (RoundBuckets((6, 2)),) * 4)
        case [name, *feature] if len(feature) <= 1 and (found := re.fullmatch(r"([1-9][0-9]*)-bucket", name)):
            return _uniform(feature[0] if feature else "EHS2", int(found[1]))
        case ["PR" | "IR" as recall, features, sizes]:
            return _general(text, recall, features, sizes)
    raise KibitzError(f"{text!r} is not a card abstraction: names are like {EXAMPLES}")


def _uniform(feature: str, buckets: int) -> Notation:
    _check_features((feature,))
    return Notation("PR", ((feature,),) * 2, (RoundBuckets((buckets,)),) * 4)


def _general(text: str, recall: Literal["PR", "IR"], features: str, sizes: str) -> Notation:
    public = features.startswith("PUBx")
    names = tuple(tuple(name.split("/")) for name in features.removeprefix("PUBx").split("-"))
    if len(names) > 2:
        raise KibitzError(f"{text!r} names {len(names)} features: one, or one before the river and one on it")
    pair = (names[0], names[-1])
    for each in pair:
        _check_features(each)
    pieces = tuple(_size(text, piece) for piece in sizes.split("-"))
    if len(pieces) != 4:
        raise KibitzError(f"{text!r} has {len(pieces)} numbers of buckets: hold'em has four rounds, b1-b2-b3-b4")
    notation = Notation(recall, pair, pieces, public)
    for number, size in enumerate(pieces):
        if size.public > 1 and not public:
            raise KibitzError(f"{text!r} buckets boards in {size}: its features would begin with PUBx")
        if len(size.parts) not in (1, len(notation.features_of(number))):
            raise KibitzError(f"{text!r}: {size} nests {len(size.parts)} features, there are {features}")
    return notation


def _check_features(names: tuple[str, ...]) -> None:
    for name in names:
        if name not in FEATURES:
            raise KibitzError(f"no feature of hands is called {name!r}: there are {', '.join(FEATURES)}")
    if len(names) > 1 and not set(names) <= set(PERCENTILES):
        raise KibitzError(f"{'/'.join(names)}: only percentiles ({', '.join(PERCENTILES)}) nest")


def _size(text: str, piece: str) -> RoundBuckets:
    found = re.fullmatch(r"(?:([1-9][0-9]*)x)?([1-9][0-9]*(?:/[1-9][0-9]*)*)", piece)
    if not found:
        raise KibitzError(f"{piece!r} in {text!r} is no number of buckets: one is like 100, 6/2 or 60x9000")
    return RoundBuckets(tuple(map(int, found[2].split("/"))), int(found[1] or 1))
