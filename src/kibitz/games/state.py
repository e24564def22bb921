"""A hand of poker as a value: `apply` an action and get the next state.

>>> from kibitz.games import load_game
>>> state = State.start(load_game("holdem-nolimit-2p"))
>>> state.player, str(state.legal())
(1, 'f, c, r200..r20000')
>>> state = state.apply("r300").apply("c")
>>> state.history, state.round, state.spent
('r300c/', 1, (300, 300))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kibitz.errors import IllegalActionError, cut
from kibitz.evaluator import evaluate
from kibitz.games.deal import Deal, check_cards, format_deal
from kibitz.games.game import Game
from kibitz.games.pots import payoffs

# The C dealer keeps at most this many actions a round and refuses raises that could overflow it.
MAX_ACTIONS_PER_ROUND = 64
_MOST_SHOWN = 40  # characters of a state in its `repr`
_new = tuple.__new__  # makes named tuples in half the time that their own constructors take


@dataclass(frozen=True, slots=True)
class Legal:
    """What the player to act may do. Checking or calling is always possible.

    >>> "r250" in Legal(True, 200, 20000), "r100" in Legal(True, 200, 20000)
    (True, False)
    """

    fold: bool
    min_raise_to: int  # chips over the whole hand; 0 when no raise is possible
    max_raise_to: int
    limit: bool = False

    def __contains__(self, action: object) -> bool:
        if action == "c":
            return True
        if action == "f":
            return self.fold
        if not isinstance(action, str) or action[:1] != "r" or not self.max_raise_to:
            return False
        if self.limit:
            return action == "r"
        size = action[1:]
        # No signs, blanks or leading zeros: a text names one action in one way.
        return (
            size.isascii()
            and size.isdecimal()
            and size[0] != "0"
            and len(size) < 11
            and self.min_raise_to <= int(size) <= self.max_raise_to
        )

    def actions(self) -> Iterator[str]:
        """Every legal action, every no-limit size included."""
        if self.fold:
            yield "f"
        yield "c"
        if self.max_raise_to:
            if self.limit:
                yield "r"
            else:
                for size in range(self.min_raise_to, self.max_raise_to + 1):
                    yield f"r{size}"

    def __str__(self) -> str:
        words = ["f", "c"] if self.fold else ["c"]
        if self.max_raise_to:
            if self.limit:
                words.append("r")
            elif self.min_raise_to == self.max_raise_to:
                words.append(f"r{self.max_raise_to}")
            else:
                words.append(f"r{self.min_raise_to}..r{self.max_raise_to}")
        return ", ".join(words)


class State(NamedTuple):
    """One point of a hand. Sets of players are bit masks (bit p is player p).

    `bet` is the amount to match and `min_raise_to` the smallest full raise, both counted over the whole hand.
    Compare and hash states freely; change them only through `apply`.

    >>> State.start("leduc").apply("r").apply("c")
    State(leduc, rc/:|/, player 0 to act)
    """

    game: Game
    deal: Deal
    history: str  # ACPC betting text, rounds separated by "/"
    round: int
    player: int  # to act; -1 when the hand is over
    spent: tuple[int, ...]
    folded: int
    able: int  # players who have neither folded nor put everything in
    pending: int  # players who must act before the round ends
    acted: int  # players who have acted in this round
    raises: int  # raises in this round
    actions: int  # actions in this round
    bet: int
    min_raise_to: int

    @classmethod
    def start(cls, game: Game | str, deal: Deal = Deal()) -> State:  # noqa: B008 - a Deal is immutable
        """The hand before anybody acts, antes and blinds posted (antes first when a stack is short).

        game   or what `load_game` makes one of
        """
        if not isinstance(game, Game):
            from kibitz.games.named import load_game

            game = load_game(game)
        if deal != Deal():
            check_cards(game, deal)
        limits = game.limits
        spent = tuple(map(min, game.blinds, limits))
        able = 0
        for player, chips in enumerate(spent):
            if chips < limits[player]:
                able |= 1 << player
        # At a TDA table a short blind does not lower the price of calling it.
        bet = max(game.blinds) if game.rules == "tda" else max(spent)
        state = cls(game, deal, "", 0, -1, spent, 0, able, 0, 0, 0, 0, bet, bet + game.opening_raise)
        return state._open_round()

    @property
    def finished(self) -> bool:
        """Whether nobody has to act any more."""
        return self.player < 0

    @property
    def hole(self) -> tuple[tuple[int, ...], ...]:
        """Hole cards per player, `()` where unknown."""
        return self.deal.hole

    @property
    def board(self) -> tuple[int, ...]:
        """The public cards on the table in this round, as far as known."""
        return self.deal.board[: self.game.board_ends[self.round]]

    @property
    def pot(self) -> int:
        """Chips in the middle, dead antes included."""
        return sum(self.spent) + sum(self.game.antes_paid)

    @property
    def awarded(self) -> int:
        """Chips that the winners share in the end: what nobody has matched of the largest bet goes back."""
        second, most = sorted(self.spent)[-2:]
        return self.pot - (most - second)

    @property
    def to_call(self) -> int:
        """Chips the player to act must add to call; negative where a raise has lowered the bet (see `Game.rules`)."""
        return min(self.bet, self.game.limits[self.player]) - self.spent[self.player]

    @property
    def showdown(self) -> bool:
        """Whether the hand is over with more than one player left in it."""
        return self.player < 0 and self.folded.bit_count() + 1 < self.game.players

    def legal(self) -> Legal:
        """What the player to act may do."""
        game, player = self.game, self.player
        if player < 0:
            raise IllegalActionError(f"nobody is to act in {self}: the hand is over")
        if not self._may_choose():
            return Legal(False, 0, 0, game.betting == "limit")
        low, high = self._raise_range()
        return Legal(self.spent[player] != self.bet or game.free_folds, low, high, game.betting == "limit")

    def _may_choose(self) -> bool:
        """Whether the hand has not come to the cap on decisions."""
        return not self.game.decision_cap or self._decisions() < self.game.decision_cap

    def _decisions(self) -> int:
        """Decisions taken in the hand so far; sizes of raises are digits."""
        return sum(map(str.isalpha, self.history))

    def _raise_range(self) -> tuple[int, int]:
        """Smallest and largest amount the player to act may raise to; (0, 0) where no raise is possible.

        The C dealer does not ask in a limit game whether the stack reaches the bet: who has no more than that may go
        all-in as a raise, and what was put in becomes the bet, even where that lowers it.
        """
        game, player, bet = self.game, self.player, self.bet
        most = game.limits[player]
        if (
            (most <= bet and (game.betting == "nolimit" or game.rules == "tda"))
            or self.able == 1 << player  # nobody is left who could answer
            or (self.raises >= game.max_raises[self.round] and not self._is_uncapped())
            or not game.bettors[player]
        ):
            return 0, 0
        if game.rules == "tda":
            if not self._may_raise_again() or not self._can_be_answered():
                return 0, 0
        elif self.actions + game.players > MAX_ACTIONS_PER_ROUND and not game.decision_cap:
            return 0, 0
        if game.betting == "limit":
            size = min(bet + game.raise_sizes[self.round], most)
            return size, size
        return min(self.min_raise_to, most), most

    def _is_uncapped(self) -> bool:
        """Whether any number of raises is allowed, because only two players are left."""
        return self.game.uncapped_heads_up and self.folded.bit_count() + 2 == self.game.players

    def _may_raise_again(self) -> bool:
        """TDA: who has acted may raise again only when facing a full raise, in limit half a bet (rule 47)."""
        if not self.acted >> self.player & 1:
            return True
        facing = self.bet - self.spent[self.player]
        if self.game.betting == "limit":
            return 2 * facing >= self.game.raise_sizes[self.round]
        return facing >= self.min_raise_to - self.bet

    def _can_be_answered(self) -> bool:
        """TDA: whether anybody else could put in more than the bet; the C dealer does not ask."""
        limits = self.game.limits
        others = self.able & ~(1 << self.player)
        return any(others >> p & 1 and limits[p] > self.bet for p in range(self.game.players))

    def apply(self, action: str) -> State:
        """The state after `action` ("f", "c", "r" in limit, "r<chips>" in no-limit)."""
        game, deal, history, round_, player, spent, folded, able, pending, acted, raises, actions, bet, least = self
        bit = 1 << player if player >= 0 else 0
        alone = False
        if action == "c" and bit:
            most = game.limits[player]
            if bet >= most:
                able &= ~bit
                spent = (*spent[:player], most, *spent[player + 1 :])
            else:
                spent = (*spent[:player], bet, *spent[player + 1 :])
            pending &= ~bit
        elif action == "f" and bit and (spent[player] != bet or game.free_folds) and self._may_choose():
            folded |= bit
            able &= ~bit
            pending &= ~bit
            alone = folded.bit_count() + 1 == game.players
        elif action not in (legal := self.legal()):
            raise IllegalActionError(f"{action!r} in {self}: legal are {legal}")
        else:
            size = legal.max_raise_to if legal.limit else int(action[1:])
            # The next full raise adds as much as this one. A short all-in leaves the ACPC's minimum where it
            # was; at a TDA table it still has to be called before the last full raise is added.
            least = max(least, 2 * size - bet) if game.rules == "acpc" else size + max(least - bet, size - bet)
            bet = size
            spent = (*spent[:player], size, *spent[player + 1 :])
            raises += 1
            if size == game.limits[player]:
                able &= ~bit
            pending = able & ~bit
        if game.rules == "tda" and able & (able - 1) == 0 and _all_matched(able, folded, spent):
            pending = 0
        player = -1 if alone else self._next_with_choice(player, pending, spent, bet)
        history, acted, actions = history + action, acted | bit, actions + 1
        values = (game, deal, history, round_, player, spent, folded, able, pending, acted, raises, actions, bet, least)
        state: State = _new(State, values)
        return state if alone or player >= 0 else state._next_round()

    def _next_with_choice(self, player: int, pending: int, spent: tuple[int, ...], bet: int) -> int:
        """The first of `pending` from `player` on who has a decision to make; -1 if none has."""
        if not pending:
            return -1
        game = self.game
        players = game.players
        for _ in range(players):
            if pending >> player & 1 and (spent[player] != bet or game.bettors[player]):
                return player
            player = player + 1 if player + 1 < players else 0
        return -1

    def _next_round(self) -> State:
        """The state after a closed betting round: the next round, or the showdown."""
        game = self.game
        last = game.rounds - 1
        if self.round == last:
            return self
        if self.able & (self.able - 1) == 0:  # fewer than two can act: the cards are run out without betting
            return self._replace(history=self.history + "/" * (last - self.round), round=last)
        _, deal, history, round_, _, spent, folded, able, _, _, _, _, bet, _ = self
        history, least = history + "/", bet + game.smallest_bet
        state: State = _new(State, (game, deal, history, round_ + 1, -1, spent, folded, able, 0, 0, 0, 0, bet, least))
        return state._open_round()

    def _open_round(self) -> State:
        """This state with everybody pending who can act, and the first of them to move."""
        able = self.able
        alone = able & (able - 1) == 0
        if alone and (not able or (self.game.rules == "tda" and _all_matched(able, self.folded, self.spent))):
            return self._next_round()
        player = self._next_with_choice(self.game.first_players[self.round], able, self.spent, self.bet)
        if player < 0:
            return self._next_round()
        return _new(State, (*self[:4], player, *self[5:8], able, *self[9:]))

    def play(self, actions: str) -> State:
        """The state after all of `actions`, ACPC betting text such as `r300c/cc`; "/" may be left out."""
        from kibitz.games.notation import split_actions

        state = self
        for action in split_actions(actions):
            state = state.apply(action)
        if "/" in actions:
            told = _joined(self.history, actions)
            if state.history.rstrip("/") != told.rstrip("/") or len(told) > len(state.history):
                raise IllegalActionError(
                    f"{actions!r} after {self}: a / is missing or in the wrong place; the betting is {state.history!r}"
                )
        return state

    def past(self) -> Iterator[tuple[State, str]]:
        """Every decision of the hand so far: the state before it, without cards, and the action."""
        from kibitz.games.notation import split_actions

        state = State.start(self.game)
        for action in split_actions(self.history):
            yield state, action
            state = state.apply(action)

    def seen_by(self, player: int) -> State:
        """The state as `player` sees it: no future board, and no hole cards of others before a showdown."""
        hole = self.deal.hole
        if hole:
            showdown = self.showdown
            hole = tuple(
                cards if (p == player and self.game.sighted[p]) or (showdown and not self.folded >> p & 1) else ()
                for p, cards in enumerate(hole)
            )
        return self._replace(deal=Deal(hole, self.board))

    def returns(self) -> tuple[float, ...]:
        """Net chips per player of a finished hand; whole numbers except for ACPC's split odd chips.

        They add up to nothing, unless somebody folded chips in a limit game under ACPC rules that nobody else can win.
        """
        game = self.game
        if self.player >= 0:
            raise IllegalActionError(f"{self} is not over: player {self.player} is to act")
        spent, antes = self.spent, game.antes_paid
        if self.folded.bit_count() + 1 == game.players:  # the last one left takes it all
            net = [-chips - ante for chips, ante in zip(spent, antes, strict=True)]
            net[(~self.folded & (1 << game.players) - 1).bit_length() - 1] -= sum(net)
            return tuple(net)
        whole_chips = game.rules == "tda"
        return payoffs(spent, antes, self._strengths(), whole_chips=whole_chips, ante_trimming=game.ante_trimming)

    def _strengths(self) -> list[int]:
        """Showdown value of every player, -1 for those who folded; cards are only looked at in a showdown."""
        game = self.game
        if not self.showdown:
            return [-1 if self.folded >> player & 1 else 0 for player in range(game.players)]
        board = self.deal.board
        strengths = []
        for player in range(game.players):
            if self.folded >> player & 1:
                strengths.append(-1)
                continue
            hole = self.deal.hole[player] if self.deal.hole else ()
            if len(hole) != game.hole_cards or len(board) != game.board_ends[-1]:
                raise IllegalActionError(
                    f"the showdown of {self} needs {game.hole_cards} hole cards of player {player} and "
                    f"{game.board_ends[-1]} board cards; known are {len(hole)} and {len(board)}"
                )
            strengths.append(evaluate(hole + board, game.hand_ranking))
        return strengths

    def __repr__(self) -> str:
        turn = "finished" if self.player < 0 else f"player {self.player} to act"
        return f"State({', '.join(filter(None, (self.game.name, cut(str(self), _MOST_SHOWN), turn)))})"

    def __str__(self) -> str:
        """ACPC text: betting, then the cards on the table, as in `r300c/:AhKs|/2c3d4h`."""
        return f"{self.history}:{format_deal(self.game, self.deal, self.round)}"


def _all_matched(able: int, folded: int, spent: tuple[int, ...]) -> bool:
    """Whether the only player with chips left has put in as much as anybody still in the hand.

    Then there is nothing to decide. The C dealer asks him all the same, and so do we under its rules.
    """
    if not able:
        return True
    last = able.bit_length() - 1
    return all(chips <= spent[last] for p, chips in enumerate(spent) if not folded >> p & 1)


def _joined(before: str, actions: str) -> str:
    """Betting text `actions` after `before`; rounds that have just ended may be told again."""
    done, rest = before.rstrip("/"), actions.lstrip("/")
    return done + "/" * max(len(before) - len(done), len(actions) - len(rest)) + rest
