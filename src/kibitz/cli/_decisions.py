"""A decision as options describe it: the betting so far, and the cards that the player to act sees."""

from __future__ import annotations

from kibitz.cards import parse_cards
from kibitz.errors import KibitzError
from kibitz.games import Deal, Game, State


def decision_after(rules: Game, history: str, hole: str, board: str) -> State:
    """The decision after `history`, the player to act holding `hole`."""
    own, public = parse_cards(hole), parse_cards(board)
    state = State.start(rules).play(history)
    if state.finished:
        raise KibitzError(f"after {history!r} the hand is over: there is no decision to explain")
    wanted = rules.board_ends[state.round]
    if len(own) != rules.hole_cards or len(public) != wanted or set(own) & set(public):
        raise KibitzError(
            f"hole cards {hole!r}, board {board!r}: after {history!r} give {rules.hole_cards} hole cards and {wanted} "
            "board cards, all different"
        )
    holes = tuple(own if player == state.player else () for player in range(rules.players))
    return state._replace(deal=Deal(holes, public))
