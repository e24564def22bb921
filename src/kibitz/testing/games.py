"""The contract of a game: what every hand of it keeps, whoever plays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from kibitz.errors import IllegalActionError
from kibitz.games import Deal, Game, Legal, State, deal_hands, format_gamedef, parse_gamedef
from kibitz.games.pots import unclaimed

MOST_ACTIONS = 100_000  # more than any hand can have; a hand that gets there does not end
CHIP_TOLERANCE = 1e-6  # split chips are fractions


def check_game(game: Game, playouts: int = 200, seed: int = 0) -> None:
    """Play random hands of `game`; raise AssertionError with a sentence about the first promise it breaks.

    The game can be written down and read back. Its deals are of distinct cards of its deck. In every state the
    player to act has chips and may call; every action listed as legal can be applied, moves no chips but the
    player's own, and is recorded; what is not listed is refused. A player sees neither the others' cards nor those
    to come. Every hand ends, replays from its history, and its returns add up to nothing. In limit games under ACPC
    rules a raise may lower the bet; then calls give chips back, and chips that only folders reached are nobody's.
    """
    text = format_gamedef(game)
    _require(format_gamedef(parse_gamedef(text, game.name)) == text, game.name, "its definition reads back differently")
    random = Random(seed)
    for deal in islice(deal_hands(game, seed), playouts):
        _check_deal(game, deal)
        start = State.start(game, deal)
        state, actions = start, 0
        while not state.finished:
            _check_decision(state)
            state = state.apply(_choose(state.legal(), random))
            actions += 1
            _require(actions < MOST_ACTIONS, state.game.name, "a hand does not end")
        _check_end(start, state)


def _require(kept: bool, where: object, sentence: str) -> None:
    if not kept:
        raise AssertionError(f"{where}: {sentence}")


def _choose(legal: Legal, random: Random) -> str:
    """A random action; of the raises, often the smallest or the largest."""
    actions = ["f"] * legal.fold + ["c"] * 3
    if legal.max_raise_to:
        low, high = legal.min_raise_to, legal.max_raise_to
        actions += ["r"] * 3 if legal.limit else [f"r{low}", f"r{random.randint(low, high)}", f"r{high}"]
    return random.choice(actions)


def _check_deal(game: Game, deal: Deal) -> None:
    cards = [card for hole in deal.hole for card in hole] + list(deal.board)
    _require(len(set(cards)) == len(cards), deal, "a card is dealt twice")
    _require(set(cards) <= set(game.deck), deal, "a card is not of the deck")
    sizes = [len(hole) for hole in deal.hole]
    _require(sizes == [game.hole_cards] * game.players, deal, f"{game.hole_cards} hole cards each are due")
    _require(len(deal.board) == game.board_ends[-1], deal, f"{game.board_ends[-1]} board cards are due")


def _check_decision(state: State) -> None:
    """What holds where somebody is to act."""
    game, player, legal = state.game, state.player, state.legal()
    _require(0 <= player < game.players, state, f"player {player} is to act but does not exist")
    _require(not state.folded >> player & 1, state, f"player {player} is to act but has folded")
    _require(state.spent[player] < game.limits[player], state, f"player {player} is to act but is all-in")
    _require(state.to_call >= 0 or _lowers(game), state, f"player {player} is to call {state.to_call} chips")
    _require("c" in legal, state, "calling is not legal")
    if legal.max_raise_to:
        low, high = legal.min_raise_to, legal.max_raise_to
        over = state.bet < low or (_lowers(game) and high == game.limits[player])
        _require(over and low <= high, state, f"raises from {low} to {high} over a bet of {state.bet}")
        _require(high <= game.limits[player], state, f"a raise to {high} is more than player {player} has")
    for action in _edges(legal):
        _require(action in legal, state, f"{action!r} is listed but not legal")
        _check_step(state, action)
    for action in _beyond(legal):
        _check_refused(state, action)
    _check_view(state)


def _edges(legal: Legal) -> Iterator[str]:
    """The legal actions, of all sizes only the smallest and the largest."""
    if legal.fold:
        yield "f"
    yield "c"
    if legal.max_raise_to:
        yield from ("r",) if legal.limit else (f"r{legal.min_raise_to}", f"r{legal.max_raise_to}")


def _beyond(legal: Legal) -> Iterator[str]:
    """What comes close to an action but is none here."""
    yield from ("", "C", "cc", "r0", "r-1", "/")
    if not legal.fold:
        yield "f"
    if not legal.max_raise_to:
        yield "r" if legal.limit else "r1000"
    elif legal.limit:
        yield f"r{legal.max_raise_to}"
    else:
        yield from ("r", f"r{legal.min_raise_to - 1}", f"r{legal.max_raise_to + 1}", f"r0{legal.min_raise_to}")


def _check_step(state: State, action: str) -> None:
    game, player = state.game, state.player
    after = state.apply(action)
    recorded = state.history + action
    _require(after.history.rstrip("/") == recorded.rstrip("/"), state, f"{action!r} is recorded as {after.history!r}")
    _require(after.folded == (state.folded | (action == "f") << player), state, f"{action!r} changes who has folded")
    for other, (before, now) in enumerate(zip(state.spent, after.spent, strict=True)):
        moved = now - before
        _require(moved == 0 or other == player, state, f"{action!r} moves {moved} chips of player {other}")
        _require(moved >= 0 or _lowers(game), state, f"{action!r} gives player {other} chips back")
        _require(now <= game.limits[other], state, f"{action!r} takes more than player {other} has")
    if action == "f":
        _require(after.spent == state.spent, state, "folding moves chips")
    elif action == "c":
        _require(after.spent[player] == state.spent[player] + state.to_call, state, "calling does not add `to_call`")


def _lowers(game: Game) -> bool:
    """Whether a raise of somebody's last chips can lower the bet."""
    return game.betting == "limit" and game.rules == "acpc"


