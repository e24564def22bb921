"""From logged hands to a win rate with a narrower interval.

The value function comes first: an `Evaluation` is made with it, takes its fingerprint, and only then is given hands. If
the fingerprint has changed when the result is asked for, there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol

from kibitz.errors import KibitzError
from kibitz.games import Game, split_actions
from kibitz.games.stakes import Stake
from kibitz.io.hand_check import check_fully
from kibitz.io.record import HandRecord
from kibitz.modelling.estimators.aivat import Aivat, Hand
from kibitz.modelling.estimators.control_variates import Coefficients, combine
from kibitz.modelling.estimators.holdings import count_holdings
from kibitz.modelling.estimators.imaginary import imaginary_value
from kibitz.modelling.estimators.report import Reduction
from kibitz.modelling.estimators.values import ValueFunction
from kibitz.policy import Policy, policy_of
from kibitz.policy.base import fingerprint_of
from kibitz.statistics import Moments

METHODS = ("aivat", "imaginary", "raw")
CARDS = ("all", "own")

Values = ValueFunction | Mapping[tuple[str, ...], ValueFunction]


def deal_of(record: HandRecord) -> Hashable | None:
    """What the hands of one deal have in common in the logs of a duplicate match: number, and hole cards by position.

    None for a hand that has no number or hides cards.
    """
    hole = record.deal.hole
    shown = len(hole) == record.game.players and all(len(cards) == record.game.hole_cards for cards in hole)
    return (record.hand, tuple(tuple(sorted(cards)) for cards in hole)) if record.hand and shown else None


class Deals:
    """Which hands are of one deal.

    of_hand : for every hand in order of arrival, the number of its deal
    """

    def __init__(self) -> None:
        self.of_hand: list[int] = []
        self._numbers: dict[Hashable, int] = {}

    def add(self, deal: Hashable | None) -> None:
        """Take the next hand."""
        key = object() if deal is None else deal
        self.of_hand.append(self._numbers.setdefault(key, len(self._numbers)))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def most_hands(self) -> int:
        """The most hands that a deal has."""
        return max(Counter(self.of_hand).values(), default=0)

    def moments(self, samples: Sequence[float]) -> Moments:
        """Moments whose estimate is the mean of `samples`, one for each hand; all hands of a deal are one sample."""
        return Moments.of(samples) if len(self) == len(samples) else Moments.of_clusters(samples, self.of_hand)


class Named(Protocol):
    """Anybody whose policy `kibitz.policy.policy_of` finds, as it does those of agents."""

    name: str


Known = Policy | Named


class Evaluation:
    """How much one player wins in hands that are fed one by one.

    value   the value function of AIVAT; or one for every seating (names in position order), where it depends on who
            sits where
    known   policies, or agents whose policy is known, by the name that the log gives them
    method  "aivat", "imaginary" (observations of the player's own hands, who must be known) or "raw"
    cards   "all" hands show all hole cards; "own" ones at least the player's, and others' are not looked at
    target  imaginary observations of another policy than the one that was played
    fitted  AIVAT's corrections are multiplied by coefficients that are fitted to the hands before; otherwise by 1

    Hands of one deal, from the logs of a duplicate match, are paired: they are one sample of the interval.
    """

    def __init__(
        self,
        player: str,
        value: Values | None = None,
        known: Mapping[str, Known] | None = None,
        *,
        method: str = "aivat",
        cards: str = "all",
        target: Known | None = None,
        fitted: bool = True,
    ) -> None:
        for what, given, allowed in (("method", method, METHODS), ("cards", cards, CARDS)):
            if given not in allowed:
                raise KibitzError(f"{what} {given!r}: one of {', '.join(allowed)}")
        known = dict(known or {})
        if method == "aivat" and value is None:
            raise KibitzError("AIVAT needs a value function, and needs it before the hands")
        if method == "imaginary" and (player not in known or cards != "all"):
            raise KibitzError(f"imaginary observations need the policy of {player} and hands that show all cards")
        if method != "imaginary" and target is not None:
            raise KibitzError(f"a target with method {method!r}: only imaginary observations value another agent")
        self.player, self.method, self.cards = player, method, cards
        self._value, self._known, self._target = value, known, target
        self._correctors: dict[int, Aivat] = {}
        self._policies: dict[tuple[str, Game], Policy] = {}
        self._raw: list[float] = []
        self._reduced: list[float] = []
        self._in_full: list[float] = []  # the same with all coefficients 1
        self._deals = Deals()
        self._fit = Coefficients() if fitted else None
        self._fixed_for: dict[Hashable, dict[str, float]] = {}
        self._skipped: Counter[str] = Counter()
        self._terms: Counter[str] = Counter()
        self._unit = ""
        self.fingerprint = _fingerprint(value)
        self.fixed = datetime.now(UTC)

    def add(self, record: HandRecord) -> float | None:
        """Take one hand; the estimate of its result in thousandths of the stake, or None where it does not count."""
        reason, result = self._result(record)
        if reason:
            self._skipped[reason] += 1
            return None
        stake = Stake.of(record.game)
        if self._unit not in ("", stake.unit):
            raise KibitzError(f"{record.source}: a hand in {stake.unit} after others in {self._unit}")
        self._unit = stake.unit
        if record.players.count(self.player) > 1:
            raise KibitzError(f"{record.source or f'hand {record.hand}'}: {self.player} has more than one seat")
        seat = record.players.index(self.player)
        hand = Hand(record.game, record.deal, split_actions(record.history), result)
        self._check_cards(record, seat)
        try:
            chips, corrections = self._estimate(hand, record.players, seat)
        except KibitzError as error:
            raise KibitzError(f"{record.source or f'hand {record.hand}'}: {error}") from None
        milli = stake.milli_per_chip
        chips, corrections = chips * milli, {kind: each * milli for kind, each in corrections.items()}
        deal = deal_of(record)
        coefficients = self._coefficients(deal or record.hand)
        if self._fit is not None:
            self._fit.learn((record.game.players, seat), chips, corrections)
        self._deals.add(deal)
        self._raw.append(result[seat] * milli)
        self._reduced.append(combine(chips, corrections, coefficients))
        self._in_full.append(combine(chips, corrections, {}))
        return self._reduced[-1]

    def _coefficients(self, deal: Hashable) -> dict[str, float]:
        """Fitted to the hands before the first of this deal: those since then may know its cards."""
        if self._fit is None:
            return {}
        if not deal:
            return self._fit.now()
        if deal not in self._fixed_for:
            self._fixed_for[deal] = self._fit.now()
        return self._fixed_for[deal]

    def result(self) -> Reduction:
        """The win rate so far, raw and reduced."""
        if _fingerprint(self._value) != self.fingerprint:
            raise KibitzError("the value function was changed after it was fixed: the estimate would not be unbiased")
        moments = self._deals.moments
        raw, reduced = moments(self._raw), moments(self._reduced)
        estimate, unpaired = reduced.estimate(unit=self._unit), Moments.of(self._reduced).estimate()
        difference, in_full = (
            moments([after - before for after, before in zip(estimates, self._raw, strict=True)])
            for estimates in (self._reduced, self._in_full)
        )
        return Reduction(
            player=self.player,
            method=self.method,
            hands=len(self._raw),
            raw=raw.estimate(unit=self._unit),
            reduced=estimate,
            difference=difference.estimate(unit=self._unit),
            in_full=in_full.estimate(unit=self._unit),
            variance_ratio=_ratio(raw.variance, reduced.variance),
            value=_name(self._value),
            fingerprint=self.fingerprint,
            fixed=self.fixed.isoformat(timespec="seconds"),
            known=tuple(sorted(self._known)),
            target=getattr(self._target, "name", "another policy") if self._target is not None else "",
            terms=dict(sorted(self._terms.items())),
            coefficients=dict(sorted(self._fit.now().items())) if self._fit else {},
            deals=len(self._deals),
            hands_of_a_deal=self._deals.most_hands,
            pairing_ratio=_ratio(unpaired.half_width**2, estimate.half_width**2),
            skipped=dict(sorted(self._skipped.items())),
        )

    def _result(self, record: HandRecord) -> tuple[str, tuple[float, ...]]:
        """Why the hand does not count, if so, and the net chips of all seats."""
        if self.player not in record.players:
            return "without the player", ()
        differences, by_rules, _state = check_fully(record)
        if differences:
            return "against the rules", ()
        result = by_rules if record.returns is None else record.returns
        return ("without a result", ()) if result is None else ("", result)

    def _check_cards(self, record: HandRecord, seat: int) -> None:
        """Leaving out hands, or corrections, because cards are hidden would pick hands by how they ended."""
        if self.method == "raw":
            return
        hole = record.deal.hole
        wanted = range(record.game.players) if self.cards == "all" else (seat,)
        hidden = [record.players[p] for p in wanted if not hole or len(hole[p]) != record.game.hole_cards]
        if hidden:
            raise KibitzError(
                f"{record.source or f'hand {record.hand}'} hides the cards of {', '.join(hidden)}: "
                + ("cards='own' needs those of the player alone" if self.cards == "all" else "they are needed")
            )

    def _estimate(self, hand: Hand, players: Sequence[str], seat: int) -> tuple[float, dict[str, float]]:
        """What the hand won in chips, and the corrections that AIVAT makes."""
        if self.method == "raw":
            return hand.result[seat], {}
        policies = {p: self._policy(name, hand.game) for p, name in enumerate(players) if name in self._known}
        if self.method == "imaginary":
            target = None if self._target is None else self._as_policy("", self._target, hand.game)
            return imaginary_value(hand, seat, policies[seat], target), {}
        corrector = self._corrector(tuple(players))
        own = self.cards == "own"
        imagined = () if own else _imagined(hand.game, seat, sorted(policies), corrector.value.capacity(hand.game))
        corrected = corrector.correct(hand, seat, policies, imagined, (seat,) if own else None)
        self._terms += corrected.terms
        return corrected.result, corrected.corrections

    def _corrector(self, players: tuple[str, ...]) -> Aivat:
        value = self._value
        if isinstance(value, Mapping):
            if players not in value:
                raise KibitzError(f"no value function for the seating {', '.join(players)}")
            value = value[players]
        assert value is not None
        if id(value) not in self._correctors:
            self._correctors[id(value)] = Aivat(value)
        return self._correctors[id(value)]

    def _policy(self, name: str, game: Game) -> Policy:
        return self._as_policy(name, self._known[name], game)

    def _as_policy(self, name: str, known: Known, game: Game) -> Policy:
        if isinstance(known, Policy):
            return known
        key = name, game
        if key not in self._policies:
            if getattr(known, "remembers", False):
                raise KibitzError(
                    f"{name} learns from the hands before: nobody can tell afterwards what else it might have done in "
                    "one; leave it out"
                )
            self._policies[key] = policy_of(known, game)
        return self._policies[key]


def _imagined(game: Game, player: int, known: list[int], capacity: int) -> tuple[int, ...]:
    """The known seats whose hands are averaged over: all, or the player's, or one, as far as there is room."""
    one = [player] if player in known else known[:1]
    for seats in (known, one):
        if seats and count_holdings(game, len(seats)) <= capacity:
            return tuple(seats)
    return ()


def _ratio(raw: float, reduced: float) -> float:
    return raw / reduced if reduced else float("inf")


def _fingerprint(value: Values | None) -> str:
    if isinstance(value, Mapping):
        return fingerprint_of(*sorted((players, each.fingerprint) for players, each in value.items()))
    return value.fingerprint if value is not None else ""


def _name(value: Values | None) -> str:
    if isinstance(value, Mapping):
        return next(iter(value.values())).name
    return value.name if value is not None else ""
