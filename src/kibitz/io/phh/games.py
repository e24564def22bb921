"""The fields of a PHH file that make the game, both ways, and the amounts in them; the results at its end.

Amounts are whole chips inside. A file whose amounts have decimal points is counted in hundredths (or finer), and one
whose results alone are broken, as where a pot was halved, in halves, thirds, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from kibitz.errors import FormatError, GameError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK
from kibitz.io.phh.toml import parse_head

Amount = int | Decimal
SUPPORTED = {"NT": "no-limit Texas hold'em", "FT": "fixed-limit Texas hold'em"}
BETS = {"NT": ("min_bet",), "FT": ("small_bet", "big_bet")}
OTHER_FIELDS = ("variant", "ante_trimming_status", "antes", "blinds_or_straddles", "starting_stacks")
_OTHER_VARIANTS = {  # of the standard
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha high-low split",
    "F7S": "fixed-limit seven card stud",
    "F7S/8": "fixed-limit seven card stud high-low split",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit deuce-to-seven lowball single draw",
    "F2L3D": "fixed-limit deuce-to-seven lowball triple draw",
    "FB": "fixed-limit badugi",
}
OWN_FIELD = "_kibitz"  # what our games say beyond PHH; user-defined fields of PHH start with "_"
_OWN_SETTINGS = ("rules", "max_raises", "first_players", "raise_sizes", "name")
_LIMIT_RAISES = 4  # PHH does not say how many raises are allowed; most rooms play a bet and three raises, or four
_SCALES = {0: 1, 1: 100, 2: 100, 3: 10**4, 4: 10**4, 5: 10**6, 6: 10**6}
_LARGEST_SPLIT = 10
_LARGEST = 10**15
_INFINITE = Decimal("inf")


class UnsupportedVariantError(FormatError):
    """A hand of a game that Kibitz does not play."""


def check_variant(variant: object) -> str:
    """`variant` if it is one we play."""
    if isinstance(variant, str) and variant in SUPPORTED:
        return variant
    known = " and ".join(f"{code} ({name})" for code, name in SUPPORTED.items())
    name = f" ({_OTHER_VARIANTS[variant]})" if isinstance(variant, str) and variant in _OTHER_VARIANTS else ""
    raise UnsupportedVariantError(f"variant {variant!r}{name} is not played here; {known} are")


def amounts_of(fields: Mapping[str, object], name: str, count: int | None = None) -> tuple[Amount, ...]:
    """The array of numbers called `name`, `count` long."""
    values = fields.get(name)
    if not isinstance(values, tuple) or not values or not set(map(type, values)) <= {int, Decimal}:
        raise FormatError(f"{name} = {values!r}: an array of numbers is needed" if name in fields else f"no {name}")
    if count is not None and len(values) != count:
        raise FormatError(f"{name} has {len(values)} values for {count} players")
    _check_size(name, *values)
    return values


def amount_of(fields: Mapping[str, object], name: str) -> Amount:
    """The number called `name`."""
    value = fields.get(name)
    if type(value) not in (int, Decimal):
        raise FormatError(f"{name} = {value!r}: a number is needed" if name in fields else f"no {name}")
    _check_size(name, value)  # type: ignore[arg-type]
    return value  # type: ignore[return-value]


def _check_size(name: str, *amounts: Amount) -> None:
    """Refuse numbers beyond any table; `inf` is for stacks and checked there."""
    if all_whole(amounts) and max(amounts) <= _LARGEST and min(amounts) >= -_LARGEST:
        return
    for amount in amounts:
        if isinstance(amount, Decimal) and amount.is_nan():  # which cannot be compared
            raise FormatError(f"{name}: {amount} is no amount")
        if not -_LARGEST <= amount <= _LARGEST and amount != _INFINITE:
            raise FormatError(f"{name}: {amount if isinstance(amount, Decimal) else hex(amount)[:40]} is no amount")


def scale_of(amounts: Sequence[Amount]) -> int:
    """Chips to one unit of the file: 1 for whole amounts, 100 where there are decimal points."""
    if all_whole(amounts):
        return 1
    # A decimal point, even in 100.0, says that the file counts in cents.
    places = max([_places(amount) for amount in amounts])
    if places not in _SCALES:
        raise FormatError(f"amounts with {places} decimal places: at most {max(_SCALES)} can be read")
    return _SCALES[places]


def all_whole(amounts: Sequence[Amount]) -> bool:
    """Whether all `amounts` are written without decimal points."""
    return set(map(type, amounts)) <= {int}


def _places(amount: Amount) -> int:
    if isinstance(amount, int) or not amount.is_finite():
        return 0
    return max(1, -int(amount.as_tuple().exponent))


def splits_of(results: Sequence[Amount], scale: int) -> int:
    """The number of parts a chip was broken into for `results`; 1 if none or no small number explains them."""
    for parts in range(1, _LARGEST_SPLIT + 1):
        broken = (float(value) * scale * parts for value in results if value != _INFINITE and value != int(value))
        if all(abs(chips - round(chips)) < 1e-6 * parts for chips in broken):
            return parts
    return 1


def to_chips(amount: Amount, scale: int) -> int:
    """`amount` as whole chips; `inf` is the unlimited stack."""
    if isinstance(amount, int):
        return amount * scale
    if not amount.is_finite():
        if amount == _INFINITE:
            return UNLIMITED_STACK
        raise FormatError(f"{amount} is no amount")
    return int(amount * scale)


@lru_cache(maxsize=4096)
def make_game(
    variant: str,
    antes: tuple[int, ...],
    blinds: tuple[int, ...],
    bets: tuple[int, ...],
    stacks: tuple[int, ...],
    ante_trimming: bool,
) -> Game:
    """The game of these chips.

    antes, blinds   as the file has them; a negative blind is posted late and opens nothing
    bets            (min_bet,) in no-limit, (small_bet, big_bet) in fixed limit
    """
    players = len(stacks)
    if players == 2:  # PHH lists the small blind first, but heads-up its p1 is the big blind
        antes, blinds = antes[::-1], blinds[::-1]
    posted = tuple(abs(blind) for blind in blinds)
    largest = max(range(players), key=lambda player: (blinds[player], player))
    limit = variant == "FT"
    min_bet = None if limit or bets[0] == max(1, *posted) else bets[0]
    try:
        return Game(
            betting="limit" if limit else "nolimit",
            stacks=stacks,
            blinds=posted,
            raise_sizes=(bets[0], bets[0], bets[1], bets[1]) if limit else (),
            first_players=((largest + 1) % players, 0, 0, 0),
            max_raises=(_LIMIT_RAISES if limit else UNLIMITED_RAISES,) * 4,
            suits=4,
            ranks=13,
            hole_cards=2,
            board_cards=(0, 3, 1, 1),
            antes=antes,
            min_bet=min_bet,
            rules="tda",
            ante_trimming=ante_trimming,
        )
    except GameError as error:
        raise FormatError(f"the game does not hang together: {error}") from error


def with_own_settings(game: Game, settings: object) -> Game:
    """`game` changed by what our own field says."""
    if not isinstance(settings, Mapping) or not set(settings) <= set(_OWN_SETTINGS):
        raise FormatError(f"{OWN_FIELD} = {settings!r}: a table with {', '.join(_OWN_SETTINGS)} at most")
    for name, value in settings.items():
        wanted = type(getattr(game, name))
        if type(value) is not wanted or (wanted is tuple and not all(type(item) is int for item in value)):
            raise FormatError(f"{OWN_FIELD}.{name} = {value!r}: a {wanted.__name__} is needed")
    try:
        return replace(game, **settings)
    except GameError as error:
        raise FormatError(f"{OWN_FIELD}: {error}") from error


def own_settings(game: Game, told: Game) -> dict[str, object]:
    """What has to be said beyond the PHH fields, which give the game `told`, to get `game`."""
    settings = {name: getattr(game, name) for name in _OWN_SETTINGS if getattr(game, name) != getattr(told, name)}
    if game.board_cards != told.board_cards or replace(told, **settings) != game:
        raise FormatError(f"game {game.name or 'without a name'} cannot be written as PHH: it is no Texas hold'em")
    return settings


class Setup(NamedTuple):
    """What the fields before the actions say, checked."""

    variant: str
    stacks: tuple[Amount, ...]
    antes: tuple[Amount, ...]
    blinds: tuple[Amount, ...]
    bets: tuple[Amount, ...]
    ante_trimming: bool
    scale: int
    game: Game  # in chips of 1 / scale

    def game_at(self, scale: int) -> Game:
        """The game in chips of 1 / scale."""
        antes, blinds, bets, stacks = (whole(a, scale) for a in (self.antes, self.blinds, self.bets, self.stacks))
        return make_game(self.variant, antes, blinds, bets, stacks, self.ante_trimming)


def setup_of(fields: Mapping[str, object]) -> Setup:
    """The setup that `fields` tell; FormatError if they do not hang together."""
    variant = check_variant(fields.get("variant"))
    stacks = amounts_of(fields, "starting_stacks")
    antes = amounts_of(fields, "antes", len(stacks))
    blinds = amounts_of(fields, "blinds_or_straddles", len(stacks))
    bets = tuple([amount_of(fields, bet) for bet in BETS[variant]])
    trimming = fields.get("ante_trimming_status", False)
    if not isinstance(trimming, bool):
        raise FormatError(f"ante_trimming_status = {trimming!r}: true or false")
    scale = scale_of((*stacks, *antes, *blinds, *bets))
    antes_, blinds_, bets_, stacks_ = (whole(amounts, scale) for amounts in (antes, blinds, bets, stacks))
    game = make_game(variant, antes_, blinds_, bets_, stacks_, trimming)
    return Setup(variant, stacks, antes, blinds, bets, trimming, scale, game)


@lru_cache(maxsize=256)
def setup_of_head(head: str) -> Setup | None:
    """The setup told by these lines, None if some of it comes later."""
    fields = parse_head(head)
    needed = {*OTHER_FIELDS, *BETS.get(str(fields.get("variant")), ())}
    return setup_of(fields) if fields.keys() >= needed else None


def whole(amounts: Sequence[Amount], scale: int) -> tuple[int, ...]:
    """`amounts` in chips of 1 / scale."""
    if scale == 1 and all_whole(amounts):
        return tuple(amounts)  # type: ignore[arg-type]
    return tuple([to_chips(amount, scale) for amount in amounts])


def returns_from_stacks(finishing: Sequence[Amount], game: Game, scale: int) -> tuple[float, ...] | None:
    """Net chips, None if they cannot be told because stacks are unlimited."""
    if UNLIMITED_STACK in game.stacks or not all(map(_is_finite, finishing)):
        return None
    return tuple([_exact(value, scale) - stack for value, stack in zip(finishing, game.stacks, strict=True)])


def returns_from_winnings(
    winnings: Sequence[Amount], game: Game, paid: Sequence[int], scale: int
) -> tuple[float, ...] | None:
    """Net chips: what was taken from the pots less what was `paid`, antes left out, and the antes."""
    if not all(map(_is_finite, winnings)):
        return None
    return tuple(
        [_exact(won, scale) - chips - ante for won, chips, ante in zip(winnings, paid, game.antes_paid, strict=True)]
    )


def _is_finite(amount: Amount) -> bool:
    return isinstance(amount, int) or amount.is_finite()


def _exact(amount: Amount, scale: int) -> float:
    """`amount` in chips, whole where a pot was broken into equal parts."""
    chips = amount * scale
    if isinstance(chips, int):
        return chips
    near = round(chips)
    return near if abs(chips - near) < Decimal("1e-5") else float(chips)
