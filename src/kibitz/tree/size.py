"""How large a betting tree is, counted exactly without building it: histories that play on alike are counted together.

>>> from kibitz.games import load_game
>>> report = size_report(load_game("holdem-nolimit-2p"), "fcpa", states=(169, 100, 100, 100))
>>> [sum(each.decisions) for each in report.rounds], report.pairs
([20, 100, 340, 900], 340033)
>>> size_report(report.game, "fcpa", states=(5, 25, 125, 625), convention="hawkin").pairs  # Hawkin 2014, table 5.3
1781890
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from kibitz.amounts import format_bytes, format_count
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.tree.build import resolve_menus
from kibitz.tree.count import Tally, count_private_states, count_tree
from kibitz.tree.menus import Menu

Convention = Literal["plain", "hawkin"]
States = Sequence[int] | Sequence[Sequence[int]] | npt.NDArray[np.int64]

_FLOAT = 8  # bytes of a number
_NODE = 256  # bytes of a node's row as the vector solvers compile it, and of the padding of its vectors


@dataclass(frozen=True)
class RoundSize:
    """One round of a tree; tuples hold a number per player.

    states      private states or buckets
    decisions   nodes at which the player acts
    actions     their actions, all together
    folds       terminal nodes with one player left
    showdowns   ends of the betting with a showdown to come (before the last round: all-in)
    openings    nodes, of whoever opens, that come after another round
    closings    actions of the player that lead into a later round
    """

    states: tuple[int, ...]
    decisions: tuple[int, ...]
    actions: tuple[int, ...]
    folds: int
    showdowns: int
    openings: int
    closings: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """Nodes of the betting tree, ends included."""
        return sum(self.decisions) + self.folds + self.showdowns

    @property
    def infosets(self) -> int:
        """Decision nodes times private states or buckets."""
        return sum(a * b for a, b in zip(self.decisions, self.states, strict=True))

    @property
    def pairs(self) -> int:
        """(Information set, action) pairs."""
        return sum(a * b for a, b in zip(self.actions, self.states, strict=True))


@dataclass(frozen=True)
class SizeReport:
    """The size of a game in which every player keeps to a menu."""

    game: Game
    menus: tuple[Menu, ...]
    convention: Convention
    rounds: tuple[RoundSize, ...]

    @property
    def nodes(self) -> int:
        """Nodes of the betting tree, ends included."""
        return sum(each.nodes for each in self.rounds)

    @property
    def decisions(self) -> int:
        """Nodes of the betting tree at which somebody acts."""
        return sum(sum(each.decisions) for each in self.rounds)

    @property
    def actions(self) -> int:
        """Actions of all of them together."""
        return sum(sum(each.actions) for each in self.rounds)

    @property
    def infosets(self) -> int:
        """Information sets of all players."""
        return sum(each.infosets for each in self.rounds)

    @property
    def pairs(self) -> int:
        """(Information set, action) pairs of all players."""
        return sum(each.pairs for each in self.rounds)

    @cached_property
    def bytes(self) -> dict[str, int]:
        """Memory per kind of solver, all numbers double precision.

        sampled   regrets and average strategy: 16 bytes a pair
        vector    these, the current strategy, reach and values of every state at every node, and up to 256 bytes a
                  node; the matrices of the deal come on top. Two players only.
        """
        sampled = 2 * _FLOAT * self.pairs
        if self.game.players != 2:
            return {"sampled": sampled}
        buffers = 2 * (max(map(self._reach, range(2))) + max(map(self._values, range(2))))
        return {"vector": sampled + _FLOAT * (self.pairs + buffers) + _NODE * self.nodes, "sampled": sampled}

    def _reach(self, player: int) -> int:
        """Numbers in a player's buffer of reaches: a new one after each of their actions and each new card."""
        fresh = sum(
            (each.actions[player] - each.closings[player] + each.openings) * each.states[player] for each in self.rounds
        )
        return self.rounds[0].states[player] + fresh

    def _values(self, player: int) -> int:
        """Numbers in a player's buffer of values; where a card falls the sums over it stand beside them."""
        return sum((each.nodes + sum(each.closings)) * each.states[player] for each in self.rounds)


