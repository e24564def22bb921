"""Whether the actions of a hand are legal at the table that PHH means: a card room, as PokerKit plays it.

The ACPC's dealer allows what card rooms refuse: after a short all-in everybody may raise again, and the smallest raise
stays where it was. Other games let other players open. PHH has no field for such rules, so other programs would refuse
the hand.
"""

from __future__ import annotations

from kibitz.errors import FormatError
from kibitz.games import Game
from kibitz.io.betting import Betting
from kibitz.io.phh.actions import STEP, parse_actions
from kibitz.io.phh.games import to_chips
from kibitz.io.phh.writing import action_strings, told_game
from kibitz.io.record import HandRecord

MOST_LIMIT_RAISES = 4  # in a round; PHH does not say how many there may be, PokerKit allows these


class CardRoom:
    """The betting of a hand by the rules of card rooms; an action that they refuse raises `FormatError`.

    game   as the fields of PHH tell it, without what Kibitz adds
    """

    def __init__(self, game: Game) -> None:
        posted = [*map(min, game.blinds, game.limits)]
        self._game = game
        self._table = Betting(game.limits, posted, max(posted), game.first_players)
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
