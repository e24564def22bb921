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
from typing import NamedTuple

from kibitz.cards import format_cards
from kibitz.errors import IllegalActionError
from kibitz.evaluator import evaluate
from kibitz.games.game import Game
from kibitz.games.pots import payoffs

# The C dealer keeps at most this many actions a round and refuses raises that could overflow it.
MAX_ACTIONS_PER_ROUND = 64


class Deal(NamedTuple):
    """The cards of one hand as far as they are known: `()` for hidden hole cards, a short board for unseen cards."""

    hole: tuple[tuple[int, ...], ...] = ()
    board: tuple[int, ...] = ()


class Legal(NamedTuple):
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
    """

    game: Game
    deal: Deal
    history: str  # ACPC betting text, rounds separated by "/"
    round: int
    player: int  # to act; -1 when the hand is over
    spent: tuple[int, ...]
    folded: int
    pending: int  # players who must act before the round ends
    acted: int  # players who have acted in this round
    raises: int  # raises in this round
    actions: int  # actions in this round
    bet: int
    min_raise_to: int

    @classmethod
    def start(cls, game: Game, deal: Deal = Deal()) -> State:  # noqa: B008 - a Deal is immutable
        """The hand before anybody acts, antes and blinds posted (antes first when a stack is short)."""
        spent = tuple(
            min(blind, max(stack - ante, 0))
            for blind, stack, ante in zip(game.blinds, game.stacks, game.antes, strict=True)
        )
        bet = max(spent)
        # ACPC: a raise calls the largest blind and adds as much again; an explicit minimum bet replaces that.
        opening = max(game.blinds) if game.min_bet is None or game.rules == "tda" else game.min_bet
        state = cls(game, deal, "", 0, -1, spent, 0, 0, 0, 0, 0, bet, bet + max(opening, game.smallest_bet))
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
    def contributions(self) -> tuple[int, ...]:
        """Chips of every player in the pot, dead antes included."""
        return tuple(
            chips + min(ante, stack)
            for chips, ante, stack in zip(self.spent, self.game.antes, self.game.stacks, strict=True)
        )

    @property
    def pot(self) -> int:
        """Chips in the middle."""
        return sum(self.contributions)

    @property
    def to_call(self) -> int:
        """Chips the player to act must add to call."""
        return min(self.bet, self.limit_of(self.player)) - self.spent[self.player]

    def limit_of(self, player: int) -> int:
        """The most `player` can have spent on bets: the stack less the ante."""
        game = self.game
        return max(game.stacks[player] - game.antes[player], 0)

    def legal(self) -> Legal:
        """What the player to act may do."""
        game, player = self.game, self.player
        if player < 0:
            raise IllegalActionError(f"nobody is to act in {self}: the hand is over")
        spent = self.spent[player]
        stack = game.stacks[player] - game.antes[player]
        bet = self.bet
        tda = game.rules == "tda"
        fold = tda or spent < bet
        limit = game.betting == "limit"
        if not self._may_raise(stack):
            return Legal(fold, 0, 0, limit)
        if limit:
            size = min(bet + game.raise_sizes[self.round], stack)
            return Legal(fold, size, size, True)
        return Legal(fold, min(self.min_raise_to, stack), stack, False)

    def _may_raise(self, stack: int) -> bool:
        """Whether the player to act, whose bets can reach `stack`, may raise at all."""
        game, player = self.game, self.player
        if self.raises >= game.max_raises[self.round] or stack <= self.bet or not game.bettors[player]:
            return False
        others = ~(self.folded | 1 << player)
        if not any(
            others >> p & 1 and chips < most - ante
            for p, (chips, most, ante) in enumerate(zip(self.spent, game.stacks, game.antes, strict=True))
        ):
            return False  # nobody is left who could answer
        if game.rules == "acpc":
            return self.actions + game.players <= MAX_ACTIONS_PER_ROUND
        # TDA: who has acted may raise again only when facing at least a full raise.
        full_raise = self.min_raise_to - self.bet
        return not (self.acted >> player & 1 and self.bet - self.spent[player] < full_raise)

    def apply(self, action: str) -> State:
        """The state after `action` ("f", "c", "r" in limit, "r<chips>" in no-limit)."""
        legal = self.legal()
        if action not in legal:
            raise IllegalActionError(f"{action!r} in {self}: legal are {legal}")
        game, deal, history, round_, player, spent, folded, pending, acted, raises, actions, bet, least = self
        bit = 1 << player
        if action == "f":
            folded |= bit
            pending &= ~bit
        elif action == "c":
            chips = min(bet, game.stacks[player] - game.antes[player])
            spent = (*spent[:player], chips, *spent[player + 1 :])
            pending &= ~bit
        else:
            size = legal.max_raise_to if legal.limit else int(action[1:])
            if game.rules == "tda":
                least = size + max(least - bet, size - bet)
            else:
                least = max(least, 2 * size - bet)
            bet = size
            spent = (*spent[:player], size, *spent[player + 1 :])
            raises += 1
            pending = self._able(spent, folded) & ~bit
        history += action
        actions += 1
        acted |= bit
        if folded.bit_count() + 1 == game.players:
            return State(game, deal, history, round_, -1, spent, folded, 0, acted, raises, actions, bet, least)
        if pending:
            while not pending >> player & 1:
                player = player + 1 if player + 1 < game.players else 0
            if not (game.bettors[player] or spent[player] < bet):
                player = self._next_with_choice(player, pending, spent, bet)
            if player >= 0:
                return State(
                    game,
                    deal,
                    history,
                    round_,
                    player,
                    spent,
                    folded,
                    pending,
                    acted,
                    raises,
                    actions,
                    bet,
                    least,
                )
        state = State(game, deal, history, round_, -1, spent, folded, 0, acted, raises, actions, bet, least)
        return state._next_round()

    def _able(self, spent: tuple[int, ...], folded: int) -> int:
        """The players who have neither folded nor put everything in."""
        able = 0
        game = self.game
        for player, chips in enumerate(spent):
            if not folded >> player & 1 and chips < game.stacks[player] - game.antes[player]:
                able |= 1 << player
        return able

    def _next_with_choice(self, player: int, pending: int, spent: tuple[int, ...], bet: int) -> int:
        """The first of `pending` from `player` on who has a decision to make; -1 if none has."""
        game = self.game
        for step in range(game.players):
            other = (player + step) % game.players
            if pending >> other & 1 and (game.bettors[other] or spent[other] < bet):
                return other
        return -1

    def _next_round(self) -> State:
        """The state after a closed betting round: the next round, or the showdown."""
        game = self.game
        last = game.rounds - 1
        if self.round == last:
            return self
        if self._able(self.spent, self.folded).bit_count() < 2:  # the cards are run out without betting
            return self._replace(history=self.history + "/" * (last - self.round), round=last)
        return self._replace(
            history=self.history + "/",
            round=self.round + 1,
            acted=0,
            raises=0,
            actions=0,
            min_raise_to=self.bet + game.smallest_bet,
        )._open_round()

    def _open_round(self) -> State:
        """This state with everybody pending who can act, and the first of them to move."""
        game = self.game
        pending = self._able(self.spent, self.folded)
        # With a single player left who has nothing to call there is nothing to decide.
        alone = pending & (pending - 1) == 0
        if not pending or (alone and self.spent[pending.bit_length() - 1] >= self.bet):
            return self._next_round()
        player = self._next_with_choice(game.first_players[self.round], pending, self.spent, self.bet)
        opened = self._replace(pending=pending, player=player)
        return opened if player >= 0 else opened._next_round()

    def play(self, actions: str) -> State:
        """The state after all of `actions`, ACPC betting text such as `r300c/cc`; "/" may be left out."""
        from kibitz.games.notation import split_actions

        state = self
        for action in split_actions(actions):
            state = state.apply(action)
        return state

    def seen_by(self, player: int) -> State:
        """The state as `player` sees it: no future board, and no hole cards of others before a showdown."""
        hole = self.deal.hole
        if hole:
            showdown = self.finished and self.folded.bit_count() + 1 < self.game.players
            hole = tuple(
                cards if (p == player and self.game.sighted[p]) or (showdown and not self.folded >> p & 1) else ()
                for p, cards in enumerate(hole)
            )
        return self._replace(deal=Deal(hole, self.board))

    def returns(self) -> tuple[float, ...]:
        """Net chips per player of a finished hand; whole numbers except for ACPC's split odd chips."""
        game = self.game
        if self.player >= 0:
            raise IllegalActionError(f"{self} is not over: player {self.player} is to act")
        whole_chips = game.rules == "tda"
        antes = tuple(min(ante, stack) for ante, stack in zip(game.antes, game.stacks, strict=True))
        return payoffs(self.spent, antes, self._strengths(), whole_chips=whole_chips, ante_trimming=game.ante_trimming)

    def _strengths(self) -> list[int]:
        """Showdown value of every player, -1 for those who folded; cards are only looked at in a showdown."""
        game = self.game
        if self.folded.bit_count() + 1 == game.players:
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

    def __str__(self) -> str:
        """ACPC text: betting, then the cards on the table, as in `r300c/:AhKs|/2c3d4h`."""
        return f"{self.history}:{format_deal(self.game, self.deal, self.round)}"


def format_deal(game: Game, deal: Deal, round_: int) -> str:
    """Cards as ACPC prints them: hole cards separated by "|", then "/" and the board cards of each round reached."""
    text = "|".join([format_cards(cards) for cards in deal.hole]) if deal.hole else "|" * (game.players - 1)
    start = 0
    for end in game.board_ends[1 : round_ + 1]:
        text += "/" + format_cards(deal.board[start:end])
        start = end
    return text