def size_report(
    game: Game,
    menus: str | Menu | Sequence[str | Menu] = "full",
    states: States | None = None,
    suits_merged: bool = True,
    convention: Convention = "plain",
) -> SizeReport:
    """The size of the tree that `build_tree(game, menus)` builds, or would.

    states       buckets per round, or [round][player]; by default those that lose nothing
    convention   "plain" counts the nodes of `build_tree`; "hawkin" as Hawkin (2014) must have done: a fold at every
                 node of the first round, and after an all-in one node with one action per player in every round left
    """
    resolved = resolve_menus(game, menus)
    counts = count_private_states(game, suits_merged) if states is None else _states(game, states)
    tallies = count_tree(game, resolved)
    if convention == "hawkin":
        tallies = _as_hawkin(game, tallies)
    elif convention not in get_args(Convention):
        raise KibitzError(f"counting convention {convention!r}: one of {', '.join(get_args(Convention))}")
    return SizeReport(
        game,
        resolved,
        convention,
        tuple(_round_size(tally, count) for tally, count in zip(tallies, counts, strict=True)),
    )


def check_fits(report: SizeReport, memory_bytes: int, solver: str = "vector", needed: int | None = None) -> None:
    """Refuse a game for which `solver` ("vector" or "sampled") needs more than `memory_bytes`, with the numbers.

    needed: bytes, where they are known better than the report knows them
    """
    if solver not in report.bytes:
        raise KibitzError(f"a {solver} solver for {report.game.players} players: there are {', '.join(report.bytes)}")
    needed = report.bytes[solver] if needed is None else needed
    if needed > memory_bytes:
        raise KibitzError(
            f"{report.game.name or 'the game'} with the menus {' and '.join(dict.fromkeys(map(str, report.menus)))} "
            f"has {format_count(report.nodes)} nodes and {format_count(report.infosets)} information sets "
            f"({format_count(report.pairs)} infoset-action pairs): a {solver} solver needs "
            f"{format_bytes(needed)}, there are {format_bytes(memory_bytes)}; "
            "take fewer bet sizes or fewer buckets"
        )


def _states(game: Game, states: States) -> tuple[tuple[int, ...], ...]:
    """[round][player] from one number per round, or from one per round and player."""
    if len(states) != game.rounds:
        raise KibitzError(f"{len(states)} numbers of buckets for {game.rounds} rounds: give one per round")
    counts = tuple(
        tuple(int(count) for count in each) if isinstance(each, Sequence | np.ndarray) else (int(each),) * game.players
        for each in states
    )
    if any(len(each) != game.players for each in counts) or min(map(min, counts)) < 1:
        raise KibitzError(f"buckets {counts}: give one number of at least 1 per round, or per round and player")
    return counts


def _round_size(tally: Tally, states: tuple[int, ...]) -> RoundSize:
    return RoundSize(
        states,
        tuple(tally.decisions),
        tuple(tally.actions),
        tally.folds,
        tally.showdowns,
        tally.openings,
        tuple(tally.closings),
    )


def _as_hawkin(game: Game, tallies: list[Tally]) -> list[Tally]:
    """The rules inferred from the published counts: they are not stated in the thesis."""
    if game.players != 2:
        raise KibitzError(f"Hawkin's convention is for two players, not {game.players}")
    first = tallies[0]
    counted = [
        replace(
            first,
            actions=[actions + checks for actions, checks in zip(first.actions, first.checks, strict=True)],
            folds=first.folds + sum(first.checks),
        ),
        *tallies[1:],
    ]
    all_in = 0  # ways to be all-in and called before the round
    for round_, tally in enumerate(counted):
        counted[round_] = replace(
            tally,
            decisions=[decisions + all_in for decisions in tally.decisions],
            actions=[actions + all_in for actions in tally.actions],
            showdowns=0,
        )
        all_in += tally.showdowns
    counted[-1] = replace(counted[-1], showdowns=all_in)
    return counted
