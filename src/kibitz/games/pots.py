"""Who is paid what at the end of a hand: side pots, split pots, dead antes."""

from collections.abc import Iterator, Sequence

Layer = tuple[int, list[int]]  # chips per contributor, contributors
Pot = tuple[int, list[int]]  # chips, and who can win them


def layers(spent: Sequence[int]) -> Iterator[Layer]:
    """The side pots, lowest first: each distinct amount spent closes one, shared by all who reached it.

    >>> list(layers((50, 200, 200)))
    [(50, [0, 1, 2]), (150, [1, 2])]
    """
    below = 0
    for level in sorted({chips for chips in spent if chips}):
        yield level - below, [player for player, chips in enumerate(spent) if chips >= level]
        below = level


def payoffs(
    spent: Sequence[int],
    antes: Sequence[int],
    strength: Sequence[int],
    *,
    whole_chips: bool,
    ante_trimming: bool = True,
) -> tuple[float, ...]:
    """Net chips of every player when the best hand takes each pot.

    spent, antes    chips put in per player, as bets and as dead money
    strength        showdown value per player, larger wins, -1 for those who folded
    whole_chips     as at TDA tables: chips that do not divide go to the winners in seat order, and all to somebody;
                    otherwise, as the ACPC has it, winners get fractions and nobody what is `unclaimed`
    ante_trimming   antes form side pots like bets; otherwise they are one pot for everybody left in
    """
    net: list[float] = [-chips - ante for chips, ante in zip(spent, antes, strict=True)]
    left = [player for player, value in enumerate(strength) if value >= 0]
    pots = _all_pots(spent, antes, left, whole_chips, ante_trimming)
    for chips, contenders in _merged(pots) if whole_chips else pots:
        top = max([strength[player] for player in contenders])
        _award(net, chips, [player for player in contenders if strength[player] == top], whole_chips)
    return tuple(net)


def merged_pots(
    spent: Sequence[int], antes: Sequence[int], left: list[int], whole_chips: bool, ante_trimming: bool
) -> list[Pot]:
    """The pots of those `left`, one for all chips with the same contenders; see `payoffs`."""
    return _merged(_all_pots(spent, antes, left, whole_chips, ante_trimming))


def unclaimed(spent: Sequence[int], left: Sequence[int], whole_chips: bool) -> int:
    """Chips that nobody gets: under ACPC rules those that only folders have reached, if two or more are left.

    That takes a limit raise which lowers the bet: (30, 20, 20) of which the first folds.

    >>> unclaimed((30, 20, 20), (1, 2), whole_chips=False), unclaimed((30, 20, 20), (1, 2), whole_chips=True)
    (10, 0)
    """
    if whole_chips or len(left) < 2:
        return 0
    most = max([spent[player] for player in left])
    return sum([chips - most for chips in spent if chips > most])


def _all_pots(
    spent: Sequence[int], antes: Sequence[int], left: list[int], whole_chips: bool, ante_trimming: bool
) -> list[Pot]:
    bets = _pots(spent, left, is_lost=not whole_chips and len(left) > 1)
    if not any(antes):
        return bets
    return [*(_pots(antes, left) if ante_trimming else [(sum(antes), left)]), *bets]


def _pots(spent: Sequence[int], left: list[int], is_lost: bool = False) -> list[Pot]:
    """The side pots of those `left`. What only folders reached falls to those who reached most of it, or is lost."""
    pots: list[Pot] = []
    contenders = left
    for share, contributors in layers(spent):
        reached = [player for player in contributors if player in left]
        if is_lost and not reached:
            break
        contenders = reached or contenders
        pots.append((share * len(contributors), contenders))
    return pots


def _merged(pots: list[Pot]) -> list[Pot]:
    """Pots with the same contenders are one pot at the table, and its odd chips are counted once."""
    merged: dict[tuple[int, ...], int] = {}
    for chips, contenders in pots:
        merged[tuple(contenders)] = merged.get(tuple(contenders), 0) + chips
    return [(chips, list(contenders)) for contenders, chips in merged.items()]


def _award(net: list[float], chips: int, winners: list[int], whole_chips: bool) -> None:
    """Pay a pot of `chips` to `winners`, who hold equal hands."""
    share, odd = divmod(chips, len(winners))
    for place, winner in enumerate(winners):
        if odd and not whole_chips:
            net[winner] += chips / len(winners)
        else:
            net[winner] += share + (place < odd)
