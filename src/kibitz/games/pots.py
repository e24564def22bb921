"""Who is paid what at the end of a hand: side pots, split pots, dead antes."""

from collections.abc import Iterable, Iterator, Sequence

Layer = tuple[int, list[int]]  # chips per contributor, contributors


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
    whole_chips     give chips that do not divide to the winners in seat order instead of fractions
    ante_trimming   antes form side pots like bets; otherwise they are one pot for everybody left in
    """
    net: list[float] = [-chips - ante for chips, ante in zip(spent, antes, strict=True)]
    everybody = list(range(len(spent)))
    pots: list[tuple[int, list[int]]] = []  # chips, and who put them in
    if any(antes):
        pots += _pots(antes) if ante_trimming else [(sum(antes), everybody)]
    pots += _pots(spent)
    if whole_chips:
        pots = _merged(pots, strength)
    for chips, contributors in pots:
        _award(net, chips, _best(contributors, strength), whole_chips)
    return tuple(net)


def _pots(spent: Sequence[int]) -> list[tuple[int, list[int]]]:
    return [(share * len(contributors), contributors) for share, contributors in layers(spent)]


def _merged(pots: list[tuple[int, list[int]]], strength: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Pots with the same contenders are one pot at the table, and its odd chips are counted once."""
    merged: dict[tuple[int, ...], int] = {}
    left = tuple(player for player, value in enumerate(strength) if value >= 0)
    for chips, contributors in pots:
        # What only folders reached is fought for by everybody left.
        contenders = tuple(player for player in contributors if strength[player] >= 0) or left
        merged[contenders] = merged.get(contenders, 0) + chips
    return [(chips, list(contenders)) for contenders, chips in merged.items()]


def _best(players: Iterable[int], strength: Sequence[int]) -> list[int]:
    """Those of `players` with the strongest hand; a pot that only folders reached goes to the best of all."""
    players = list(players)
    top = max((strength[player] for player in players), default=-1)
    if top < 0:
        return _best(range(len(strength)), strength)
    return [player for player in players if strength[player] == top]


def _award(net: list[float], chips: int, winners: list[int], whole_chips: bool) -> None:
    """Pay a pot of `chips` to `winners`, who hold equal hands."""
    share, odd = divmod(chips, len(winners))
    for place, winner in enumerate(winners):
        if odd and not whole_chips:
            net[winner] += chips / len(winners)
        else:
            net[winner] += share + (place < odd)
