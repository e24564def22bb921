"""Writing PHH: a hand record as the fields of a file, and whether card rooms could have played it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from kibitz.cards import format_cards
from kibitz.errors import FormatError
from kibitz.games import Deal, Game
from kibitz.games.game import UNLIMITED_STACK
from kibitz.io.phh.actions import BOARD_ENDS, HIDDEN, HOLE_CARDS, STEP, deal_of, history_of, parse_actions
from kibitz.io.phh.games import OWN_FIELD, Amount, make_game, own_settings, to_chips
from kibitz.io.phh.toml import format_toml
from kibitz.io.record import HandRecord
from kibitz.io.turns import Turns

OPTIONAL_FIELDS = (  # in the order in which the standard lists them, which is how files have them
    *("author", "event", "url", "venue", "address", "city", "region", "postal_code", "country"),
    *("time", "time_zone", "time_zone_abbreviation", "day", "month", "year", "hand", "level", "seats", "seat_count"),
    *("table", "players", "finishing_stacks", "winnings", "currency", "currency_symbol", "time_limit", "time_banks"),
)
_NOT_WRITTEN = ("actions", "mucked", "blinds_or_straddles")  # of `extra`: other fields say these
_STEP = re.compile(r"[fc/]|r\d*")
_PLACES = {1: 0, 100: 2, 10**4: 4, 10**6: 6}
MOST_LIMIT_RAISES = 4  # in a round; PHH does not say how many there may be, PokerKit allows these


def default_names(players: int) -> tuple[str, ...]:
    """Names where the file has none: p1, p2, ..."""
    return tuple([f"p{player + 1}" for player in range(players)])


def write_phh(record: HandRecord) -> str:
    """The text of a `.phh` file with `record`."""
    return format_toml(fields_of(record))


def write_phhs(records: Iterable[HandRecord]) -> str:
    """The text of a `.phhs` file with `records`, numbered from 1."""
    return "\n".join([f"[{number}]\n{write_phh(record)}" for number, record in enumerate(records, 1)])


def fields_of(record: HandRecord) -> dict[str, object]:
    """The PHH fields of `record`, in order."""
    game, scale = record.game, round(1 / record.chip)

    def amount(chips: float) -> Amount | float:
        return _amount(chips, scale)

    antes = game.antes[::-1] if game.players == 2 else game.antes
    stacks = [Decimal("inf") if stack == UNLIMITED_STACK else amount(stack) for stack in game.stacks]
    fields: dict[str, object] = {
        "variant": _variant(game),
        "ante_trimming_status": game.ante_trimming,
        "antes": [amount(ante) for ante in antes],
        "blinds_or_straddles": blinds_of(record),
    }
    fields |= {name: amount(chips) for name, chips in _bets(game).items()}
    fields["starting_stacks"] = stacks
    settings = own_settings(game, told_game(record))
    fields["actions"] = action_strings(record)
    fields |= _details(record, amount)
    if settings:
        fields[OWN_FIELD] = settings
    return fields


def _variant(game: Game) -> str:
    return "FT" if game.betting == "limit" else "NT"


def _bets(game: Game) -> dict[str, int]:
    """The fields that say how much is bet, in chips."""
    if game.betting == "limit":
        return {"small_bet": game.raise_sizes[0], "big_bet": game.raise_sizes[-1]}
    return {"min_bet": game.smallest_bet}


def told_game(record: HandRecord) -> Game:
    """The game as the fields of PHH say it, to those who do not know ours."""
    game, scale = record.game, round(1 / record.chip)
    return make_game(
        _variant(game),
        game.antes[::-1] if game.players == 2 else game.antes,
        tuple(to_chips(blind, scale) for blind in blinds_of(record)),
        tuple(_bets(game).values()),
        game.stacks,
        game.ante_trimming,
    )


def _amount(chips: float, scale: int) -> Amount | float:
    """A number of chips in the unit of the file, with as many decimal places as make it be read as the same chips."""
    unit = max(unit for unit in _PLACES if scale % unit == 0)
    places = _PLACES[unit]
    if chips == int(chips):
        whole, rest = divmod(int(chips), scale)
        if not rest and not places:
            return whole
        value = Decimal(int(chips)) / scale
        if value == round(value, places):
            return round(value, places)
    return float(chips) / scale


def blinds_of(record: HandRecord) -> list[Amount]:
    """The blinds in PHH's order: heads-up the small one first, though p1 posts the big one; late ones are negative."""
    scale = round(1 / record.chip)
    blinds = record.game.blinds[::-1] if record.game.players == 2 else record.game.blinds
    written = [_amount(blind, scale) for blind in blinds]
    late = record.extra.get("blinds_or_straddles")
    if isinstance(late, tuple) and len(late) == len(written):
        written = [-value if old < 0 and -old == value else value for value, old in zip(written, late, strict=True)]
    else:
        written = [-value if player in _late(record.game) else value for player, value in enumerate(written)]
    return written  # type: ignore[return-value]


