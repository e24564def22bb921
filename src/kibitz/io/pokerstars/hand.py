"""From what the lines of a PokerStars hand say to a hand record."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from kibitz.errors import FormatError
from kibitz.games import Deal, Game
from kibitz.io.phh.games import make_game
from kibitz.io.record import HandRecord
from kibitz.io.turns import Turns


class Header(NamedTuple):
    """What the first line of a hand says."""

    hand: str
    limit: bool
    stakes: tuple[Decimal, Decimal]  # the blinds, in limit games the bets
    scale: int  # chips to one unit of money
    cap: Decimal | None  # the most that a player can lose in a hand, in games that have one
    details: dict[str, object]  # under the names PHH gives them, where it has any


class Action(NamedTuple):
    """One line of the betting; no player stands for the dealer."""

    line: int
    player: str
    verb: str  # folds, check, calls, bets, raises or deals
    chips: int = 0  # added by calls and bets; what the street comes to for raises
    all_in: bool = False


NO_HEADER = Header("", False, (Decimal(0), Decimal(0)), 1, None, {})


@dataclass
class Hand:
    """What the lines read so far say. Players go by their names, amounts are in chips."""

    line: int  # being read
    header: Header = NO_HEADER
    button: int = 0
    seats: dict[str, int] = field(default_factory=dict)
    stacks: dict[str, int] = field(default_factory=dict)
    antes: dict[str, int] = field(default_factory=dict)
    dead: dict[str, int] = field(default_factory=dict)  # blinds that are no part of a bet
    blinds: dict[str, int] = field(default_factory=dict)
    small_blind: str = ""
    big_blind: str = ""
    late: set[str] = field(default_factory=set)  # who posts a blind out of turn
    actions: list[Action] = field(default_factory=list)
    hole: dict[str, tuple[int, ...]] = field(default_factory=dict)
    board: tuple[int, ...] = ()
    uncalled: dict[str, int] = field(default_factory=dict)
    collected: dict[str, int] = field(default_factory=dict)
    cashed_out: dict[str, int] = field(default_factory=dict)
    mucked: list[str] = field(default_factory=list)
    rake: int | None = None
    over: bool = False  # the summary has begun
    details: dict[str, object] = field(default_factory=dict)

    def chips(self, text: str) -> int:
        """The amount written `text`, in chips."""
        chips = parse_number(text) * self.header.scale
        if chips != int(chips):
            raise FormatError(f"{text} is no whole number of chips")
        return int(chips)

    def sit(self, player: str, seat: int, chips: int) -> None:
        """Note a player; what he has beyond the cap of the game is out of play."""
        cap = self.header.cap
        self.seats[player] = seat
        self.stacks[player] = chips if cap is None else min(chips, int(cap * self.header.scale))

    def act(self, player: str, verb: str, chips: int = 0, all_in: bool = False) -> None:
        """Note a line of the betting."""
        self.actions.append(Action(self.line, player, verb, chips, all_in))

    def post(self, player: str, what: str, chips: int, all_in: bool) -> None:
        """Note an ante or a blind."""
        small, big = blinds_of(self.header)
        if what == "the ante":
            self.antes[player] = chips
        elif what == "straddle":
            self.blinds[player] = chips
        elif what == "small blind":
            if self.small_blind:
                self.dead[player] = chips
            else:
                self.small_blind = player
                self.blinds[player] = max(small, chips) if all_in else chips  # the stack caps it when it is played
        else:
            both = what == "small & big blinds"
            if self.big_blind or both:
                self.late.add(player)
            else:
                self.big_blind = player
            if dead := self.blinds.get(player, 0) + (max(chips - big, 0) if both else 0):
                self.dead[player] = dead
            self.blinds[player] = big if all_in or both else chips


def parse_number(text: str) -> Decimal:
    """The number written `text`, commas between thousands left out."""
    return Decimal(text.replace(",", ""))


def blinds_of(header: Header) -> tuple[int, int]:
    """Small and big blind in chips; limit games are named by their bets, of which the smaller is the big blind."""
    first, second = (int(stake * header.scale) for stake in header.stakes)
    return (first // 2, first) if header.limit else (first, second)


def make_record(hand: Hand, source: str) -> HandRecord:
    """The record of a hand that has been read to its end."""
    names = _positions(hand)
    game = _make_game(hand, names)
    history, table = _play(hand, names, game)
    header = hand.header
    extra = header.details | hand.details | {"seats": tuple(hand.seats[name] for name in names)}
    if hand.rake is not None:
        extra["rake"] = hand.rake
    if mucked := tuple(names.index(name) for name in hand.mucked if name in names):
        extra["mucked"] = mucked
    if hand.cashed_out:
        extra["cashed_out"] = hand.cashed_out
    deal = Deal(tuple(hand.hole.get(name, ()) for name in names), hand.board)
    _check_cards(deal)
    returns = _returns(hand, names, game, table)
    return HandRecord(game, header.hand, history, deal, names, returns, 1 / header.scale, source, extra)


def _positions(hand: Hand) -> tuple[str, ...]:
    """The players of the hand, first after the button first; those who sit out neither post nor act."""
    active = {action.player for action in hand.actions}
    active.update(hand.antes, hand.dead, hand.blinds, hand.collected)
    names = [name for name in hand.seats if name in active]
    highest = max(hand.seats.values(), default=0)
    if len(names) < 2 or not hand.button:
        raise FormatError(f"{len(names)} of {len(hand.seats)} seats are in the hand, the button is {hand.button}")
    if len({hand.seats[name] for name in names}) != len(names):
        raise FormatError("two players have the same seat")
    # Seats after the button first, the button's own seat last.
    return tuple(sorted(names, key=lambda name: (hand.seats[name] - hand.button - 1) % max(highest, hand.button)))


def _make_game(hand: Hand, names: tuple[str, ...]) -> Game:
    header = hand.header
    ante = max(hand.antes.values(), default=0)
    # Whoever posts less of the ante than the others has no more.
    antes = [(ante if name in hand.antes else 0) + hand.dead.get(name, 0) for name in names]
    blinds = [hand.blinds.get(name, 0) * (-1 if name in hand.late else 1) for name in names]
    if len(names) == 2:  # as PHH lists them
        antes, blinds = antes[::-1], blinds[::-1]
    bets = tuple(int(stake * header.scale) for stake in header.stakes) if header.limit else blinds_of(header)[1:]
    stacks = tuple(hand.stacks[name] for name in names)
    # Antes of all make side pots like bets; a dead blind, or the ante of the big blind alone, is for everybody.
    trimming = len(set(antes)) == 1
    return make_game("FT" if header.limit else "NT", tuple(antes), tuple(blinds), bets, stacks, trimming)


def _play(hand: Hand, names: tuple[str, ...], game: Game) -> tuple[str, Turns]:
    """ACPC betting text, every amount checked against the bets before it."""
    table = Turns.of(game)
    history = ""
    for action in hand.actions:
        hand.line = action.line
        if not action.player:
            table.deal()
            history += "/"
        else:
            history += _apply(table, action, names.index(action.player), game)
    return history, table


def _apply(table: Turns, action: Action, player: int, game: Game) -> str:
    table.check_turn(player)
    spent = table.spent[player]
    due = int(min(table.bet, table.limits[player]))
    if action.verb == "folds":
        table.fold(player)
        return "f"
    if action.verb in ("check", "calls"):
        # Who calls the last all-in adds no more than it can win, even if a blind was short.
        reach = max(table.limits[other] for other in table.live if other != player)
        if spent + action.chips not in (due, min(due, max(reach, spent))):
            raise FormatError(f"{action.player!r} adds {action.chips} chips where {due - spent} are to be called")
        table.call(player)
        text = "c"
    else:
        size = spent + action.chips if action.verb == "bets" else table.level + action.chips
        if game.betting == "limit":
            most = int(min(table.bet + game.raise_sizes[table.round], table.limits[player]))
            if size != most:
                raise FormatError(f"{action.player!r} raises to {size} chips in all; the limit makes it {most}")
            text = "r"
        else:
            text = f"r{size}"
        if size <= table.bet or size > table.limits[player]:
            most = int(table.limits[player])
            raise FormatError(f"{action.player!r} bets {size} chips in all, of {most}, where {table.bet} are bet")
        table.raise_to(player, size)
    if action.all_in and table.spent[player] != table.limits[player]:
        raise FormatError(f"{action.player!r} is all-in with {table.limits[player] - table.spent[player]} chips left")
    return text


def _check_cards(deal: Deal) -> None:
    cards = [*deal.board, *(card for hole in deal.hole for card in hole)]
    if len(set(cards)) != len(cards):
        raise FormatError("a card is dealt twice")
    if any(len(hole) not in (0, 2) for hole in deal.hole):
        raise FormatError("a player does not have two cards")


def _returns(hand: Hand, names: tuple[str, ...], game: Game, table: Turns) -> tuple[float, ...] | None:
    """Net chips, None if the text breaks off before anybody collects."""
    if not hand.collected:
        return None
    matched = table.matched()
    for name, chips, kept in zip(names, table.spent, matched, strict=True):
        if name in hand.uncalled and hand.uncalled[name] != chips - kept:
            raise FormatError(f"{name!r} gets {hand.uncalled[name]} chips back; {chips - kept} were not called")
    returns = tuple(
        hand.collected.get(name, 0) - chips - min(ante, stack)
        for name, chips, ante, stack in zip(names, matched, game.antes, game.stacks, strict=True)
    )
    if hand.rake is not None and sum(returns) + hand.rake and not hand.cashed_out:
        raise FormatError(f"the pot does not add up: results sum to {sum(returns)} chips, the rake is {hand.rake}")
    return returns
