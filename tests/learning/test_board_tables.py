"""Tables of a learned policy by board against the policy, asked hand by hand."""

from itertools import permutations

import numpy as np
import pytest

from kibitz.deals.board import change_suits
from kibitz.errors import KibitzError
from kibitz.games import State, load_game
from kibitz.learning import Model, Structure, TableRules
from kibitz.learning.policy import DecisionKey, LearnedPolicy
from kibitz.policy.base import free_hands
from kibitz.policy.boards import MOST_ACTIONS
from kibitz.policy.hands import HOLES, decisions

BOARD = (3, 17, 40, 41, 50)
VARIANTS = [{}, {"self_aware": True}, {"public_observer": True, "profile": "listed"}, {"chips": "saturating"}]


def policy(scale=0.3, **options) -> LearnedPolicy:
    made = Model.random(Structure(**options), 3, scale)
    made.weights.values[:] *= 3
    made.weights.initial[:] = np.random.default_rng(0).dirichlet(np.full(8, 4.0))
    return LearnedPolicy(made)


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def asked(request):
    made = policy(**request.param)
    return made, made.in_game(load_game("holdem-limit-2p"))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("round_", range(4))
def test_tables_say_what_the_policy_says(asked, player, round_):
    made, tables = asked
    tree = tables.tree
    states, nodes = dict(decisions(tree)), tables.decisions(player, round_)
    board = BOARD[: tree.game.board_ends[round_]]
    found = np.full((len(nodes), MOST_ACTIONS, 1328), np.nan, dtype=np.float32)
    tables.fill(player, board, HOLES, found)
    for number in np.random.default_rng(player).permutation(len(nodes))[:25].tolist():
        wanted = made.probabilities(states[nodes[number]], HOLES, board)
        np.testing.assert_allclose(found[number, : len(wanted), : len(HOLES)], wanted, atol=2e-6)
    last = int(nodes[-1])
    np.testing.assert_allclose(tables.at(last, BOARD), made.probabilities(states[last], HOLES, board), atol=2e-6)


@pytest.mark.parametrize("uncapped", [False, True])
def test_local_responses_are_told_the_same(uncapped):
    """By table where the betting ends, else hand by hand."""
    made, game = policy(), TableRules(cap=1, uncapped_heads_up=uncapped).game(2)
    state = State.start(game).play("cc/cr")
    hands = HOLES[free_hands(HOLES, BOARD[:3])]
    key = made.key(state)
    assert isinstance(key, DecisionKey) != uncapped
    found = made.chances(state.player, hands, BOARD[:3])(key)
    np.testing.assert_allclose(found, made.probabilities(state, hands, BOARD[:3]), atol=2e-6)


def test_large_weights_make_no_table_of_nothing():
    """Differences of hundreds between logits and between values."""
    made = policy(scale=20.0)
    tables = made.in_game(load_game("holdem-limit-2p"))
    states = dict(decisions(tables.tree))
    for node in (0, *tables.decisions(1, 3)[::400].tolist()):
        board = BOARD[: tables.tree.game.board_ends[int(tables.tree.round[node])]]
        wanted = made.probabilities(states[node], HOLES, board)
        assert np.isfinite(wanted).all()
        np.testing.assert_allclose(tables.at(node, BOARD), wanted, atol=2e-4)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_names_of_suits_and_the_order_of_the_flop_do_not_matter(options):
    """Best responses deal boards once that these alone tell apart."""
    made = policy(**options)
    tables = made.in_game(TableRules(cap=1, uncapped_heads_up=False).game(2))
    place = {tuple(sorted(hand)): number for number, hand in enumerate(HOLES.tolist())}
    noise = np.random.default_rng(5)
    for _ in range(12):
        board = noise.choice(52, 5, replace=False).tolist()
        suits = list(permutations(range(4)))[noise.integers(1, 24)]
        changed = [change_suits(card, suits) for card in board]
        moved = [place[tuple(sorted(change_suits(card, suits) for card in hand))] for hand in HOLES.tolist()]
        for round_ in (1, 2, 3):
            node = int(tables.decisions(round_ % 2, round_)[-1])
            found = tables.at(node, board)
            np.testing.assert_allclose(tables.at(node, changed)[:, moved], found, atol=2e-6)
            shuffled = (*noise.permutation(board[:3]).tolist(), *board[3:])
            np.testing.assert_allclose(tables.at(node, shuffled), found, atol=2e-6)


def test_tables_that_are_too_wide_are_refused():
    tables = policy().in_game(TableRules(cap=1, uncapped_heads_up=False).game(2))
    with pytest.raises(ValueError, match="at most 1328"):
        tables.fill(0, (), HOLES, np.zeros((1, MOST_ACTIONS, 1344), dtype=np.float32))


def test_games_without_tables_are_refused():
    with pytest.raises(KibitzError, match="two players"):
        policy().in_game(load_game("holdem-limit-3p"))
    with pytest.raises(KibitzError, match="limit hold'em"):
        policy().in_game(load_game("holdem-nolimit-2p"))
    with pytest.raises(KibitzError, match="cap"):
        policy().in_game(TableRules().game(2))
