"""One hand checked against the rules of its game."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.cards import format_cards
from kibitz.errors import IllegalActionError
from kibitz.games import Game, State, split_actions
from kibitz.games.deal import describe_strange_cards
from kibitz.games.pots import unclaimed
from kibitz.io.acpc import format_value
from kibitz.io.record import HandRecord, Refusal

TOLERANCE = 1e-6  # chips; logs print six decimals
MOST_RAKE = 0.1  # of a pot; what is short of more is no rake
MOST_PLAYS = 1 << 14


class Difference(NamedTuple):
    """One point in which a file departs from the rules."""

    hand: str
    field: str
    expected: str
    got: str
    source: str = ""

    def __str__(self) -> str:
        where = f" ({self.source})" if self.source else ""
        return f"hand {self.hand}{where}: {self.field}: expected {self.expected}, got {self.got}"


class Checked(NamedTuple):
    """What the rules say of a hand.

    differences   of the file from the rules
    returns       chips won, where betting and cards allow to say
    state         where the betting ended, without cards; up to the first action that is not legal
    """

    differences: list[Difference]
    returns: tuple[float, ...] | None
    state: State

    @property
    def refusal(self) -> Refusal | None:
        """The first difference as a reason not to use the hand."""
        if not self.differences:
            return None
        hand, field, expected, got, source = self.differences[0]
        return Refusal(hand, source, f"{field}: expected {expected}, got {got}")


def check(record: HandRecord) -> list[Difference]:
    """Everything in which `record` departs from the rules of its game; empty for a faithful hand."""
    return check_fully(record).differences


def returns_by_rules(record: HandRecord) -> tuple[float, ...] | None:
    """Net chips of every player as the rules have it; None where the hand is not legal or its cards are hidden."""
    return check_fully(record).returns


def check_fully(record: HandRecord) -> Checked:
    """The differences, the chips won, and how the betting ended."""
    differences = _check_cards(record)
    state, refused = _play(record.game, record.history)
    if refused:
        legal = f"one of {state.legal()}" if not state.finished else "nothing, the hand is over"
        field = f"action {len(split_actions(state.history)) + 1} ({state.history})"
        differences.append(difference(record, field, legal, refused))
        return Checked(differences, None, state)
    if state.history != record.history:
        differences.append(difference(record, "betting", state.history, record.history))
    if not state.finished:
        expected = f"an action of player {state.player}"
        differences.append(difference(record, "betting", expected, f"no more after {record.history!r}"))
        return Checked(differences, None, state)
    if len(record.deal.board) > record.game.board_ends[state.round]:
        expected = f"{record.game.board_ends[state.round]} board cards"
        differences.append(difference(record, "cards", expected, format_cards(record.deal.board)))
    if differences:
        return Checked(differences, None, state)
    told = record.returns
    try:
        returns = _showdown(state._replace(deal=record.deal), record).returns()
    except IllegalActionError:  # cards that a showdown needs are not shown
        if told is not None and (wrong := _wrong_sums(record, told, state)):
            differences.append(difference(record, "returns", wrong, _format_chips(told)))
        return Checked(differences, None, state)
    if told is not None and told != returns and not _same_chips(told, returns, state, _rake(record, state)):
        differences.append(difference(record, "returns", _format_chips(returns), _format_chips(told)))
    return Checked(differences, returns, state)


def _showdown(state: State, record: HandRecord) -> State:
    """`state` at the showdown: those who mucked have given up what was matched of their bets."""
    mucked = record.extra.get("mucked")
    if not isinstance(mucked, tuple) or not mucked or not state.showdown:
        return state
    matched = sorted(state.spent)[-2]  # an uncalled rest goes back to who bet it
    folded = state.folded
    for player in mucked:
        folded |= 1 << player
    if folded.bit_count() == state.game.players:
        raise IllegalActionError(f"{state}: everybody has mucked")
    return state._replace(spent=tuple(min(chips, matched) for chips in state.spent), folded=folded)


def _rake(record: HandRecord, state: State) -> float:
    """Chips that the room took: as the file has it, or what the winnings that it tells are short of the pot."""
    stated = record.extra.get("rake", record.extra.get("_rake"))  # the latter in PHH
    if isinstance(stated, int | float):
        return stated
    if record.returns is None or "winnings" not in record.extra:
        return 0
    missing = -sum(record.returns)
    return missing if 0 < missing <= MOST_RAKE * state.awarded else 0


def _wrong_sums(record: HandRecord, told: tuple[float, ...], state: State) -> str:
    """What is wrong with the results `told` of a showdown that nobody has seen; "" if they can be right."""
    matched, rake = sorted(state.spent)[-2], _rake(record, state)
    left = [player for player in range(state.game.players) if not state.folded >> player & 1]
    put_in = [
        (min(chips, matched) if player in left else chips) + ante
        for player, (chips, ante) in enumerate(zip(state.spent, state.game.antes_paid, strict=True))
    ]
    nobodys = unclaimed(state.spent, left, state.game.rules == "tda")
    if len(told) != len(put_in) or abs(sum(told) + rake + nobodys) > TOLERANCE * len(told):  # each was rounded
        return f"results that add up to {-nobodys}"
    for player, (chips, lost) in enumerate(zip(told, put_in, strict=True)):
        if chips + lost < -TOLERANCE or (state.folded >> player & 1 and chips + lost > TOLERANCE):
            return f"a loss of {lost}, or less without a fold, for player {player}"
    return ""


def _same_chips(stated: tuple[float, ...], right: tuple[float, ...], state: State, rake: float) -> bool:
    """Whether the file and the rules agree; a rake is taken from those who win of the pot, and from nobody else."""
    if len(stated) != len(right):
        return False
    missing = [by_rules - told for by_rules, told in zip(right, stated, strict=True)]
    if not rake:
        return all(abs(chips) <= TOLERANCE for chips in missing)
    put_in = map(sum, zip(state.spent, state.game.antes_paid, strict=True))
    won = [chips + spent > 0 for chips, spent in zip(right, put_in, strict=True)]
    return abs(sum(missing) - rake) <= TOLERANCE and all(
        abs(chips) <= TOLERANCE or (winner and -1 <= chips <= rake + 1)  # who gets the odd chip is the room's choice
        for chips, winner in zip(missing, won, strict=True)
    )


def _check_cards(record: HandRecord) -> list[Difference]:
    game, (hole, board) = record.game, record.deal
    differences = []
    if len(record.players) != game.players:
        differences.append(difference(record, "names", f"{game.players} players", "|".join(record.players)))
    if hole and len(hole) != game.players:
        differences.append(difference(record, "cards", f"{game.players} players", f"hole cards of {len(hole)}"))
    for player, cards in enumerate(hole):
        if cards and len(cards) != game.hole_cards:
            expected = f"{game.hole_cards} cards of player {player}"
            differences.append(difference(record, "cards", expected, format_cards(cards)))
    cards = sum(hole, board)
    if len(set(cards)) != len(cards):
        twice = sorted({card for card in cards if cards.count(card) > 1})
        differences.append(difference(record, "cards", "each card once", f"{format_cards(twice)} twice"))
    if not game.card_set.issuperset(cards):
        differences.append(difference(record, "cards", "cards of the deck", describe_strange_cards(game, cards)))
    return differences


_plays: tuple[Game, dict[str, tuple[State, str]]] | None = None


def _play(game: Game, history: str) -> tuple[State, str]:
    """The state after the legal actions of `history`, and the first action that is not ("" if all are).

    Remembered without cards while the game stays: the same few betting sequences make up most of a limit match.
    """
    global _plays
    plays = _plays  # one look and one change at a time: other threads may check other games
    if plays is None or plays[0] is not game or len(plays[1]) >= MOST_PLAYS:
        plays = _plays = game, {}
    play = plays[1].get(history)
    if play is None:
        play = plays[1][history] = _play_anew(game, history)
    return play


def _play_anew(game: Game, history: str) -> tuple[State, str]:
    state = State.start(game)
    for action in split_actions(history):
        try:
            state = state.apply(action)
        except IllegalActionError:
            return state, action
    return state, ""


def difference(record: HandRecord, field: str, expected: str, got: str) -> Difference:
    """One of a hand, which stands where the record says."""
    return Difference(record.hand, field, expected, got, record.source)


def _format_chips(returns: tuple[float, ...]) -> str:
    return "|".join(map(format_value, returns))
