"""The betting of real hands as decisions in a betting tree, bets that the tree does not have being translated."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from typing import NamedTuple

from kibitz.errors import IllegalActionError, KibitzError
from kibitz.games import Game, State, split_actions
from kibitz.random import derive_seed, unit
from kibitz.translation import Place, Reader, Reading, TreePlace
from kibitz.tree import DECISION, SHOWDOWN, Tree

GRID = 1 << 24  # weights are multiples of 1 / GRID: sums of a billion of them are exact, whatever their order
MOST_KEPT = 1 << 15  # bettings kept for the hands to come; limit hold'em has 10,206


class Taken(NamedTuple):
    """What one player did at one node: `action` is the number of the child, `weight` how surely it was this."""

    node: int
    action: int
    round: int
    weight: float


class SeatDecisions(NamedTuple):
    """The decisions of one seat in one betting.

    taken     in the order in which they came
    decisions how many there were in the real hand
    lost      how many of these have no place in the tree
    rounds    how many rounds were reached when the seat acted last
    ended     the round in which the hand ended
    shown     whether the seat showed its cards: it had not folded at a showdown
    """

    taken: tuple[Taken, ...]
    decisions: int
    lost: float
    rounds: int
    ended: int
    shown: bool


# Of a node: who acts, and where each action leads, with what taking it counts as.
_Node = tuple[int, dict[str, tuple[int, Taken]]]


class Bettings:
    """Reads bettings of hands into decisions of every seat; the same betting is read once.

    seed   None: a bet that may be translated in two ways counts as both, each with its chance (expected counts);
           a number: it counts as one of them, drawn for each hand
    """

    def __init__(self, tree: Tree, reading: Reading, seed: int | None = None) -> None:
        self._tree, self._reading, self._seed = tree, reading, seed
        self._root = TreePlace(tree)
        self._nodes: dict[int, _Node] = {}
        self._game: Game | None = None
        self._kept: dict[str, tuple[SeatDecisions, ...]] = {}

    def read(self, game: Game, history: str, hand: tuple[int, ...] = ()) -> tuple[SeatDecisions, ...]:
        """The decisions of all seats; IllegalActionError where the betting breaks the rules.

        hand   numbers that tell hands apart, for those who draw
        """
        if game is not self._game and game != self._game:
            check_same_kind(game, self._tree.game)
            self._game, self._kept = game, {}
        found = self._kept.get(history)
        if found is None:
            is_sure, found = True, self._read_in_tree(history) if self._has_all_bets else None
            if found is None:
                uniform = None if self._seed is None else _uniforms(derive_seed(self._seed, *hand))
                found, is_sure = self._read(game, history, uniform)
            if is_sure or self._seed is None:
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[history] = found
        return found

    @property
    def _has_all_bets(self) -> bool:
        """Whether the tree has every bet of the hands: nothing is to be translated."""
        tree = self._tree
        return tree.game.betting == "limit" and bool(tree.menus) and self._game == tree.game

    def _read_in_tree(self, history: str) -> tuple[SeatDecisions, ...] | None:
        """The decisions of all seats by a walk down the tree; None where `_read` has to say what is wrong with them."""
        tree, node = self._tree, 0
        taken: list[list[Taken]] = [[] for _ in range(tree.game.players)]
        for letter in history.replace("/", ""):
            player, steps = self._nodes.get(node) or self._look(node)
            step = steps.get(letter)
            if step is None:
                return None
            taken[player].append(step[1])
            node = step[0]
        if tree.kind[node] == DECISION or tree.history(node) != history:
            return None
        ended, is_showdown, folded = history.count("/"), tree.kind[node] == SHOWDOWN, int(tree.folded[node])
        return tuple(
            SeatDecisions(
                tuple(each),
                len(each),
                0.0,
                each[-1].round + 1 if each else 0,
                ended,
                bool(is_showdown and not folded >> seat & 1),
            )
            for seat, each in enumerate(taken)
        )

    def _look(self, node: int) -> _Node:
        """What a walk needs to know of a node, kept for the next one."""
        tree = self._tree
        player, round_, first = int(tree.player[node]), int(tree.round[node]), int(tree.first_child[node])
        steps = {
            action: (first + number, Taken(node, number, round_, 1.0))
            for number, action in enumerate(tree.offered(node))
        }
        self._nodes[node] = player, steps
        return self._nodes[node]

    def _read(
        self, game: Game, history: str, uniform: Callable[[], float] | None
    ) -> tuple[tuple[SeatDecisions, ...], bool]:
        """The decisions of all seats, and whether every bet could be translated in one way only."""
        taken: list[list[Taken]] = [[] for _ in range(game.players)]
        decisions, lost, rounds = [0] * game.players, [0.0] * game.players, [0] * game.players
        belief: dict[Hashable, tuple[Reader, float]] = {None: (Reader(self._root, self._reading), 1.0)}
        state, is_sure = State.start(game), True
        for action in split_actions(history):
            seat, after = state.player, state.apply(action)
            belief, found = self._follow(belief, state, action)
            is_sure = is_sure and len(belief) == 1
            if uniform is not None and len(belief) > 1:
                belief, found = _drawn(belief, found, uniform())
            rounded = _on_grid(found)
            taken[seat] += rounded
            decisions[seat] += 1
            lost[seat] += 1.0 - sum(each.weight for each in rounded)
            rounds[seat] = state.round + 1
            state = after
        if state.history != history:
            raise IllegalActionError(f"the betting {history!r}: by the rules it is {state.history!r}")
        if not state.finished:
            raise IllegalActionError(f"the betting {history!r}: an action of player {state.player} is missing")
        shown = [state.showdown and not state.folded >> seat & 1 for seat in range(game.players)]
        columns = zip(map(tuple, taken), decisions, lost, rounds, [history.count("/")] * len(shown), shown, strict=True)
        return tuple(SeatDecisions(*each) for each in columns), is_sure

    def _follow(
        self, belief: dict[Hashable, tuple[Reader, float]], state: State, action: str
    ) -> tuple[dict[Hashable, tuple[Reader, float]], list[tuple[Hashable, Taken]]]:
        """Every hypothesis after `action`, and what it makes of it where it has a place for the one who acts."""
        after: dict[Hashable, tuple[Reader, float]] = {}
        found: list[tuple[Hashable, Taken]] = []
        for reader, weight in belief.values():
            here = reader.place
            is_theirs = here.player == state.player and here.round == state.round  # nearly always
            place = here if is_theirs else copy(reader).tree_place(state)
            for read in reader.read(state, action):
                share, key = weight * read.chance, read.key
                before = after.get(key)
                after[key] = (read, share + (before[1] if before else 0.0))
                if place is not None:
                    node = _node(place)
                    number = _node(read.place) - int(self._tree.first_child[node])
                    found.append((key, Taken(node, number, state.round, share)))
        return after, found


def _node(place: Place) -> int:
    assert isinstance(place, TreePlace)
    return place.node


def _drawn(
    belief: dict[Hashable, tuple[Reader, float]], found: list[tuple[Hashable, Taken]], chance: float
) -> tuple[dict[Hashable, tuple[Reader, float]], list[tuple[Hashable, Taken]]]:
    """One hypothesis, taken for certain, and what it made of the last action."""
    total, key = 0.0, None
    for key, (_reader, weight) in belief.items():  # noqa: B007 - the last one stands where rounding ate the rest
        total += weight
        if chance < total:
            break
    reader, _weight = belief[key]
    return {key: (reader, 1.0)}, [(key, taken._replace(weight=1.0)) for each, taken in found if each == key]


def _on_grid(found: list[tuple[Hashable, Taken]]) -> list[Taken]:
    """What was found, with weights on the grid: their running sums are rounded, so that the whole stays what it is."""
    rounded, total, given = [], 0.0, 0
    for _key, each in found:
        total += each.weight
        upto = round(total * GRID)
        if upto > given:
            rounded.append(each._replace(weight=(upto - given) / GRID))
        given = upto
    return rounded


def _uniforms(seed: int) -> Callable[[], float]:
    """Random numbers from 0 to 1 that depend on `seed` alone."""
    drawn = iter(range(1 << 62))
    return lambda: unit(derive_seed(seed, next(drawn)))


def check_same_kind(game: Game, own: Game) -> None:
    """Refuse hands of a game that differs from `own` in more than translation can bridge.

    Stacks, blinds and bet sizes may differ: in no-limit games bets are translated, and limit raises have one size.
    """
    names = ("betting", "players", "hole_cards", "board_cards", "suits", "ranks", "deck_ranks", "first_players")
    for name in (*names, "max_raises") if own.betting == "limit" else names:
        theirs, ours = getattr(game, name), getattr(own, name)
        if theirs != ours:
            raise KibitzError(
                f"hands of {game.name or 'another game'} do not fit a model of {own.name or 'this game'}: "
                f"{name.replace('_', ' ')} {theirs}, not {ours}"
            )
