"""No-limit hold'em under TDA rules against PokerKit, hand by hand."""

from itertools import islice
from random import Random

import pytest

from kibitz.cards import format_cards
from kibitz.evaluator import evaluate
from kibitz.games import Game, State, deal_hands

pokerkit = pytest.importorskip("pokerkit")

AUTOMATIONS = tuple(
    getattr(pokerkit.Automation, name)
    for name in (
        "ANTE_POSTING",
        "BET_COLLECTION",
        "BLIND_OR_STRADDLE_POSTING",
        "HOLE_CARDS_SHOWING_OR_MUCKING",
        "HAND_KILLING",
        "CHIPS_PUSHING",
        "CHIPS_PULLING",
    )
)


def random_game(random: Random) -> Game:
    """Two to six players with more than their ante and blind, some of them short."""
    players = random.randint(2, 6)
    big = random.randint(2, 10)
    small = random.randint(1, big - 1)
    ante = random.choice((0, 0, 1, 3))
    blinds = (big, small) if players == 2 else (small, big, *(0,) * (players - 2))
    stacks = tuple(ante + blind + random.randint(1, random.choice((10, 60, 400))) for blind in blinds)
    return Game(
        betting="nolimit",
        stacks=stacks,
        blinds=blinds,
        raise_sizes=(),
        first_players=(1 if players == 2 else 2 % players, 0, 0, 0),
        max_raises=(255,) * 4,
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        antes=(ante,) * players,
        rules="tda",
    )


def create_peer(game: Game, deal):
    """The same hand at PokerKit's table; heads-up it reverses the blinds itself."""
    blinds = game.blinds[::-1] if game.players == 2 else game.blinds
    peer = pokerkit.NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, game.antes, blinds, game.smallest_bet, game.stacks, game.players
    )
    for hole in deal.hole:
        peer.deal_hole(format_cards(hole))
    return peer


def deal_board(peer, cards) -> None:
    """Deal the streets that are due."""
    while peer.status and peer.actor_index is None:
        peer.burn_card("??")
        start = sum(len(board) for board in peer.board_cards)
        peer.deal_board(format_cards(cards[start : start + (1 if start else 3)]))


def play_both(game: Game, deal, random: Random) -> None:
    state, peer = State.start(game, deal), create_peer(game, deal)
    short_all_in, round_, base = False, 0, 0
    while not state.finished:
        if state.round != round_:
            round_, base, short_all_in = state.round, state.bet, False
        legal = state.legal()
        if peer.actor_index != state.player and not state.to_call and not legal.max_raise_to:
            state = state.apply("c")  # PokerKit does not ask who has nothing to call and nobody to bet against
            continue
        assert peer.actor_index == state.player, state.history
        least, most = peer.min_completion_betting_or_raising_to_amount, peer.max_completion_betting_or_raising_to_amount
        theirs = (least + base, most + base) if most else (0, 0)
        # After a short all-in PokerKit lets more players raise again than TDA's rule 47: it asks whether the bet has
        # grown by a full raise since the last full one, not since the player acted; and takes any first bet for full.
        if not short_all_in or legal.max_raise_to:
            assert (legal.min_raise_to, legal.max_raise_to) == theirs, state.history
        assert peer.checking_or_calling_amount == state.to_call
        action = random.choices("fcr", weights=(1 if state.to_call else 0, 4, 3 if legal.max_raise_to else 0))[0]
        if action == "f":
            peer.fold()
        elif action == "c":
            peer.check_or_call()
        else:
            spread = (legal.min_raise_to, legal.max_raise_to, random.randint(legal.min_raise_to, legal.max_raise_to))
            size = random.choice(spread)
            short_all_in |= size < state.min_raise_to
            peer.complete_bet_or_raise_to(size - base)
            action = f"r{size}"
        state = state.apply(action)
        deal_board(peer, deal.board)
    if peer.status and state.able.bit_count() == 1:
        peer.check_or_call()  # PokerKit still asks the last player with chips after a fold; no room does
        deal_board(peer, deal.board)
    assert not peer.status
    returned = [stack + chips for stack, chips in zip(game.stacks, state.returns(), strict=True)]
    # Where hands tie, PokerKit joins side pots with the same winners and gives all odd chips to one of them.
    odd_chips = game.players if has_tie(state) else 0
    assert returned == pytest.approx(peer.stacks, abs=odd_chips), f"{game.stacks} {state}"
    assert sum(returned) == sum(peer.stacks)


def has_tie(state: State) -> bool:
    values = [evaluate(hole + state.deal.board) for p, hole in enumerate(state.hole) if not state.folded >> p & 1]
    return state.showdown and len(set(values)) < len(values)


@pytest.mark.parametrize("seed", range(6))
def test_hands_are_worth_the_same(seed):
    random = Random(seed)
    for _ in range(10):
        game = random_game(random)
        for deal in islice(deal_hands(game, random.getrandbits(32)), 4):
            play_both(game, deal, random)
