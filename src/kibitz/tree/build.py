"""A public betting tree as flat arrays: who acts, what may be done, how much is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.files import fingerprint
from kibitz.games import Game, State, format_gamedef
from kibitz.tree.columns import DECISION, FOLD, SHOWDOWN
from kibitz.tree.growing import Growing
from kibitz.tree.menus import Menu, MenuError, Used, offered, parse_menu

MAX_NODES = 50_000_000  # 3 to 4 GB while it is built, as much again to walk it
COUNT_FROM = 100_000  # nodes after which it is worth knowing how many there will be


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """The betting of a game when every player keeps to a menu. A parent comes before its children.

    kind      : int8[n]            DECISION, FOLD (all but one folded) or SHOWDOWN
    player    : int8[n]            to act; at a FOLD the one who is left; -1 at a SHOWDOWN
    round     : int8[n]            a SHOWDOWN keeps the round of the last betting, earlier than the last when all-in
    parent    : int32[n]           -1 at the root
    first_child, children : int32[n]   the children of a node stand side by side, in the order of its actions
    spent     : int64[n, players]  chips each player has bet
    folded    : int32[n]           mask of those who folded
    actions   : tuple of str, n    the action that leads here ("" at the root)
    """

    game: Game
    menus: tuple[Menu, ...]
    kind: npt.NDArray[np.int8]
    player: npt.NDArray[np.int8]
    round: npt.NDArray[np.int8]
    parent: npt.NDArray[np.int32]
    first_child: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    spent: npt.NDArray[np.int64]
    folded: npt.NDArray[np.int32]
    actions: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        return f"Tree({self.game.name or 'a game'}, {len(self):,} nodes)"

    @cached_property
    def decisions(self) -> npt.NDArray[np.int64]:
        """The nodes at which somebody acts, in order."""
        return np.flatnonzero(self.kind == DECISION)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the game, the menus and the shape: strategies of different trees do not mix."""
        columns = (self.kind, self.player, self.round, self.first_child, self.children, self.spent)
        return fingerprint(format_gamedef(self.game), "\n".join(map(str, self.menus)), *columns)

    @cached_property
    def stakes(self) -> npt.NDArray[np.float64]:
        """Chips that change hands at each terminal node of a game for two, antes included, which must be equal:
        what the loser has in, or both at a showdown. float64[n].
        """
        stakes: npt.NDArray[np.float64] = self.spent.min(axis=1).astype(np.float64)
        folds = np.flatnonzero(self.kind == FOLD)
        stakes[folds] = self.spent[folds, 1 - self.player[folds].astype(np.int64)]
        return stakes + self.game.antes_paid[0]

    def history(self, node: int) -> str:
        """The betting that leads to `node`, as ACPC text with "/" between rounds."""
        pieces: list[str] = []
        while node > 0:
            parent = int(self.parent[node])
            gap = int(self.round[node]) - int(self.round[parent]) if self.kind[node] == DECISION else 0
            pieces.append(self.actions[node] + "/" * gap)
            node = parent
        return "".join(reversed(pieces))

    def offered(self, node: int) -> tuple[str, ...]:
        """The actions at a decision, in the order of its children."""
        first = int(self.first_child[node])
        return self.actions[first : first + int(self.children[node])]

    def find(self, history: str) -> int:
        """The node reached by `history`; an error names the action that the menus do not have.

        "/" may be left out, at the end or everywhere; where it stands a round must end.
        """
        from kibitz.games import split_actions

        node = 0
        for action in split_actions(history):
            node = self.child(node, action)
        if "/" in history:
            own = self.history(node)
            if self.kind[node] == SHOWDOWN:  # what is left is dealt without betting
                own += "/" * (self.game.rounds - 1 - int(self.round[node]))
            if history.rstrip("/") != own.rstrip("/") or len(history) > len(own):
                raise KibitzError(f"the betting {history!r}: a / is missing or in the wrong place; it is {own!r}")
        return node

    def child(self, node: int, action: str) -> int:
        """The node that `action` leads to from `node`."""
        first = int(self.first_child[node])
        for child in range(first, first + int(self.children[node])):
            if self.actions[child] == action:
                return child
        offered = ", ".join(self.actions[first : first + int(self.children[node])]) or "nothing, the hand is over"
        raise KibitzError(f"{action!r} after {self.history(node) or 'the start'!r}: the tree has {offered}")


def build_tree(game: Game, menus: str | Menu | Sequence[str | Menu] = "full") -> Tree:
    """The betting tree of `game`; one menu for all players, or one per player.

    Menus are names of `kibitz.tree.menus.MENUS` or menu text; in a limit game the menu is the limit raise. A round that
    opens as another did is not played again but copied, so that most of a large tree costs next to nothing.
    """
    resolved = resolve_menus(game, menus)
    start = State.start(game)
    if start.finished:
        raise KibitzError("the hand is over before anybody acts: there is no betting tree")
    growing = Growing(game.players)
    wanted = COUNT_FROM  # small trees are built sooner than counted
    opened: dict[tuple[object, ...], int] = {}  # a state at the opening of a round, cards and history aside -> its node

    def expand(node: int, place: tuple[State, Used]) -> list[tuple[int, tuple[State, Used]]]:
        nonlocal wanted
        (state, used), following = place, []
        alike = opened.setdefault(state[3:], node) if state.actions == 0 else node
        if alike != node:
            growing.copy(alike, node)
        else:
            for action, after, used_after in successors(resolved, state, used):
                child = growing.add(after, node, action, state.round)
                if not after.finished:
                    following.append((child, (after, used_after)))
        if len(growing) > wanted:
            wanted = _count_nodes(game, resolved)
        return following

    growing.add(start, -1, "", 0)
    root: tuple[State, Used] = (start, ())
    growing.grow(root, expand)
    return Tree(game, resolved, **growing.columns())


