"""Small decks of the lowest ranks: the same games with other names for the cards, from the deal to the solution."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.arena.match import play_match
from kibitz.cards import RANKS, SUITS, format_cards, lowest_shift, make_deck
from kibitz.deals import matrix_deal
from kibitz.deals.sampled import sampled_deal
from kibitz.errors import CardError, GameError
from kibitz.games import AcpcCards, Deal, Game, State, deal_hands, format_gamedef, load_game, parse_gamedef
from kibitz.io.openspiel import from_openspiel, game_string, openspiel_name, to_openspiel
from kibitz.isomorphism import IsomorphismIndex
from kibitz.responses.best_response import measure
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import make_solver
from kibitz.testing import check_game

FLUSHES = Game("limit", (2**31 - 1,) * 2, (1, 1), (2, 4), (0, 0), (1, 1), 3, 5, 2, (0, 3), name="flushes")
PAIRS = [load_game("kuhn"), load_game("leduc"), load_game("leduc-nolimit"), load_game("kuhn-3p"), FLUSHES]


def lowest(game):
    return replace(game, deck_ranks="lowest")


def lowered(game, cards):
    return tuple(card - lowest_shift(game.suits, game.ranks) for card in cards)


def lowered_label(game, label):
    """The text of a card state with the names that its cards have in the lowest deck."""
    ranks = {RANKS[13 - game.ranks + i]: RANKS[i] for i in range(game.ranks)}
    suits = {SUITS[4 - game.suits + i]: SUITS[i] for i in range(game.suits)}
    return "".join((ranks | suits).get(letter, letter) for letter in label)


def test_the_deck():
    assert format_cards(load_game("leduc,deck=lowest").deck) == "2c3c4c2d3d4d"
    assert format_cards(load_game("kuhn,deck=lowest").deck) == "2c3c4c"
    assert make_deck(4, 13, lowest=True) == make_deck()


def test_options_of_a_game(tmp_path):
    game = load_game("leduc,deck=lowest")
    assert game == replace(load_game("leduc"), deck_ranks="lowest", name="leduc,deck=lowest")
    assert load_game("leduc, DECK = Lowest,rules=tda").rules == "tda"
    text = format_gamedef(game)
    assert "deck = lowest\n" in text
    assert parse_gamedef(text, game.name) == game
    path = tmp_path / "mine.game"
    path.write_text(format_gamedef(load_game("leduc")))
    assert load_game(f"{path},deck=lowest").deck == game.deck
    odd = tmp_path / "a,deck=lowest"  # a file may be called so
    odd.write_text(format_gamedef(load_game("kuhn")))
    assert load_game(odd).deck == load_game("kuhn").deck


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("leduc,deck=low", "deck 'low': one of highest, lowest"),
        (
            "leduc,stack=5",
            "'stack=5' behind leduc: options are rules=..., handRanking=..., anteTrimming=..., deck=..., "
            "uncappedHeadsUp=..., foldWhenFree=..., decisionCap=...",
        ),
        ("leduc,deck", "'deck' behind leduc: options are"),
        ("leduc,deck=lowest,deck=highest", "deck is given twice behind leduc"),
        ("leduk,deck=lowest", r"no game 'leduk' \(did you mean leduc\?\)"),
    ],
)
def test_wrong_options_are_refused(name, message):
    with pytest.raises(GameError, match=message):
        load_game(name)


@pytest.mark.parametrize("game", PAIRS, ids=lambda game: game.name)
def test_the_same_hands_with_other_names(game):
    check_game(lowest(game), playouts=20)
    for high, low in islice(zip(deal_hands(game, 3), deal_hands(lowest(game), 3), strict=True), 40):
        assert low == Deal(tuple(lowered(game, hole) for hole in high.hole), lowered(game, high.board))
        checked = "c" * game.players * game.rounds
        assert State.start(lowest(game), low).play(checked).returns() == State.start(game, high).play(checked).returns()


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("game", [game for game in PAIRS if game.players == 2 and game is not FLUSHES], ids=str)
def test_the_same_matrices(game, merged):
    high, low = matrix_deal(game, merged), matrix_deal(lowest(game), merged)
    for one, two in zip(high.rounds, low.rounds, strict=True):
        assert [[lowered_label(game, label) for label in labels] for labels in one.labels] == list(
            map(list, two.labels)
        )
        np.testing.assert_array_equal(one.weight, two.weight)
        np.testing.assert_array_equal(one.sign, two.sign)


def test_the_same_matrices_where_suits_matter():
    high, low = matrix_deal(FLUSHES, True), matrix_deal(lowest(FLUSHES), True)
    np.testing.assert_array_equal(high.rounds[-1].weight, low.rounds[-1].weight)
    np.testing.assert_array_equal(high.rounds[-1].sign, low.rounds[-1].sign)


@pytest.mark.parametrize("algorithm", ["cfr+", "external"])
def test_the_same_solution(algorithm):
    game = load_game("leduc")
    results = []
    for rules in (game, lowest(game)):
        problem = Problem(rules)
        solver = make_solver(algorithm, problem)
        for _ in range(20):
            solver.step()
        strategy = solver.average_strategy()
        results.append((strategy.values.tolist(), measure(problem, strategy)))
    assert results[0] == results[1]


def test_the_same_sampled_deals():
    game = load_game("leduc")
    high, low = (sampled_deal(rules, True).draw(5, 0, 50) for rules in (game, lowest(game)))
    np.testing.assert_array_equal(high.states, low.states)
    np.testing.assert_array_equal(np.sign(np.diff(high.strengths)), np.sign(np.diff(low.strengths)))


@pytest.mark.parametrize("name", ["leduc", "kuhn"])
def test_rule_agents_play_the_same(name):
    game = load_game(name)
    chips = [
        play_match(rules, [load_agent("tight-aggressive"), load_agent("loose-passive")], (1, 2), 60, AcpcCards(4))
        for rules in (game, lowest(game))
    ]
    np.testing.assert_array_equal(*chips)


def test_openspiel_has_the_same_policies():
    problem = Problem(load_game("leduc"))
    low = Problem(load_game("leduc,deck=lowest"))
    assert openspiel_name(low.game) == "leduc_poker"
    assert game_string(low.game) == game_string(problem.game)
    solver = make_solver("cfr", problem)
    solver.step()
    policy = to_openspiel(solver.average_strategy(), problem.deal)
    read = from_openspiel(policy, low.tree, low.deal)
    assert to_openspiel(read, low.deal) == policy


def test_isomorphism_of_the_lowest_deck():
    index = IsomorphismIndex("1|2", suits=3, ranks=4, lowest=True)
    same = IsomorphismIndex("1|2", suits=3, ranks=4)
    hands = same.unindex_batch(np.arange(same.sizes[-1]))
    low = index.unindex_batch(np.arange(index.sizes[-1]))
    np.testing.assert_array_equal(low, hands - lowest_shift(3, 4))
    np.testing.assert_array_equal(index.index_batch(low), np.arange(index.sizes[-1]))
    assert [index.unindex(i) for i in range(index.sizes[-1])] == [tuple(row) for row in low.tolist()]
    assert [index.index(row) for row in low.tolist()] == list(range(index.sizes[-1]))
    for strange in ((0, 1, 3), (0, 1, 20), (51, 50, 49)):  # 2s, 7c: suits and ranks that the deck has not
        with pytest.raises(CardError, match="is not in the deck of 12 cards, 2c2d2h3c3d3h"):
            index.index_batch(np.array([strange], dtype=np.uint8))
        with pytest.raises(CardError, match="is not in the deck"):
            index.index(strange)


def test_cards_of_the_other_deck_are_told():
    with pytest.raises(CardError, match=r"^2c 3d not in the deck of this game, Qh.*: add deck=lowest to the game"):
        State.start(load_game("leduc"), Deal(((0,), (5,))))
    with pytest.raises(CardError, match=r"^As not in the deck of this game, 2c.*: add deck=highest to the game"):
        State.start(load_game("leduc,deck=lowest"), Deal(((51,), ())))
    with pytest.raises(CardError, match=r"^2c 2s not in the deck of this game, QhQsKhKsAhAs$"):
        State.start(load_game("leduc"), Deal(((0,), (3,))))
