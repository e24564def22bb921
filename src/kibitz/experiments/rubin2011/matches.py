"""Duplicate matches of many pairs on the same cards, piece by piece, each piece written down when it is done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from kibitz.arena.duplicate import DuplicateMatch, hands_per_deal, play_duplicate
from kibitz.files import parse_json, write_text
from kibitz.games import Game
from kibitz.games.stakes import Stake, win_rate
from kibitz.parallel import Executor
from kibitz.progress import Progress, silent
from kibitz.statistics import Estimate, Moments, merge

Pair = tuple[str, str]  # two agents by name; the first one's result counts


class Plan(NamedTuple):
    """How much is played: duplicate deals of each pair, how many at a time, and from which seed."""

    game: Game
    deals: int
    piece: int
    seed: int

    @property
    def lengths(self) -> list[int]:
        """Deals of each piece."""
        return [min(self.piece, self.deals - start) for start in range(0, self.deals, self.piece)]


class Journal:
    """The finished pieces, one line each; a last line that was cut off is played again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[tuple[str, str, int], Moments] = {}
        if path.exists():
            whole = path.read_text()[: path.read_text().rfind("\n") + 1]
            write_text(path, whole)
            for line in whole.splitlines():
                one, other, number, *sums = parse_json(line)
                self._done[one, other, number] = Moments(*sums)

    def __contains__(self, key: tuple[str, str, int]) -> bool:
        return key in self._done

    def add(self, key: tuple[str, str, int], moments: Moments) -> None:
        """Write down a piece."""
        self._done[key] = moments
        with self._path.open("a") as out:
            out.write(json.dumps([*key, moments.count, moments.total, moments.squares]) + "\n")

    def total(self, pair: Pair, pieces: int) -> Moments:
        """All pieces of a pair."""
        return merge(self._done[*pair, number] for number in range(pieces))


def play_pairs(
    plan: Plan,
    agents: Mapping[str, str],
    pairs: Iterable[Pair],
    executor: Executor,
    journal: Journal,
    tell: Progress = silent,
) -> dict[Pair, Estimate]:
    """What the first of each pair wins, mbb/hand; what is in the journal is not played again.

    agents   what each name stands for, as `load_agent` takes it
    """
    wanted, lengths = list(dict.fromkeys(pairs)), plan.lengths
    keys = [(*pair, number) for pair in wanted for number in range(len(lengths))]
    missing = [key for key in keys if key not in journal]
    tasks = (
        DuplicateMatch(plan.game, (agents[one], agents[other]), lengths[number], plan.seed, number)
        for one, other, number in missing
    )
    for done, (key, moments) in enumerate(zip(missing, executor.map(play_duplicate, tasks), strict=True), 1):
        journal.add(key, moments[0])
        tell("matches", len(keys) - len(missing) + done, len(keys))
    stake, hands = Stake.of(plan.game), hands_per_deal(plan.game.players)
    return {pair: win_rate(journal.total(pair, len(lengths)), stake, hands) for pair in wanted}
