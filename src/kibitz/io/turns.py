"""Whose turn it is while a hand is read or written.

Records of card rooms name the player of every action and count bets street by street; ACPC betting text does neither.
`Turns` follows the turns so that an action told of the wrong player is caught, and knows what was bet in earlier
rounds. Whether the actions are legal is not its business: `kibitz.io.hand_check` asks that of the finished record.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.errors import FormatError
from kibitz.games import Game


class Turns:
    """The betting of one hand, action by action.

    limits          most chips each player can bet over the whole hand (stack less ante)
    posted          blinds as posted
    bet             what has to be matched at first
    first_players   who opens each round
    """

    def __init__(self, limits: Sequence[float], posted: Sequence[int], bet: int, first_players: Sequence[int]) -> None:
        self.limits = limits
        self.first_players = first_players
        self.spent = list(posted)  # chips of each player over the whole hand, antes left out
        self.bet = bet  # over the whole hand, as `spent`
        self.level = 0  # what was bet in the rounds before this one
        self.round = 0
        self.folded: set[int] = set()
        self.last_raiser = -1  # of this round
        self._asks_all = False  # before the flop, even where there is nothing to decide
        self._waiting: list[int] = []  # who has to act before the round is over, in turn
        self._open()

    @classmethod
    def of(cls, game: Game) -> Turns:
        """The betting of `game` before anybody acts."""
        limits = [max(stack - ante, 0) for stack, ante in zip(game.stacks, game.antes, strict=True)]
        posted = [*map(min, game.blinds, limits)]
        # As in State: at a TDA table a short blind does not lower the price of calling it; the ACPC's dealer also asks
        # a player whose opponents are all all-in by their blinds.
        made = cls(limits, posted, max(game.blinds if game.rules == "tda" else posted), game.first_players)
        if game.rules == "acpc":
            made._asks_all = True
            made._open()
        return made

    @property
    def turn(self) -> int:
        """The player to act, -1 when nobody is."""
        return self._waiting[0] if self._waiting else -1

    @property
    def is_formality(self) -> bool:
        """Whether the player to act has nothing to decide: he has matched hands that are all-in for his blind or less.

        The ACPC's dealer asks him, card rooms and PHH do not.
        """
        return self._asks_all and self.turn >= 0 and self.spent[self.turn] >= self.bet and len(self._able_from(0)) == 1

    @property
    def live(self) -> list[int]:
        """The players who have not folded."""
        return [player for player in range(len(self.spent)) if player not in self.folded]

    @property
    def showdown(self) -> bool:
        """Whether the betting of the hand is over with two or more hands left to compare."""
        if len(self.live) < 2:
            return False
        able = self._able_from(0)
        if len(able) < 2:  # one player against all-in hands has nothing to decide once he has matched them
            return all(self.spent[player] >= self.bet for player in able)
        return not self._waiting and self.round + 1 == len(self.first_players)

    def fold(self, player: int) -> None:
        """`player` gives up."""
        self._take_turn(player)
        self.folded.add(player)
        if len(self.folded) + 1 == len(self.spent):
            self._waiting = []

    def call(self, player: int) -> None:
        """`player` checks or calls, with everything left if that is less."""
        self._take_turn(player)
        self.spent[player] = max(self.spent[player], int(min(self.bet, self.limits[player])))

    def raise_to(self, player: int, chips: int) -> None:
        """`player` bets or raises to `chips`, counted over the whole hand."""
        self._take_turn(player)
        self.spent[player] = chips
        self.bet = max(self.bet, chips)
        self.last_raiser = player
        self._waiting = self._able_from(player + 1, player)

    def deal(self) -> None:
        """The next round begins."""
        if self.round + 1 == len(self.first_players):
            raise FormatError(f"a board card after the last of {len(self.first_players)} rounds")
        self.round += 1
        self.level = self.bet
        self.last_raiser = -1
        self._open()

    def matched(self) -> list[int]:
        """Chips of every player in the pots: the part of the largest bet that nobody matched goes back."""
        second = sorted(self.spent)[-2]
        return [min(chips, second) for chips in self.spent]

    def _open(self) -> None:
        self._waiting = self._able_from(self.first_players[self.round])
        asked = self._asks_all and self.round == 0
        if len(self._waiting) == 1 and self.spent[self._waiting[0]] >= self.bet and not asked:
            self._waiting = []  # the others are all-in

    def _able_from(self, first: int, without: int = -1) -> list[int]:
        """Those who can still act, from `first` round the table."""
        players = len(self.spent)
        order = [(first + step) % players for step in range(players)]
        return [p for p in order if p != without and p not in self.folded and self.spent[p] < self.limits[p]]

    def check_turn(self, player: int) -> None:
        """Refuse an action of anybody but the player to act."""
        if self.turn != player:
            whose = f"it is the turn of player {self.turn + 1}" if self._waiting else "nobody is to act"
            raise FormatError(f"player {player + 1} acts in round {self.round + 1}, where {whose}")

    def _take_turn(self, player: int) -> None:
        self.check_turn(player)
        del self._waiting[0]