def _late(game: Game) -> set[int]:
    """Who posts a blind and yet does not make the player after him open, as do those who come back to a table."""
    if game.players == 2:
        return set()
    big = game.first_players[0] - 1  # -1 is the last player
    behind = [(game.blinds[player], player) for player in range(game.players)]
    return {player for chips, player in behind if chips and (chips, player) > behind[big] and behind[big][0]}


def _details(record: HandRecord, amount: Callable[[float], Amount | float]) -> dict[str, object]:
    """The optional fields, then the user's own."""
    game = record.game
    details = {key: value for key, value in record.extra.items() if key not in _NOT_WRITTEN}
    if record.hand:
        details.setdefault("hand", int(record.hand) if re.fullmatch("0|[1-9][0-9]{0,17}", record.hand) else record.hand)
    if record.players != default_names(game.players):
        details["players"] = record.players
    if record.returns is not None:
        if UNLIMITED_STACK not in game.stacks:
            details["finishing_stacks"] = [
                amount(stack + net) for stack, net in zip(game.stacks, record.returns, strict=True)
            ]
        elif "winnings" not in details:
            details["winnings"] = [amount(chips) for chips in _winnings(record, record.returns)]
    ordered = {key: details[key] for key in OPTIONAL_FIELDS if key in details}
    if not isinstance(ordered.get("time"), datetime.time):
        ordered.pop("time", None)  # other formats keep other things under this name
    own = {key if key.startswith("_") else f"_{key}": value for key, value in details.items() if key not in ordered}
    return ordered | own


def _winnings(record: HandRecord, returns: Sequence[float]) -> list[float]:
    """Chips taken from the pots: net result plus what was put in."""
    table = Turns.of(record.game)
    for step in _STEP.findall(record.history):
        _apply(table, step, record.game)
    antes = map(min, record.game.antes, record.game.stacks)
    return [net + chips + ante for net, chips, ante in zip(returns, table.matched(), antes, strict=True)]


def action_strings(record: HandRecord) -> Sequence[str]:
    """The strings the record came with, if they still tell its hand, or new ones."""
    game, scale = record.game, round(1 / record.chip)
    strings = record.extra.get("actions")
    if isinstance(strings, Sequence):
        try:
            actions = parse_actions(strings, game.players)
            sizes = [to_chips(size, scale) for size in actions.amounts]
            if history_of(game, actions.betting, sizes) == record.history and deal_of(actions) == record.deal:
                return tuple(strings)
        except FormatError:
            pass  # the strings were of another hand
    mucked = record.extra.get("mucked", ())
    shy = mucked if isinstance(mucked, tuple) else ()
    return format_actions(game, record.history, record.deal, shy, lambda chips: str(_amount(chips, scale)))


def format_actions(
    game: Game, history: str, deal: Deal, mucked: Sequence[int], amount: Callable[[int], str]
) -> list[str]:
    """The action strings of a hand; `amount` writes a number of chips.

    Hands are shown as soon as the betting is over, before the rest of the board comes.
    """
    table = Turns.of(game)
    hole = deal.hole or ((),) * game.players
    strings = [f"d dh p{p + 1} {format_cards(cards) or HIDDEN * HOLE_CARDS}" for p, cards in enumerate(hole)]
    shown = False
    for step in _STEP.findall(history):
        if step == "/":
            if table.showdown and not shown:
                strings += _showdown(table, hole, mucked)
                shown = True
            start, end = BOARD_ENDS[table.round : table.round + 2]
            known = format_cards(deal.board[start:end])
            strings.append(f"d db {known}{HIDDEN * (end - start - len(known) // 2)}")
            table.deal()
            continue
        string, level, formality = f"p{table.turn + 1} ", table.level, table.is_formality
        _apply(table, step, game)
        if formality and step == "c":
            continue
        if step in "fc":
            strings.append(string + ("f" if step == "f" else "cc"))
        else:
            strings.append(f"{string}cbr {amount(table.bet - level)}")
    if table.showdown and not shown:
        strings += _showdown(table, hole, mucked)
    return strings


