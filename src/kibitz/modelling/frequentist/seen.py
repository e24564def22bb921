"""Betting trees of what was seen: for games whose whole tree is too large, such as no-limit hold'em with six players.

The tree has all actions of the menu at every point that some hand went through, each bet being translated to the
likelier of its neighbours (Rubin and Watson 2011 call this hard translation). Where no hand went on the rest is checked
down: the betting is over, with a showdown of those who are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kibitz.errors import IllegalActionError
from kibitz.games import Game, State, split_actions
from kibitz.io.logs import list_files, read_file
from kibitz.io.record import HandRecord
from kibitz.modelling.frequentist.bettings import check_same_kind
from kibitz.translation import MenuPlace, Reading, Tracker, menu_places
from kibitz.tree import DECISION, SHOWDOWN, Menu, Tree
from kibitz.tree.build import resolve_menus, successors
from kibitz.tree.growing import Growing
from kibitz.tree.menus import Used

Trie = dict[str, "Trie"]  # actions -> what came after them


def seen_histories(
    logs: Sequence[Path | str], players: tuple[str, ...], game: Game | None = None
) -> Iterator[tuple[Game, str]]:
    """The betting of all hands in which one of `players` sits; what is broken is left to those who count."""
    for file in list_files([Path(log) for log in logs]):
        for event in read_file(file, game):
            if isinstance(event, HandRecord) and not set(players).isdisjoint(event.players):
                yield event.game, event.history


def seen_tree(
    game: Game, menus: str | Menu | Sequence[str | Menu], histories: Iterable[tuple[Game, str]], reading: Reading
) -> Tree:
    """The part of the betting tree of `game` that hands with these histories went through."""
    seen: Trie = {}
    for rules, history in dict.fromkeys(histories):
        check_same_kind(rules, game)
        tracker = Tracker(menu_places(game, menus), reading, lambda: 0.5)
        state = State.start(rules)
        try:
            for action in split_actions(history):
                tracker.follow(state, action)
                state = state.apply(action)
        except IllegalActionError:
            continue
        place, at = tracker.place, seen
        assert isinstance(place, MenuPlace)
        for action in split_actions(place.state.history):
            at = at.setdefault(action, {})
    return _grow(game, resolve_menus(game, menus), seen)


def _grow(game: Game, menus: tuple[Menu, ...], seen: Trie) -> Tree:
    growing, start = Growing(game.players), State.start(game)
    stack: list[tuple[int, State, Used, Trie]] = [(growing.add(start, -1, "", 0), start, (), seen)]
    while stack:
        node, state, used, below = stack.pop()
        growing.down[node] = len(growing) - node
        following = []
        for action, after, used_after in successors(menus, state, used):
            child = growing.add(after, node, action, state.round)
            if below.get(action):
                following.append((child, after, used_after, below[action]))
            elif growing.kind[child] == DECISION:
                growing.kind[child], growing.player[child], growing.round[child] = SHOWDOWN, -1, state.round
        growing.children[node] = len(growing) - node - growing.down[node]
        stack.extend(reversed(following))
    return Tree(game, (), **growing.columns())
