"""Nodes of a betting tree by round and player, without building it, and private states, without dealing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import product
from math import comb

from kibitz.errors import KibitzError
from kibitz.games import Game, State
from kibitz.games.game import UNLIMITED_RAISES
from kibitz.games.state import MAX_ACTIONS_PER_ROUND
from kibitz.tree.build import successors
from kibitz.tree.closed_form import count_heads_up, is_plain_heads_up
from kibitz.tree.menus import Menu, Size, Used

MOST_STEPS = 2_000_000  # some twenty seconds

Key = tuple[object, ...]
Waiting = dict[Key, tuple[State, Used, int]]  # states that play on alike -> one of them, and the number of ways to them
FLUSH = 5  # cards that a straight or a flush takes


@dataclass
class Tally:
    """What was counted in one round; lists hold a number per player.

    checks     decisions at which there is nothing to call
    closings   actions that lead into a later round
    The others are as in `kibitz.tree.size.RoundSize`.
    """

    decisions: list[int]
    checks: list[int]
    actions: list[int]
    closings: list[int]
    folds: int = 0
    showdowns: int = 0
    openings: int = 0


def count_tree(game: Game, menus: tuple[Menu, ...]) -> list[Tally]:
    """What `build_tree` would build, round by round.

    Every legal amount for both players of heads-up no-limit takes a closed form, which is fast at any stack but, alone
    among all this, ignores that the dealer program stops a round at 64 actions.
    """
    if game.has_table_rules:
        raise KibitzError(f"{game.name or 'the game'} has rules of its own for caps and folds: nothing counts its tree")
    if all(size == Size("full") for menu in menus for sizes in menu.rounds for size in sizes or [None]):
        # The tree has no fold where a check is free, so both rule sets have the same one, unless they open differently.
        plain = replace(game, rules="acpc")
        if plain.opening_raise == game.opening_raise and is_plain_heads_up(plain):
            return _every_amount_heads_up(plain)
    return _walk(game, menus)


def _walk(game: Game, menus: tuple[Menu, ...]) -> list[Tally]:
    """Counts for any game. No action leads back in (round, players who cannot act any more, bet, players who have
    acted), for only who goes all-in can lower the bet: ways add up in that order.
    """
    players = game.players
    tallies = [Tally([0] * players, [0] * players, [0] * players, [0] * players) for _ in range(game.rounds)]
    essence = _Essence(game, menus)
    waiting: dict[tuple[int, int, int, int], Waiting] = {}
    queue: list[tuple[int, int, int, int]] = []
    steps = 0

    def meet(state: State, used: Used, ways: int) -> None:
        place = (state.round, -state.able.bit_count(), state.bet, -state.pending.bit_count())
        if place not in waiting:
            waiting[place] = {}
            heappush(queue, place)
        key = essence.key(state, used)
        _state, _used, known = waiting[place].get(key, (state, used, 0))
        waiting[place][key] = (state, used, known + ways)

    start = State.start(game)
    if start.finished:
        raise KibitzError("the hand is over before anybody acts: there is no betting tree")
    meet(start, (), 1)
    while queue:
        for state, used, ways in waiting.pop(heappop(queue)).values():
            tally, player = tallies[state.round], state.player
            tally.decisions[player] += ways
            tally.checks[player] += ways * (state.to_call <= 0)  # nor is there a fold where chips are taken back
            for _action, after, used_after in successors(menus, state, used):
                steps += 1
                tally.actions[player] += ways
                if after.finished:
                    tally.showdowns += ways * after.showdown
                    tally.folds += ways * (not after.showdown)
                    continue
                if after.round != state.round:
                    tally.closings[player] += ways
                    tallies[after.round].openings += ways
                meet(after, used_after, ways)
            if steps > MOST_STEPS:
                raise KibitzError(
                    f"{game.name or 'the game'} with these menus is too large even to count: "
                    "give fewer sizes or fewer chips"
                )
    return tallies


class _Essence:
    """What of a state matters for the rest of the hand."""

    def __init__(self, game: Game, menus: tuple[Menu, ...]) -> None:
        sizes = {size for menu in menus for round_ in menu.rounds for size in round_}
        self.game = game
        self.pot_matters = any(size.kind == "pot" for size in sizes)
        self.number_matters = any(size.first > 1 or size.last < UNLIMITED_RAISES for size in sizes)
        self.most = max(game.limits)
        self.equal_stacks = len(set(game.limits)) == 1

    def key(self, state: State, used: Used) -> Key:
        """Equal for states below which the trees are equal."""
        game, folded = self.game, state.folded
        limit, tda = game.betting == "limit", game.rules == "tda"
        near_end = self._near_end(state)
        numbered = near_end or self.number_matters or game.max_raises[state.round] < UNLIMITED_RAISES
        return (
            state.round,
            state.player,
            tuple(0 if folded >> p & 1 else chips for p, chips in enumerate(state.spent)),
            state.pot if self.pot_matters else 0,
            folded,
            state.able,
            state.pending,
            state.acted if tda else 0,
            state.raises if numbered else 0,
            state.actions if near_end else 0,
            state.bet,
            0 if limit and not tda else state.min_raise_to,
            frozenset(used),
        )

    def _near_end(self, state: State) -> bool:
        """Whether the round could still reach the dealer program's limit of actions."""
        game = self.game
        if game.betting == "limit":
            raises = game.max_raises[state.round] - state.raises
        else:
            # A short all-in between unequal stacks leaves room for raises of a single chip.
            least = max(state.min_raise_to - state.bet, 1) if self.equal_stacks else 1
            raises = (self.most - state.bet) // least + 1
        return state.actions + game.players * (raises + 2) > MAX_ACTIONS_PER_ROUND


