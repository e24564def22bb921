"""A person at a terminal: the table as text, actions as words.

A person counts chips round by round, an action's text counts them over the whole hand:

>>> from kibitz.games import load_game
>>> state = State.start(load_game("holdem-nolimit-2p"))
>>> read_action("pot", state), read_action("call", state), read_action("r1,000", state)
('r300', 'c', 'r1000')
>>> read_action("bet 100", state.play("cc/"))
'r200'
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from kibitz.agents.base import Named
from kibitz.cards import CARD_TEXT
from kibitz.errors import AgentError, IllegalActionError
from kibitz.evaluator import category, evaluate
from kibitz.games import Game, State, round_name
from kibitz.games.game import UNLIMITED_STACK
from kibitz.policy.frequencies import ALL_IN, HALF_POT, MIN, POT, fixed_size

WIDTH = 80
HELP = """\
f, fold             give the hand up
c, k, call, check   match the bet, or pass when there is none
r900, b900, 900     bet 900, or raise to 900: your chips in this round,
                    a blind counted in, an ante and earlier rounds not
r, raise, bet       bet or raise the fixed amount, in limit games
min, half, pot      call, then raise by the least, half the pot or the pot
allin               put everything in
q, quit             leave the table; the hand in progress does not count"""

_SIZES = {"min": MIN, "half": HALF_POT, "pot": POT, "allin": ALL_IN, "all-in": ALL_IN, "all in": ALL_IN}
_AMOUNT = re.compile(r"(?:r|b|raise|bet)?\s*(?:to\s+)?([0-9][0-9,_]{0,12})")
_SUIT_SIGNS = str.maketrans("cdhs", "♣♦♥♠")
_RED_CARD = re.compile(r"\b([2-9TJQKA](?:[♦♥]|[dh]\b))")


class PlayerLeftError(AgentError):
    """The person at the terminal has left the table."""


class HumanAgent(Named):
    """Shows every decision on `output` and reads the answer from `input`; raises `PlayerLeftError` at `q` or its end.

    opponents: names of the others as they sit after this player; seats keep their order when the button moves.
    adviser: what to show of a decision, by its state and the names of the players, when `b` is typed
    """

    def __init__(
        self,
        name: str = "you",
        opponents: Sequence[str] = (),
        input: TextIO | None = None,
        output: TextIO | None = None,
        adviser: Callable[[State, Sequence[str]], str] | None = None,
    ) -> None:
        self.name = name
        self._adviser = adviser
        self._opponents = tuple(opponents)
        if input is None and sys.stdin is None:  # as Python has it where the system gives none
            raise AgentError("cannot read what the player at the terminal types: standard input is closed")
        self._input = input or sys.stdin
        self._output = output or sys.stdout

    def reset(self, game: Game, seed: int) -> None:
        self._hand = 1
        if self._opponents and len(self._opponents) != game.players - 1:
            raise AgentError(f"{len(self._opponents)} names of opponents: the game has {game.players - 1}")

    def act(self, state: State) -> str:
        self._print(f"\n{format_table(state, state.player, self._names(state, state.player), self._hand)}")
        choices = format_choices(state) + "\nb  what is believed of everybody" * (self._adviser is not None)
        self._print(f"\n{textwrap.indent(choices, '    ')}")
        while True:
            answer = self._ask()
            if answer in ("?", "h", "help"):
                self._print(textwrap.indent(HELP, "    "))
                continue
            if self._adviser is not None and answer in ("b", "beliefs"):
                self._print(textwrap.indent(self._adviser(state, self._names(state, state.player)), "    "))
                continue
            try:
                return read_action(answer, state)
            except IllegalActionError as error:
                self._print(textwrap.fill(str(error), WIDTH, initial_indent="    ", subsequent_indent="    "))

    def observe(self, state: State, position: int) -> None:
        self._print(f"\n{format_table(state, position, self._names(state, position), self._hand)}")
        self._hand += 1

    def _names(self, state: State, own: int) -> list[str]:
        """What everybody is called, by position."""
        players = state.game.players
        others = self._opponents or [f"player {(own + step) % players}" for step in range(1, players)]
        return [self.name if position == own else others[(position - own - 1) % players] for position in range(players)]

    def _ask(self) -> str:
        self._output.write("\n  > ")
        self._output.flush()
        try:
            line = self._input.readline()
        except KeyboardInterrupt:
            line = ""
        if not self._input.isatty():
            self._output.write(line)  # a terminal has already shown what was typed
        answer = line.strip().lower()
        if not line or answer in ("q", "quit", "exit"):
            self._output.write("\n")
            raise PlayerLeftError(f"{self.name} left the table in hand {self._hand}")
        return answer

    def _print(self, text: str) -> None:
        encoding = getattr(self._output, "encoding", None) or "utf-8"
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            text = text.translate({ord(sign): letter for letter, sign in zip("cdhs", "♣♦♥♠", strict=True)})
            text = text.encode(encoding, "replace").decode(encoding)
        if self._output.isatty() and "NO_COLOR" not in os.environ:
            text = _RED_CARD.sub("\x1b[31m\\1\x1b[0m", text)
        self._output.write(text + "\n")


def read_action(text: str, state: State) -> str:
    """The legal action that a person means by `text`; `IllegalActionError` explains what would do instead."""
    text, legal = text.strip().lower(), state.legal()
    if text in ("c", "k", "call", "check"):
        return "c"
    if text in ("f", "fold"):
        if not legal.fold:
            raise IllegalActionError("there is no bet to fold to: c checks for nothing")
        return "f"
    amount = _AMOUNT.fullmatch(text)
    if text in ("allin", "all-in", "all in") and not legal.max_raise_to and state.bet >= _most(state):
        return "c"  # all that is left goes into the call
    if not amount and text not in _SIZES and text not in ("r", "b", "raise", "bet"):
        raise IllegalActionError(f"{text!r} is no action: {_summary(state)}, ? for help")
    if not legal.max_raise_to:
        raise IllegalActionError(f"no raise is possible here: {_summary(state)}")
    chips = int(re.sub("[,_]", "", amount[1])) if amount else 0
    if legal.limit:
        fixed = legal.max_raise_to - round_base(state)
        if text in _SIZES or (amount and chips != fixed):
            raise IllegalActionError(f"the size is fixed in this game: r  {_kind(state)} {fixed:,}")
        return "r"
    if text in _SIZES:
        return f"r{fixed_size(_SIZES[text], state, legal)}"
    if not amount:
        raise IllegalActionError(f"{_kind(state)} how much? {_summary(state)}")
    action = f"r{round_base(state) + chips}"
    if action not in legal:
        noun = "raise" if _kind(state) == "raise to" else "bet"
        raise IllegalActionError(f"{chips:,} is no legal {noun}: {_summary(state)}")
    return action


def round_base(state: State) -> int:
    """Chips that everyone still in had put in before the betting of this round; whole-hand amounts count them too.

    Blinds that are the same for all players are antes, which no first round of betting counts.
    """
    game = state.game
    if state.round == 0:
        return game.blinds[0] if len(set(game.blinds)) == 1 else 0
    return State.start(game).play("".join(state.history.split("/")[: state.round])).bet


def format_table(state: State, own: int, names: Sequence[str], hand: int) -> str:
    """The table as the player at position `own` sees it, 80 columns wide; results instead of bets at the end.

    names: by position. Amounts in front of players are those of this round.
    """
    place = "over" if state.finished else round_name(state.game, state.round)
    title, pot = f"--- Hand {hand}, {place} ", f" pot {state.awarded if state.finished else state.pot:,} ---"
    lines = [title + "-" * (WIDTH - len(title) - len(pot)) + pot]
    if state.game.board_ends[-1]:
        lines.append(f"    {'board':27}{show_cards(state.board) or '-'}")
    columns = ("result", "") if state.finished else ("this round", "behind")
    lines += ["", f"    {'':39}{columns[0]:>10}{columns[1]:>10}".rstrip()]
    returns = state.returns() if state.finished else None
    for step in range(state.game.players):
        position = (own + step) % state.game.players
        row = f"    {names[position][:26]:27}{_show_hand(state, position):12}"
        if returns is None:
            button = "button" if position == state.game.players - 1 else ""
            row += f"{_in_front(state, position):>10,}{_behind(state, position):>10}  {button}"
        else:
            row += f"{signed_chips(returns[position]):>10}  {made_hand(state, position)}"
        lines.append(row.rstrip())
    return "\n".join([*lines, "", *_story_lines(state, names)]).rstrip()


def format_choices(state: State) -> str:
    """What the player to act may type; chips are those of this round."""
    legal, before = state.legal(), round_base(state)
    words = ["f  fold"] if legal.fold else []
    words.append(f"c  {_calling(state.to_call, '')}")
    if legal.max_raise_to:
        low, high, kind = legal.min_raise_to - before, legal.max_raise_to - before, _kind(state)
        if legal.limit:
            words.append(f"r  {kind} {high:,}")
        else:
            typed = f"{kind[0]}{low}" + f" .. {kind[0]}{high}" * (high > low)
            meant = f"{low:,}" + f" .. {high:,}" * (high > low)
            words.append(f"{typed}  {kind} {meant} in this round")
            words.append("min, half, pot, allin")
    return "\n".join([*words, "?  help, q  leave"])


def show_cards(cards: Sequence[int]) -> str:
    """Cards with the signs of their suits.

    >>> show_cards((51, 0))
    'A♠ 2♣'
    """
    return " ".join(CARD_TEXT[card][0] + CARD_TEXT[card][1].translate(_SUIT_SIGNS) for card in cards)


def chip_amount(chips: float) -> str:
    """A number of chips, `1,200` or `0.50`."""
    return f"{chips:,.0f}" if float(chips).is_integer() else f"{chips:,.2f}"


def signed_chips(chips: float, amount: Callable[[float], str] = chip_amount) -> str:
    """Chips won or lost, `+1,200` or `-0.50`."""
    return f"{'-' if chips < 0 else '+'}{amount(abs(chips))}"


def _kind(state: State) -> str:
    """What putting in more than a call is called here, before the chips that are in after it in this round."""
    return "raise to" if state.bet > round_base(state) else "bet"


def _most(state: State) -> int:
    return state.game.limits[state.player]


def _summary(state: State) -> str:
    """The legal actions on one line."""
    return "; ".join(" ".join(line.split()) for line in format_choices(state).splitlines()[:-1])


def _in_front(state: State, position: int) -> int:
    return max(0, state.spent[position] - round_base(state))


def _show_hand(state: State, position: int) -> str:
    if state.folded >> position & 1:
        return "folded"
    cards = state.hole[position] if state.hole else ()
    return show_cards(cards) or " ".join(["??"] * state.game.hole_cards)


def _behind(state: State, position: int) -> str:
    """Chips not yet put in; nothing where stacks have no end."""
    stack = state.game.limits[position]
    return "" if state.game.stacks[position] >= UNLIMITED_STACK else f"{stack - state.spent[position]:,}"


def made_hand(state: State, position: int) -> str:
    """What a hand shown at the end is worth; nothing where cards were not shown or one card is all there is."""
    cards = state.hole[position] + state.board if state.hole else ()
    if not state.showdown or state.folded >> position & 1 or len(cards) < 2:
        return ""
    return category(evaluate(cards, state.game.hand_ranking))


def _story_lines(state: State, names: Sequence[str]) -> Iterator[str]:
    """What everybody did, a paragraph a round."""
    told: list[list[str]] = [[] for _ in range(state.game.rounds)]
    for past, action in state.past():
        told[past.round].append(describe_action(past, action, names[past.player]))
    for round_, sentences in enumerate(told):
        if sentences:
            head = f"    {round_name(state.game, round_):10}"
            text = ", ".join(sentences)
            indent = " " * len(head)
            yield from textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=indent, break_on_hyphens=False)


def describe_action(state: State, action: str, name: str, amount: Callable[[float], str] = chip_amount) -> str:
    """One action in words, in chips of its round; `amount` writes them."""
    ending = "" if name == "you" else "s"
    if action == "f":
        return f"{name} fold{ending}"
    if action == "c":
        calls_all = state.to_call > 0 and state.bet >= _most(state)
        return f"{name} {_calling(state.to_call, ending, amount)}" + " all-in" * calls_all
    size = state.apply(action).bet
    verb = f"raise{ending} to" if _kind(state) == "raise to" else f"bet{ending}"
    return f"{name} {verb} {amount(size - round_base(state))}" + (" all-in" if size >= _most(state) else "")


def _calling(to_call: int, ending: str, amount: Callable[[float], str] = chip_amount) -> str:
    """What `c` does, in words; a limit raise by a short stack can lower the bet below what others have put in."""
    if to_call < 0:
        return f"take{ending} back {amount(-to_call)}"
    return f"call{ending} {amount(to_call)}" if to_call else f"check{ending}"