def _check_refused(state: State, action: str) -> None:
    try:
        state.apply(action)
    except IllegalActionError:
        return
    raise AssertionError(f"{state}: {action!r} is not legal but is taken")


def _check_view(state: State) -> None:
    """What players see of each other while the hand goes on."""
    for viewer in range(state.game.players):
        seen = state.seen_by(viewer)
        known = [player for player, cards in enumerate(seen.hole) if cards]
        expected = [viewer] if state.game.sighted[viewer] else []
        _require(known == expected, state, f"player {viewer} sees the cards of {known}")
        _require(seen.deal.board == state.board, state, f"player {viewer} sees the board {seen.deal.board}")
        _require(seen.legal() == state.legal(), state, f"player {viewer} sees other legal actions")


def _check_end(start: State, state: State) -> None:
    """What holds when a hand is over: it replays, chips are conserved, nobody loses more than they put in."""
    game = state.game
    replayed = start.play(state.history)
    _require(replayed == state and hash(replayed) == hash(state), state, "the history replays to another state")
    returns = state.returns()
    _require(len(returns) == game.players, state, f"{len(returns)} returns for {game.players} players")
    left = [player for player in range(game.players) if not state.folded >> player & 1]
    nobodys = unclaimed(state.spent, left, whole_chips=False) if _lowers(game) else 0
    _require(abs(sum(returns) + nobodys) <= CHIP_TOLERANCE, state, f"the returns {returns} do not add up to nothing")
    for player, (net, spent, ante) in enumerate(zip(returns, state.spent, game.antes_paid, strict=True)):
        put_in = spent + ante
        _require(net >= -put_in - CHIP_TOLERANCE, state, f"player {player} put in {put_in} and loses {-net}")
        if state.folded >> player & 1:
            _require(net == -put_in, state, f"player {player} folded, put in {put_in}, and gets {net}")
    if game.rules == "tda":
        _require(all(net == int(net) for net in returns), state, f"the returns {returns} are not whole chips")
    if not state.showdown:
        unseen = State.start(game).play(state.history).returns()
        _require(unseen == returns, state, f"nobody showed cards, yet without them the returns are {unseen}")
