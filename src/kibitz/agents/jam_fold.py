"""The jam-or-fold specialist: all-in or nothing before the flop, exactly as the equilibrium of that game has it."""

from __future__ import annotations

from kibitz.agents.base import Named
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.isomorphism import IsomorphismIndex
from kibitz.random import Dice


class JamFoldAgent(Named):
    """Plays the equilibrium of heads-up no-limit hold'em with two moves, solved anew for the stacks and blinds at hand.

    What the two-move game does not have: a raise short of all-in is answered as if it were all-in, by jamming or
    folding; after a limp the hand is checked down, and given up to a bet. Short stacks are its home. Where a blind is
    all-in, or a call takes all chips, calling is jamming.
    """

    name = "jam-fold"

    def plays(self, game: Game) -> bool:
        """Whether the game is heads-up no-limit hold'em that opens with a choice between all-in and a fold."""
        from kibitz.solvers.jam_fold import can_jam_or_fold

        return _is_holdem(game) and can_jam_or_fold(game)

    def reset(self, game: Game, seed: int) -> None:
        from kibitz.solvers.jam_fold import nothing_to_decide, solve_jam_fold

        if not _is_holdem(game):
            raise AgentError(f"{self.name} plays heads-up no-limit hold'em, not {game.name or 'this game'}")
        if not self.plays(game):
            raise AgentError(f"{self.name} cannot play {game.name or 'this game'}: {nothing_to_decide(game)}")
        self._solution = solve_jam_fold(game)
        self._classes = IsomorphismIndex("2")
        self._dice = Dice(seed)

    def act(self, state: State) -> str:
        if state.round > 0 or not state.to_call:
            return "f" if state.to_call else "c"
        chances = self._solution.call if state.raises else self._solution.jam
        if self._dice.uniform() >= chances[self._classes.index(state.hole[state.player])]:
            return "f"
        legal = state.legal()
        return f"r{legal.max_raise_to}" if legal.max_raise_to else "c"

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()


def _is_holdem(game: Game) -> bool:
    """Whether the game is heads-up no-limit hold'em."""
    cards = game.hole_cards == 2 and len(game.deck) == 52 and game.board_ends[-1] == 5
    return game.players == 2 and game.betting == "nolimit" and cards
