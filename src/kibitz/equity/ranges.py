"""Ranges of hold'em hole cards: a small language, and the weighted hands it stands for.

    AA  AKs  AKo  AK     a pair; suited, offsuit, both
    TT+  A5s+            that pair and the higher ones; A5s up to AKs (the second card climbs below the first)
    76s+                 connectors climb together: 76s, 87s, ... AKs
    22-55  A2s-A5s       from one to the other, ends included, in either order
    T9s-54s  J9o-64o     both cards move together: T9s, 98s, ... 54s
    AhKs                 two cards
    15%                  the best by all-in equity against a random hand: whole classes, until they are 15 % of all
    random               every hand
    AKs:0.5              a weight from 0 to 1 for what stands before it; 1 where none is given

Pieces are separated by commas; capitals and small letters mean the same. A hand named twice keeps the later weight, so
`random, AA:0` is all but aces.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from kibitz.cards import RANKS, format_cards, parse_cards
from kibitz.errors import CardError

Hand = tuple[int, int]  # two cards, the higher integer first

ALL_HANDS: tuple[Hand, ...] = tuple((high, low) for low, high in combinations(range(52), 2))
_HANDS = frozenset(ALL_HANDS)

_ANY_CASE = re.IGNORECASE | re.ASCII
_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)", _ANY_CASE)
_CARDS = re.compile(rf"([{RANKS}])([cdhs])([{RANKS}])([cdhs])", _ANY_CASE)
_SHARE = re.compile(r"(\d+\.?\d*|\.\d+)\s*%", re.ASCII)
_EXAMPLES = "pieces are like AA, TT+, AKs, A5s+, 76s+, 22-55, T9s-54s, AhKs, 15% or random"


@dataclass(frozen=True, slots=True)
class Range:
    """Hands with weights: `hands` in increasing order, none twice, and as many `weights`, each above 0 and at most 1.

    >>> len(Range.parse("TT+, AKs:0.5").hands)
    34
    >>> str(Range.parse("AKs:0.5, QQ-KK, 7h2c"))
    'AKs:0.5,KK,QQ,7h2c'
    """

    hands: tuple[Hand, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse what is no hand, comes twice or has no proper weight."""
        if len(self.hands) != len(self.weights):
            raise CardError(f"a range of {len(self.hands)} hands with {len(self.weights)} weights: each hand has one")
        for hand in self.hands:
            if not isinstance(hand, tuple) or hand not in _HANDS:
                raise CardError(
                    f"{hand!r} in a range: a hand is a tuple of two different cards 0..51, the higher first"
                )
        if len(set(self.hands)) < len(self.hands):
            twice = next(hand for hand in self.hands if self.hands.count(hand) > 1)
            raise CardError(f"{twice} comes twice in a range: give every hand once, with its whole weight")
        for hand, weight in zip(self.hands, self.weights, strict=True):
            if not 0 < weight <= 1:
                raise CardError(f"{hand} in a range weighs {weight!r}: a weight is above 0 and at most 1")

    @classmethod
    def parse(cls, text: "str | Range") -> "Range":
        """The range that `text` describes; a piece that cannot be read is quoted in the error. A Range is itself."""
        if isinstance(text, cls):
            return text
        if not isinstance(text, str):
            raise CardError(f"{text!r} is not a range: give a Range or one text, such as AsAh or TT+, AKs:0.5")
        weights: dict[Hand, float] = {}
        for piece in text.split(","):
            body, _, weight_text = piece.partition(":")
            weight = _parse_weight(weight_text, piece) if ":" in piece else 1.0
            weights.update(dict.fromkeys(_hands_of(body.strip(), text), weight))
        hands = tuple(sorted(hand for hand, weight in weights.items() if weight > 0))
        if not hands:
            raise CardError(f"the range {text!r} has no hands left: give at least one a weight above 0")
        return cls(hands, tuple(weights[hand] for hand in hands))

    def __str__(self) -> str:
        """Text that `parse` reads back: whole classes where their hands have one weight, else hand by hand."""
        left = dict(zip(self.hands, self.weights, strict=True))
        if left == dict.fromkeys(ALL_HANDS, 1.0):
            return "random"
        pieces = []
        for name, members in _CLASSES.items():
            weights = {left.get(hand) for hand in members}
            if len(weights) == 1 and None not in weights:
                pieces.append(name + _weight_text(left[members[0]]))
                for hand in members:
                    del left[hand]
        pieces += [format_cards(hand) + _weight_text(left[hand]) for hand in sorted(left, reverse=True)]
        return ",".join(pieces)