def _apply(table: Turns, step: str, game: Game) -> None:
    """Do one step of ACPC betting text."""
    player = table.turn
    if step == "/":
        table.deal()
    elif player < 0:
        raise FormatError(f"{step!r} where nobody is to act, in round {table.round + 1}")
    elif step == "f":
        table.fold(player)
    elif step == "c":
        table.call(player)
    elif (game.betting == "limit") != (step == "r"):
        raise FormatError(f"{step!r} in a {game.betting} game: raises are r in limit and r<chips> in no-limit games")
    elif game.betting == "limit":
        chips = min(table.bet + game.raise_sizes[table.round], int(table.limits[player]))
        if chips <= table.bet:
            raise FormatError(f"player {player + 1} raises to {chips} over a bet of {table.bet}, as only the ACPC can")
        table.raise_to(player, chips)
    else:
        table.raise_to(player, int(step[1:]))


def _showdown(table: Turns, hole: Sequence[tuple[int, ...]], mucked: Sequence[int]) -> list[str]:
    """Who shows what, from the player who bet last in this round, else from the first."""
    first = max(table.last_raiser, 0)
    players = len(hole)
    order = sorted(table.live, key=lambda player: (player - first) % players)
    return [f"p{p + 1} sm{'' if p in mucked or not hole[p] else ' ' + format_cards(hole[p])}" for p in order]


class CardRoom:
    """The betting of a hand at the table that PHH means: a card room, as PokerKit plays it.

    The ACPC's dealer allows what card rooms refuse, for which this raises `FormatError`: after a short all-in everybody
    may raise again, and the smallest raise stays where it was. Other games let other players open. PHH has no field for
    such rules, so other programs would refuse the hand.

    game   as the fields of PHH tell it, without what Kibitz adds
    """

    def __init__(self, game: Game) -> None:
        posted = [*map(min, game.blinds, game.limits)]
        self._game = game
        self._table = Turns(game.limits, posted, max(posted), game.first_players)
        self._begin_round()

    def _begin_round(self) -> None:
        self._full = 0  # chips that the largest raise of the round has added
        self._raises = 0
        self._acted: set[int] = set()  # since the last full raise
        self._short = 0  # chips that all-ins have added since the last raise that was none

    def act(self, player: int, verb: str, size: int) -> None:
        """Do an action of `player`: "f", "c", or "r" to `size` chips, counted from the start of the round."""
        table = self._table
        if table.turn != player:
            raise FormatError("an order of turns that card rooms do not have")
        if verb == "r":
            self._raise_to(player, table.level + size)
            return
        (table.fold if verb == "f" else table.call)(player)
        self._acted.add(player)

    def _raise_to(self, player: int, size: int) -> None:
        table, game = self._table, self._game
        limit = table.limits[player]
        facing = min(limit, table.bet) - table.spent[player]
        if facing < self._full or (0 < self._short < self._full and player in self._acted):
            raise FormatError("a raise by a player who has acted and faces only a short all-in")
        if game.betting == "limit" and self._raises == MOST_LIMIT_RAISES:
            raise FormatError(f"more than {MOST_LIMIT_RAISES} raises in a round")
        others = (other for other in table.live if other != player)
        if limit <= table.bet or not any(table.limits[other] > table.bet for other in others):
            raise FormatError("a raise that nobody could answer")
        least = game.raise_sizes[table.round] if game.betting == "limit" else game.smallest_bet
        smallest = min(limit, table.bet + max(self._full, least))
        if size < smallest:
            raise FormatError("a raise by less than the last full raise")
        if game.betting == "limit" and size > smallest:
            raise FormatError("a raise by more than the small or big bet of its round")
        added = size - table.bet
        if added >= self._full:
            self._acted.clear()
        self._acted.add(player)
        self._full = max(self._full, added)
        self._raises += 1
        self._short = self._short + added if size == limit else 0
        if self._short >= self._full:
            self._short = 0
        table.raise_to(player, size)

    def deal(self) -> None:
        """The next round begins."""
        self._table.deal()
        self._begin_round()


def refusal_of(record: HandRecord) -> str:
    """Why card rooms refuse the betting of `record` as PHH tells it; "" if they do not.

    Hands by the rules `tda` come from card rooms, and are not asked again: PokerKit knows fewer rules than they do.
    Those of PHH files stay as they are.
    """
    told, strings = told_game(record), action_strings(record)
    by_room = record.game.rules == "tda" and record.game.first_players == told.first_players
    if by_room or strings == record.extra.get("actions"):
        return ""
    if not any((*told.blinds, *told.antes)):
        return "a game without blinds and antes"
    room = CardRoom(told)
    actions = parse_actions(strings, record.game.players)
    sizes = iter(actions.amounts)
    try:
        for player, verb in STEP.findall(actions.betting):
            if verb:
                size = to_chips(next(sizes), round(1 / record.chip)) if verb == "r" else 0
                room.act(int(player) - 1, verb, size)
            else:
                room.deal()
    except FormatError as error:
        return str(error)
    return ""
