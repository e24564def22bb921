"""Hands of limit hold'em as arrays, from logs of any format or simulated: what an opponent model is fitted to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.errors import FormatError, GameError, KibitzError
from kibitz.games import Deal, Game, State
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io.hand_check import check_fully, returns_by_rules
from kibitz.io.logs import list_files, read_file
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.learning.records import MOST_DECISIONS, SEATS
from kibitz.learning.states import LETTERS, action_numbers
from kibitz.learning.tables import TableRules, rules_of

Integers = npt.NDArray[np.int64]
HIDDEN, SHOWN, MUCKED = 0, 1, 2  # of hole cards; mucked ones were seen by nobody, though their owner went to a showdown
UNKNOWN = 255  # in place of a card that was not seen
BLOCK = 120  # deals of a match in the thesis (Sweeney 2012, section 6.5)
FEWEST = 5  # matches that can be divided as wholes
PARTS = 50  # that fewer matches are cut into
Thing = TypeVar("Thing", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Hands:
    """Some hands, n in all. Seats are positions: 0 is the first after the button."""

    players: Integers  # [n], how many
    cards: npt.NDArray[np.uint8]  # [n, 25], hole cards, two a seat, and the board from 20 on; UNKNOWN where not seen
    seen: npt.NDArray[np.uint8]  # [n, 10], HIDDEN, SHOWN or MUCKED by seat
    begins: Integers  # [n + 1], where the actions of a hand begin
    actions: Integers  # 0 fold, 1 call or check, 2 bet or raise
    active: Integers  # [n], mask of the seats that did not fold
    matches: Integers  # [n], number of the match, which is the file that it stands in
    names: Integers  # [n, 10], number of the player at a seat in `name_list`, -1 for nobody
    rule_numbers: Integers  # [n], which of the rules
    rules: tuple[TableRules, ...]  # different ones among the hands
    name_list: tuple[str, ...]
    sources: tuple[str, ...]  # where each stands

    def __len__(self) -> int:
        return len(self.players)

    @property
    def decisions(self) -> int:
        """The number of actions in all hands."""
        return len(self.actions)

    def actions_of(self, hand: int) -> Integers:
        """The actions of a hand in order."""
        return self.actions[self.begins[hand] : self.begins[hand + 1]]


class Hand(NamedTuple):
    """A hand that can be used, by its rules; folded is a mask of seats."""

    record: HandRecord
    rules: TableRules
    folded: int


def read_hands(logs: Iterable[Path], game: Game | None = None, skip_bad: bool = False) -> tuple[Hands, list[Refusal]]:
    """The hands of `logs` (files, archives, folders) in their order, and those that were passed over.

    game   of ACPC logs that do not name theirs
    A hand that breaks the rules, or that is not limit hold'em without antes and all-ins, is an error that names file
    and deal; with `skip_bad` it is passed over.
    """
    found: list[Hand] = []
    broken: list[Refusal] = []
    known: dict[Game, TableRules | str] = {}
    for event in (event for file in list_files(logs) for event in read_file(file, game)):
        read = _check(event, known) if isinstance(event, HandRecord) else event
        if isinstance(read, Hand):
            found.append(read)
        elif not skip_bad:
            raise FormatError(f"{read}; skip broken hands to use the rest", settings=("skip_bad",))
        else:
            broken.append(Refusal("", read.source, read.text) if isinstance(read, Note) else read)
    if not found:
        first = f": the first is {broken[0]}" if broken else ""
        raise KibitzError(f"no hand of limit hold'em in these logs, {len(broken):,} cannot be used{first}")
    return gather(found), broken


def _check(record: HandRecord, known: dict[Game, TableRules | str]) -> Hand | Refusal:
    """A record as a hand that can be used, or why it cannot."""
    game = record.game
    if game not in known:
        known[game] = _rules(game)
    rules = known[game]
    if isinstance(rules, str):
        return Refusal(record.hand, record.source, rules)
    checked = check_fully(record)
    if checked.refusal:
        return checked.refusal
    state, raises, most = checked.state, max(rules.cap - 1, 0), min(MOST_DECISIONS, rules.decision_cap)
    board, needed, actions = len(record.deal.board), game.board_ends[state.round], len(record.history.replace("/", ""))
    reason = ""
    if any(chips >= stack for chips, stack in zip(state.spent, game.stacks, strict=True)):
        reason = "a player is all-in: the model knows no stacks"
    elif board < needed:
        reason = f"{board} board cards after {record.history}: {needed} are needed"
    elif record.history.partition("/")[0].count("r") > raises and not rules.uncapped_heads_up:
        reason = f"more than {raises} raises before the flop, where the big blind is the first of {rules.cap} bets"
    elif actions > most:
        reason = f"{actions:,} actions: at most {most:,} are followed"
    return Refusal(record.hand, record.source, reason) if reason else Hand(record, rules, state.folded)


def _rules(game: Game) -> TableRules | str:
    """The rules of the table, or why its hands cannot be used. Stacks and short all-ins come later, hand by hand."""
    if game.betting != "limit":
        return "a no-limit hand: the model knows fold, call and one size of raise, and cannot say how much was bet"
    try:
        # Rooms say no cap of their first round apart: its big blind counts as a bet here.
        raises = (max(game.max_raises[1] - 1, 0), *game.max_raises[1:])
        return rules_of(replace(game, stacks=(UNLIMITED_STACK,) * game.players, rules="acpc", max_raises=raises))
    except GameError as error:
        return str(error)


def gather(found: Sequence[Hand]) -> Hands:
    """Hands as arrays."""
    records = [each.record for each in found]
    players = np.array([record.game.players for record in records], dtype=np.int64)
    cards = np.full((len(found), 2 * SEATS + 5), UNKNOWN, dtype=np.uint8)
    seen = np.full((len(found), SEATS), HIDDEN, dtype=np.uint8)
    for i, record in enumerate(records):
        hole, board = record.deal
        cards[i, 2 * SEATS : 2 * SEATS + len(board)] = board
        for seat, pair in enumerate(hole):
            if pair:
                cards[i, 2 * seat : 2 * seat + 2], seen[i, seat] = pair, SHOWN
        if isinstance(mucked := record.extra.get("mucked"), tuple):
            for seat in mucked:  # also where the file discloses the cards later: the table did not see them
                cards[i, 2 * seat : 2 * seat + 2], seen[i, seat] = UNKNOWN, MUCKED
    names = np.full((len(found), SEATS), -1, dtype=np.int64)
    names[np.arange(SEATS) < players[:, None]], name_list = _numbered(name for each in records for name in each.players)
    actions = [action_numbers(record.history) for record in records]
    begins = np.cumsum([0, *map(len, actions)], dtype=np.int64)
    active = (1 << players) - 1 & ~np.array([each.folded for each in found])
    matches, _ = _numbered(record.source.rpartition(":")[0] or record.source for record in records)
    rule_numbers, rules = _numbered(each.rules for each in found)
    sources = tuple(record.source for record in records)
    return Hands(
        players, cards, seen, begins, np.concatenate(actions), active, matches, names, rule_numbers, rules, name_list,
        sources,
    )  # fmt: skip


def _numbered(things: Iterable[Thing]) -> tuple[Integers, tuple[Thing, ...]]:
    """The number of each, and what they are."""
    numbers: dict[Thing, int] = {}
    return np.array([numbers.setdefault(each, len(numbers)) for each in things], dtype=np.int64), tuple(numbers)


def to_records(hands: Hands, numbers: Iterable[int] | None = None) -> Iterator[HandRecord]:
    """Some hands, all unless given, as records that every writer of `kibitz.io` takes.

    Results follow from the rules, and are None where cards are hidden that they depend on.
    """
    games: dict[tuple[int, int], Game] = {}
    for number in range(len(hands)) if numbers is None else numbers:
        players, rules = int(hands.players[number]), int(hands.rule_numbers[number])
        if (players, rules) not in games:
            games[players, rules] = hands.rules[rules].game(players)
        game = games[players, rules]
        state = State.start(game).play("".join(LETTERS[action] for action in hands.actions_of(number)))
        cards, seen = hands.cards[number].tolist(), hands.seen[number]
        hole = tuple(tuple(cards[2 * p : 2 * p + 2]) if seen[p] == SHOWN else () for p in range(players))
        deal = Deal(hole, tuple(cards[2 * SEATS : 2 * SEATS + game.board_ends[state.round]]))
        names = tuple(hands.name_list[name] for name in hands.names[number, :players])
        record = HandRecord(game, str(number), state.history, deal, names, source=hands.sources[number])
        yield record._replace(returns=returns_by_rules(record))


def hide_folded(hands: Hands) -> Hands:
    """The same hands as a table sees them: hole cards are known only if they came to a showdown."""
    cards, seen = hands.cards.copy(), hands.seen.copy()
    showdown = (hands.active & (hands.active - 1)) != 0
    for seat in range(SEATS):
        gone = ~(showdown & (hands.active >> seat & 1 == 1)) & (seen[:, seat] == SHOWN)
        seen[gone, seat] = HIDDEN
        cards[gone, 2 * seat : 2 * seat + 2] = UNKNOWN
    return replace(hands, cards=cards, seen=seen)


class Parts(NamedTuple):
    """Numbers of the hands to fit to and of those held out; `unit` says what was kept together."""

    fitted: Integers
    held_out: Integers
    unit: str


def split(hands: Hands, share: float, seed: int) -> Parts:
    """Hold out a share of the matches, drawn with `seed`: deals of one match have the same players.

    Fewer than five matches are cut into blocks of consecutive deals first: 120, or a fiftieth of all if that is less.
    """
    if not 0 < share < 1:
        raise KibitzError(
            f"a share {share:g} of matches to hold out: a number between 0 and 1 is needed", settings=("hold_out",)
        )
    units, unit = keep_together(hands)
    found = np.unique(units)
    count = min(max(round(share * len(found)), 1), len(found) - 1)
    if count < 1:
        raise KibitzError(f"{len(hands)} hands: two or more are needed, one of them to hold out")
    drawn = np.random.Generator(np.random.PCG64(seed)).permutation(found)[:count]
    out = np.isin(units, drawn)
    return Parts(np.flatnonzero(~out), np.flatnonzero(out), unit)


def keep_together(hands: Hands) -> tuple[Integers, str]:
    """Which hands are not independent, as int64[n], and what they are called: matches, or blocks of deals."""
    if len(np.unique(hands.matches)) >= FEWEST:
        return hands.matches, "matches"
    size = max(1, min(BLOCK, len(hands) // PARTS))
    inside = np.arange(len(hands)) - np.searchsorted(hands.matches, hands.matches)  # those of a match stand together
    return hands.matches * len(hands) + inside // size, f"blocks of {size} deals"