def _hands_of(piece: str, text: str) -> Iterator[Hand]:
    """The hands of one piece without its weight."""
    if piece.lower() == "random":
        yield from ALL_HANDS
    elif match := _CARDS.fullmatch("".join(piece.split())):
        first, second = parse_cards(match[1].upper() + match[2].lower() + match[3].upper() + match[4].lower())
        yield max(first, second), min(first, second)
    elif "%" in piece:
        yield from _best_hands(piece, text)
    elif piece.endswith("+"):
        yield from _hands_upwards(*_parse_class(piece[:-1], text))
    elif "-" in piece:
        yield from _span_hands(piece, text)
    else:
        yield from _class_hands(*_parse_class(piece, text))


def _hands_upwards(high: int, low: int, kind: str) -> Iterator[Hand]:
    """Pairs and connectors climb to the ace; of other hands the second card climbs until it is below the first."""
    if high - low <= 1:
        for step in range(13 - high):
            yield from _class_hands(high + step, low + step, kind)
    else:
        for second in range(low, high):
            yield from _class_hands(high, second, kind)


def _span_hands(piece: str, text: str) -> Iterator[Hand]:
    """Classes with the same distance between their ranks, or else with the same first rank."""
    first, _, last = piece.partition("-")
    (high, low, kind), (last_high, last_low, last_kind) = _parse_class(first, text), _parse_class(last, text)
    gap, last_gap = high - low, last_high - last_low
    if kind != last_kind or not (gap == last_gap or (high == last_high and gap and last_gap)):
        raise CardError(
            f"{piece!r} in the range {text!r}: a span is like 22-55, A2s-A5s or T9s-54s, with hands of one kind"
        )
    for second in range(min(low, last_low), max(low, last_low) + 1):
        yield from _class_hands(second + gap if gap == last_gap else high, second, kind)


def _best_hands(piece: str, text: str) -> Iterator[Hand]:
    """The best classes of hands until they make up a share of all hands such as `15%`; the last counts whole."""
    from kibitz.equity.matchups import classes_by_equity  # reads a table that most ranges do not need

    match = _SHARE.fullmatch(piece)
    percent = float(match[1]) if match else 0.0
    if not 0 < percent <= 100:
        raise CardError(
            f"{piece!r} in the range {text!r}: the best hands are a share above 0% and at most 100%, such as 15%; "
            "15%,5%:0 is what lies between two shares"
        )
    taken = 0
    for _, members in classes_by_equity():
        if 100 * taken >= percent * len(ALL_HANDS):
            return
        taken += len(members)
        yield from members


def _parse_class(piece: str, text: str) -> tuple[int, int, str]:
    """High rank, low rank and kind (`s`, `o` or neither) of a class such as `AKs`."""
    match = _CLASS.fullmatch(piece.strip())
    if not match or (match[1].upper() == match[2].upper() and match[3]):
        raise CardError(f"{piece.strip()!r} in the range {text!r}: {_EXAMPLES}")
    first, second = RANKS.index(match[1].upper()), RANKS.index(match[2].upper())
    return max(first, second), min(first, second), match[3].lower()


def _class_hands(high: int, low: int, kind: str) -> Iterator[Hand]:
    for first in range(4):
        for second in range(4):
            if high == low and first <= second:
                continue
            if kind == "" or (kind == "s") == (first == second):
                yield 4 * high + first, 4 * low + second


def _parse_weight(weight_text: str, piece: str) -> float:
    try:
        weight = float(weight_text)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise CardError(f"{piece.strip()!r}: a weight is a number from 0 to 1, as in AKs:0.5")
    return weight


def _weight_text(weight: float) -> str:
    return "" if weight == 1 else f":{weight!r}"


def _name_classes() -> dict[str, tuple[Hand, ...]]:
    """The 169 classes of hole cards, from AA down: suited before offsuit."""
    kinds = [(h, low, k) for h in range(12, -1, -1) for low in range(h, -1, -1) for k in "so" if h != low or k == "s"]
    return {
        RANKS[high] + RANKS[low] + ("" if high == low else kind): tuple(
            _class_hands(high, low, "" if high == low else kind)
        )
        for high, low, kind in kinds
    }


_CLASSES = _name_classes()
