"""What the fields of a PHH file before the actions say, and the results at its end, both in whole chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from kibitz.errors import FormatError
from kibitz.games import Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io._phh_game import Amount, all_whole, amount_of, amounts_of, check_variant, make_game, scale_of, to_chips
from kibitz.io._phh_toml import parse_head

BETS = {"NT": ("min_bet",), "FT": ("small_bet", "big_bet")}
OTHER_FIELDS = ("variant", "ante_trimming_status", "antes", "blinds_or_straddles", "starting_stacks")


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