def _every_amount_heads_up(game: Game) -> list[Tally]:
    """Both players' shares of `count_heads_up`.

    Whatever follows a check or a call of the blind can also come without it, from the other player. So the two share
    everything equally but for three things: the blind can be folded to, the player after the opener closes the round
    that is checked, and nobody else can.
    """
    start = State.start(game)
    faces_blind = start.to_call > 0
    counts = count_heads_up(game)
    raises = [count.actions - count.decisions - count.folds for count in counts]
    begun = [(count.decisions - raised) // 2 for count, raised in zip(counts, raises, strict=True)]
    tallies = []
    for round_, count in enumerate(counts):
        opener = game.first_players[round_]
        blind = int(round_ == 0 and faces_blind)
        half = (count.actions - blind) // 2
        tally = Tally([count.decisions // 2] * 2, [begun[round_]] * 2, [half] * 2, [0, 0], count.folds, count.showdowns)
        tally.checks[opener] -= blind
        tally.actions[opener] += blind
        if round_ + 1 < game.rounds:
            tally.closings = [(begun[round_ + 1] - begun[round_]) // 2] * 2
            tally.closings[1 - opener] += begun[round_]
        tally.openings = begun[round_] if round_ else 0
        tallies.append(tally)
    return tallies


def ranks_tell_all(game: Game) -> bool:
    """Whether suits mean nothing at the showdown: hands too short for straights and flushes."""
    return game.hand_ranking == "standard" and game.hole_cards + sum(game.board_cards) < FLUSH


def count_private_states(game: Game, suits_merged: bool = True) -> tuple[tuple[int, ...], ...]:
    """What each player can know of the cards in each round, with perfect recall: [round][player].

    suits_merged: states that differ in the names of suits only count once, which loses nothing.

    >>> from kibitz.games import load_game
    >>> count_private_states(load_game("leduc"))
    ((3, 3), (9, 9))
    >>> count_private_states(load_game("leduc"), suits_merged=False)
    ((6, 6), (30, 30))
    """
    by_hole_cards = {sighted: _count(game, game.hole_cards * sighted, suits_merged) for sighted in set(game.sighted)}
    return tuple(tuple(by_hole_cards[sighted][round_] for sighted in game.sighted) for round_ in range(game.rounds))


def _count(game: Game, hole_cards: int, suits_merged: bool) -> list[int]:
    """States in each round of one who sees `hole_cards` and the board."""
    streets = tuple(cards for cards in (hole_cards, *game.board_cards) if cards)
    if not suits_merged:
        sizes = _count_hands(len(game.deck), streets)
    elif ranks_tell_all(game):
        sizes = [_count_rank_hands(game, streets[: seen + 1]) for seen in range(len(streets))]
    else:
        sizes = _count_classes(game, streets)
    sizes = [1, *sizes]
    seen, states = int(hole_cards > 0), []
    for cards in game.board_cards:
        seen += cards > 0
        states.append(sizes[seen])
    return states


def _count_hands(left: int, streets: tuple[int, ...]) -> list[int]:
    hands, sizes = 1, []
    for cards in streets:
        hands *= comb(left, cards)
        left -= cards
        sizes.append(hands)
    return sizes


def _count_classes(game: Game, streets: tuple[int, ...]) -> list[int]:
    from kibitz.isomorphism import IsomorphismIndex  # only who asks for classes waits for it

    return list(IsomorphismIndex(streets, game.suits, game.ranks).sizes) if streets else []


def _count_rank_hands(game: Game, streets: tuple[int, ...]) -> int:
    """Ways to deal ranks in streets when each rank is there once per suit: one rank after the other."""
    ways = Counter({streets: 1})  # cards still to be dealt on each street -> ways
    for _rank in range(game.ranks):
        after: Counter[tuple[int, ...]] = Counter()
        for left, count in ways.items():
            for taken in product(*(range(cards + 1) for cards in left)):
                if sum(taken) <= game.suits:
                    after[tuple(a - b for a, b in zip(left, taken, strict=True))] += count
        ways = after
    return ways[(0,) * len(streets)]