def _count_nodes(game: Game, menus: tuple[Menu, ...]) -> int:
    """How many nodes the tree will have; an error with the numbers if they are too many to build."""
    from kibitz.amounts import format_bytes, format_count
    from kibitz.tree.size import size_report

    report = size_report(game, menus)
    if report.nodes > MAX_NODES:
        raise KibitzError(
            f"the tree has {format_count(report.nodes)} nodes and {format_count(report.infosets)} information sets, "
            f"{format_bytes(max(report.bytes.values()))} to solve: at most {MAX_NODES:,} nodes can be built"
        )
    return report.nodes


def resolve_menus(game: Game, menus: str | Menu | Sequence[str | Menu]) -> tuple[Menu, ...]:
    """One menu per player; an error where one is written with the raise of a limit game in a no-limit game."""
    given = [*menus] if isinstance(menus, Iterable) and not isinstance(menus, str) else [menus]
    parsed = [menu if isinstance(menu, Menu) else _parse(menu, game.betting == "limit") for menu in given]
    if game.betting == "limit":
        return (parse_menu("limit"),) * game.players
    if len(parsed) == 1:
        parsed *= game.players
    if len(parsed) != game.players:
        raise KibitzError(f"{len(parsed)} menus for {game.players} players: give one, or one per player")
    return tuple(parsed)


def _parse(text: str, limit: bool) -> Menu:
    if not isinstance(text, str):
        raise MenuError(f"{text!r} is not a menu: write all sizes of a player as one text, such as '0.5, 1, all-in'")
    menu = parse_menu(text)
    if not limit and any(size.kind == "r" for sizes in menu.rounds for size in sizes):
        raise MenuError(f"'r' in the menu {str(menu)!r}: no-limit games have no fixed raise, the smallest is min")
    return menu


def successors(menus: tuple[Menu, ...], state: State, used: Used) -> Iterator[tuple[str, State, Used]]:
    """The actions of `state` on its player's menu, the states they lead to, and what is used up of the menus then."""
    # TDA tables also fold what could be checked, ACPC's limit games what could be taken back; nobody needs it.
    if state.legal().fold and state.to_call > 0:
        yield "f", *_kept(state, state.apply("f"), used)
    yield "c", *_kept(state, state.apply("c"), used)
    for action, place in offered(menus[state.player], state, used):
        spent = used if place is None else (*used, (place, state.player))
        yield action, *_kept(state, state.apply(action), spent)


def _kept(before: State, after: State, used: Used) -> tuple[State, Used]:
    """What is used up of the menus is given back in a new round."""
    return after, used if after.round == before.round else ()


def pruned(tree: Tree, dropped: npt.NDArray[np.bool_]) -> Tree:
    """`tree` without the nodes marked in `dropped`, bool[n], and all that follows them; orders are kept.

    The menus stay what they were: they say what the tree was made from, its nodes what is left.
    """
    kept = ~dropped
    for node in range(1, len(tree)):  # parents come first
        kept[node] &= kept[tree.parent[node]]
    left = np.flatnonzero(kept)
    number = np.cumsum(kept) - 1
    children = np.bincount(tree.parent[left[1:]], minlength=len(tree))[left].astype(np.int32)
    stuck = (tree.kind[left] == DECISION) & (children == 0)
    if not kept[0] or stuck.any():
        where = tree.history(int(left[stuck][0])) if stuck.any() else ""
        raise KibitzError(f"nothing is left to do after {where or 'the start'!r}: keep at least one action")
    first = np.zeros(len(left), dtype=np.int32)
    for at in range(len(left) - 1, 0, -1):
        first[number[tree.parent[left[at]]]] = at
    parent = np.where(tree.parent[left] >= 0, number[tree.parent[left]], -1).astype(np.int32)
    actions = tuple(tree.actions[node] for node in left)
    return Tree(
        tree.game,
        tree.menus,
        tree.kind[left],
        tree.player[left],
        tree.round[left],
        parent,
        first,
        children,
        tree.spent[left],
        tree.folded[left],
        actions,
    )


def action_words(tree: Tree, node: int, action: str) -> str:
    """An action at a node, in chips of its round: those that a bet puts in, or that are in after a raise.

    >>> from kibitz.games import load_game
    >>> tree = build_tree(load_game("holdem-nolimit-2p"), "1")
    >>> [action_words(tree, tree.find(history), action) for history, action in (("", "r300"), ("r300c/", "r900"))]
    ['raise to 300', 'bet 600']
    """
    player, spent = int(tree.player[node]), tree.spent[node]
    most = int(spent.max())
    if action == "f":
        return "fold"
    if action == "c":
        facing = most - int(spent[player])
        return f"call {facing:,}" if facing else "check"
    first = node
    while first > 0 and tree.round[tree.parent[first]] == tree.round[node]:
        first = int(tree.parent[first])
    blinds = tree.game.blinds
    # Blinds that are the same for all are antes; others are the first bet of their round.
    before = int(tree.spent[first].max()) if tree.round[node] > 0 or len(set(blinds)) == 1 else 0
    chips = int(tree.spent[tree.child(node, action), player])
    verb = "all-in" if chips >= tree.game.limits[player] else "raise to" if most > before else "bet"
    return f"{verb} {chips - before:,}"
