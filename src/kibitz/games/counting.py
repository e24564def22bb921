"""How large a game is: betting sequences and information sets, counted exactly without building a tree.

>>> from kibitz.games import load_game
>>> [count.decisions for count in count_betting(load_game("holdem-limit-2p"))]
[8, 70, 630, 5670]
>>> count_infosets(load_game("leduc"))
InfosetCount(infosets=936, actions=2184)

The rules are those of `State` but for the dealer program's own limits (64 actions a round; 255 raises, which game
definitions write for "any number"), which no published count observes.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, Decimal, localcontext
from heapq import heappop, heappush
from itertools import accumulate
from math import comb
from typing import NamedTuple

from kibitz.errors import GameError
from kibitz.games.deal import Deal
from kibitz.games.game import UNLIMITED_RAISES, Game
from kibitz.games.state import State

_MOST_STEPS = 1_000_000  # some ten seconds, and half a gigabyte where no two ways meet

Progress = tuple[int, int, int, int]


class RoundCount(NamedTuple):
    """Betting sequences of one round.

    decisions   sequences after which somebody is to act
    actions     legal actions of all of them together, every no-limit size counted
    folds       sequences that end the hand here because one player is left
    showdowns   sequences that end the betting here with a showdown to come (before the last round: all-in)
    """

    decisions: int = 0
    actions: int = 0
    folds: int = 0
    showdowns: int = 0


class InfosetCount(NamedTuple):
    """Information sets of a game, and the legal actions of all of them together."""

    infosets: int
    actions: int


def count_betting(game: Game, player: int | None = None) -> tuple[RoundCount, ...]:
    """The betting sequences of every round; only the decisions and actions of `player` if one is given.

    Heads-up no-limit between equal stacks takes a closed form and is fast at any stack. Other no-limit games are
    walked size by size, which is for small stacks; GameError where that would not end in minutes.
    """
    if game.has_table_rules:
        raise GameError(
            f"{game.name or 'this game'} has rules of its own for caps and folds: nothing counts its betting"
        )
    if player is None and is_plain_heads_up(game):
        return _count_heads_up(game)
    return _count_walking(game, player)


def count_infosets(game: Game, canonical: bool = False) -> InfosetCount:
    """The information sets of `game` and their actions: every decision times the (hole, board) it can meet.

    canonical: hands that differ only in the names of suits count once.
    """
    if all(game.sighted):
        return _weigh(count_betting(game), _private_deals(game, game.hole_cards, canonical))
    totals = [
        _weigh(count_betting(game, player), _private_deals(game, game.hole_cards * sighted, canonical))
        for player, sighted in enumerate(game.sighted)
    ]
    return InfosetCount(sum(total.infosets for total in totals), sum(total.actions for total in totals))


def count_states(game: Game) -> int:
    """The decision nodes of the full game tree: every decision times the deals of all hole cards and the board."""
    left = len(game.deck)
    deals = 1
    for _ in range(game.players):
        deals *= comb(left, game.hole_cards)
        left -= game.hole_cards
    total = 0
    for count, cards in zip(count_betting(game), game.board_cards, strict=True):
        deals *= comb(left, cards)
        left -= cards
        total += count.decisions * deals
    return total


def _weigh(counts: tuple[RoundCount, ...], deals: list[int]) -> InfosetCount:
    return InfosetCount(
        sum(count.decisions * weight for count, weight in zip(counts, deals, strict=True)),
        sum(count.actions * weight for count, weight in zip(counts, deals, strict=True)),
    )


def _private_deals(game: Game, hole_cards: int, canonical: bool) -> list[int]:
    """In each round, what one player can see: `hole_cards` of their own and the board, dealt street by street."""
    if canonical:
        return _canonical_deals(game, hole_cards)
    deals, left = comb(len(game.deck), hole_cards), len(game.deck) - hole_cards
    weights = []
    for cards in game.board_cards:
        deals *= comb(left, cards)
        left -= cards
        weights.append(deals)
    return weights


def _canonical_deals(game: Game, hole_cards: int) -> list[int]:
    from kibitz.isomorphism import IsomorphismIndex  # only who asks for classes waits for it

    pattern = [cards for cards in (hole_cards, *game.board_cards) if cards]
    sizes = (1, *IsomorphismIndex(pattern, game.suits, game.ranks).sizes) if pattern else (1,)
    street = 1 if hole_cards else 0
    weights = []
    for cards in game.board_cards:
        street += cards > 0
        weights.append(sizes[street])
    return weights


def _count_walking(game: Game, player: int | None) -> tuple[RoundCount, ...]:
    """Counts for any game: states that differ only in how they came about are met once, with their number.

    No action leads back in `_progress`, so taking states in that order meets each after all ways to it.
    """
    totals = [[0, 0, 0, 0] for _ in range(game.rounds)]
    deep = _has_deep_stacks(game)
    waiting: dict[Progress, dict[State, int]] = {}
    queue: list[Progress] = []
    steps = 0

    def meet(state: State, ways: int) -> None:
        state = _essence(state, deep)
        place = _progress(state)
        if place not in waiting:
            waiting[place] = {}
            heappush(queue, place)
        waiting[place][state] = waiting[place].get(state, 0) + ways

    start = State.start(game)
    if not start.finished:
        meet(start, 1)
    while queue:
        for state, ways in waiting.pop(heappop(queue)).items():
            total = totals[state.round]
            counted = ways if player is None or player == state.player else 0
            total[0] += counted
            for action in state.legal().actions():
                steps += 1
                total[1] += counted
                child = state.apply(action)
                if not child.finished:
                    meet(child, ways)
                elif child.showdown:
                    total[3] += ways
                else:
                    total[2] += ways
            if steps > _MOST_STEPS:
                raise GameError(f"{game.name or 'the game'} is too large to count: no-limit needs fewer chips")
    return tuple(RoundCount(*total) for total in totals)


def _progress(state: State) -> Progress:
    # Players who can act only become fewer; among as many, raises only go up.
    return state.round, -state.able.bit_count(), state.bet, -state.pending.bit_count()


def _has_deep_stacks(game: Game) -> bool:
    """Whether no stack of a limit game can ever run out, so that only what is still to call matters."""
    highest = game.highest_bet
    return highest is not None and min(game.limits) > highest


def _essence(state: State, deep: bool) -> State:
    """`state` without what cannot matter for the rest of the hand."""
    game = state.game
    tda, limit = game.rules == "tda", game.betting == "limit"
    unlimited = not limit and game.max_raises[state.round] >= UNLIMITED_RAISES
    level = state.bet if deep else 0
    return state._replace(
        deal=Deal(),
        history="",
        spent=tuple(0 if state.folded >> p & 1 else chips - level for p, chips in enumerate(state.spent)),
        bet=state.bet - level,
        acted=state.acted if tda else 0,
        raises=0 if unlimited else state.raises,
        actions=0,
        min_raise_to=state.min_raise_to - level if tda or not limit else 0,
    )


def is_plain_heads_up(game: Game) -> bool:
    """Whether `_count_heads_up` knows the game: no-limit, two equal stacks, the smaller blind opens."""
    if game.betting != "nolimit" or game.players != 2 or not all(game.bettors):
        return False
    start = State.start(game)
    return (
        game.limits[0] == game.limits[1] > start.bet
        and start.spent[start.player] == min(start.spent)
        and min(game.max_raises) >= UNLIMITED_RAISES
    )


def _count_heads_up(game: Game) -> tuple[RoundCount, ...]:
    """Counts for heads-up no-limit with equal stacks, from partitions.

    A round that starts with both players at b chips is: perhaps a check (or, before the flop, a call), then
    raises by d1 <= d2 <= ... of at least the smallest bet, then perhaps a raise of any size to the stack S. So
    with P(n) the number of partitions of n into such raises and Q(x) = P(0) + ... + P(x - 1), two ways to start
    give 2 P(c - b) sequences that face a bet of c < S, and 2 Q(S - b) that face the stack, for each way to get
    to b. Calling takes the round to c, and rounds add up: the ways to begin a round at b are a convolution.
    """
    start = State.start(game)
    room = game.limits[0] - start.bet  # chips behind; levels are counted from the opening bet
    opening = start.min_raise_to - start.bet
    faces_blind = start.to_call > 0
    raises_by_least = {least: count_partitions(room, least) for least in {opening, game.smallest_bet}}
    ways = [1] + [0] * (room - 1)  # ways[b] to begin the round at level b
    counts = []
    for number in range(game.rounds):
        partitions = raises_by_least[opening if number == 0 else game.smallest_bet]
        calls = [1] + [2 * count for count in partitions[1:]]  # ways for a round to end n chips higher
        starts = sum(ways)
        all_ins = 2 * count_reaching(ways, partitions)
        # Each way to begin has two decisions without a raise; every raise, all-in or not, makes one more.
        raises = 2 * all_ins - 2 * starts
        decisions = 2 * starts + raises
        unbet = 2 * starts - (number == 0 and faces_blind)
        folds = decisions - (0 if game.rules == "tda" else unbet)
        showdowns = all_ins
        if number == game.rounds - 1:
            showdowns += count_reaching(ways, calls)
        else:
            ways = calls if number == 0 else convolve(ways, calls, room)
        counts.append(RoundCount(decisions, decisions + folds + raises, folds, showdowns))
    return tuple(counts)


def count_reaching(ways: list[int], steps: list[int]) -> int:
    """The sum of ways[b] * steps[n] over all b + n < size: a way to level b, then a step that stays on the table."""
    below = list(accumulate(steps))
    return sum(count * below[len(ways) - 1 - level] for level, count in enumerate(ways))


def count_partitions(size: int, least: int) -> list[int]:
    """For n = 0 .. size - 1, the ways to write n as a sum of parts of at least `least`, order disregarded.

    q_k(n), with exactly k parts, is q_{k-1}(n - least) (a part equals the least) + q_k(n - k) (none does).

    >>> count_partitions(9, least=2)
    [1, 0, 1, 1, 2, 2, 4, 4, 7]
    """
    fewer = [1] + [0] * (size - 1)
    total = fewer.copy()
    for parts in range(1, (size - 1) // least + 1):
        exactly = [0] * size
        for n in range(parts * least, size):
            exactly[n] = fewer[n - least] + exactly[n - parts]
            total[n] += exactly[n]
        fewer = exactly
    return total


def convolve(left: list[int], right: list[int], size: int) -> list[int]:
    """The first `size` coefficients of the product of two polynomials with non-negative coefficients.

    Each is written as one long decimal number, because `decimal` multiplies those by a number-theoretic transform,
    in quasi-linear time (Python's integers take ten times as long for 20,000 coefficients).

    >>> convolve([1, 2, 3], [1, 10, 100], 3)
    [1, 12, 123]
    """
    width = len(str(max(left) * max(right) * size))  # digits that hold any coefficient
    with localcontext(prec=MAX_PREC, Emax=MAX_EMAX):
        digits = f"{_joined(left, width) * _joined(right, width):f}"
    digits = digits.zfill(width * size)
    ends = range(len(digits), len(digits) - width * size, -width)
    return [int(digits[end - width : end]) for end in ends]


def _joined(coefficients: list[int], width: int) -> Decimal:
    return Decimal("".join([str(value).zfill(width) for value in reversed(coefficients)]))
