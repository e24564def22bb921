"""Your own agent: a class with a name and three methods.

    python examples/write_an_agent.py

The command line takes it too: kibitz match --help.
"""

import random

from kibitz.agents import load_agent
from kibitz.arena.match import play_match
from kibitz.evaluator import category, evaluate
from kibitz.games import AcpcCards, Game, State, load_game
from kibitz.testing import check_agent


class PairLover:
    """Raises with a pair or better, calls small bets, bluffs once in ten times."""

    name = "pair-lover"

    def reset(self, game: Game, seed: int) -> None:
        # Called before every match. Forget everything here, and take all randomness from the seed.
        self.random = random.Random(seed)

    def act(self, state: State) -> str:
        # The state shows our own hole cards, the board and the betting, never the cards of the others.
        legal = state.legal()
        cards = state.hole[state.player] + state.board
        likes_hand = category(evaluate(cards)) != "high card" or self.random.random() < 0.1
        if likes_hand and legal.max_raise_to:
            return "r" if legal.limit else f"r{legal.min_raise_to}"
        if likes_hand or state.to_call <= state.pot / 4:
            return "c"
        return "f" if legal.fold else "c"

    def observe(self, state: State, position: int) -> None:
        # Called at the end of every hand, with the cards that were shown: the place to learn from.
        pass


if __name__ == "__main__":
    # Does it keep the rules? Legal actions, repeatable from the seed, no memory beyond reset: a sentence if not.
    check_agent(PairLover)
    print("pair-lover keeps the contract")

    # A match of 500 hands; the button moves on from hand to hand. Rows are hands, columns seats, entries chips won.
    game = load_game("holdem-nolimit-2p")
    chips = play_match(game, [PairLover(), load_agent("always-call")], seeds=[1, 2], hands=500, cards=AcpcCards(3))
    won = chips[:, 0].mean() / game.big_blind * 1000
    print(f"pair-lover wins {won:+.0f} mbb/hand from always-call over {len(chips)} hands")
