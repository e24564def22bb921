"""Local best responses: what they believe, what they choose, and what they win, against a plain twin and plays."""

import json
from dataclasses import replace
from math import comb

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents import FrequencyAgent, load_agent
from kibitz.cards import parse_cards
from kibitz.cli import main
from kibitz.equity import compute_equity
from kibitz.equity.strength import hand_strength
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Deal, State, load_game
from kibitz.policy import _kernels, policy_of
from kibitz.policy.hands import HOLES
from kibitz.policy.strengths import hand_strengths
from kibitz.responses.local import local_response, local_samples
from kibitz.responses.local.betting import Settings, _price
from kibitz.responses.local.response import LocalBoard, LocalResponder
from kibitz.tree.build import resolve_menus
from responses.plain_local import TREE, PlainResponder, equities, number, toy_agent
from responses.plain_real import apart, wins

BOARD = parse_cards("2c7dTh Js 3s")
HOLE = parse_cards("AsTd")
STREETS = (0, 3, 4, 5)


def no_dice() -> float:
    raise AssertionError("nothing to draw")


@pytest.mark.parametrize("dealt", [3, 4, 5])
@pytest.mark.parametrize("other", ["KsKh", "9s8s", "Ac4h"])
def test_leads_are_exact_once_there_is_a_board(dealt, other):
    board = LocalBoard(BOARD[:dealt])
    one, two = (int(np.flatnonzero(board.numbers == number(cards))[0]) for cards in (HOLE, parse_cards(other)))
    vectors = np.zeros((1, len(board.numbers)), dtype=np.float32)
    vectors[0, two] = 2.0
    rivals, lead = board.meet(vectors, compared=True)
    wanted = compute_equity(["AsTd", other], BOARD[:dealt], method="exact").equities[0]
    assert rivals[0, one] == 2
    assert lead[0, one] == pytest.approx(2 * (2 * wanted - 1), abs=1e-6)
    assert equities(HOLE, BOARD[:dealt])[number(parse_cards(other))] == pytest.approx(wanted)


def test_chips_that_nobody_can_match_have_no_price():
    game = replace(load_game("holdem-nolimit-2p"), stacks=(700, 1000), antes=(20, 20), blinds=(100, 50))
    state = State.start(game)
    assert _price(state, "r980") == _price(state, "r680") == (70, 700, 120, -700)
    short = State.start(replace(game, stacks=(110, 1000), rules="tda"))  # who has 90 left of his blind of 100
    assert _price(short, "c")[:2] == (70, 110)  # 40 more, for a pot of 180
    assert _price(state.apply("r980"), "c")[:2] == _price(state.apply("r680"), "c")[:2]  # the rest is of folds


def test_leads_before_the_flop_are_means_over_suits():
    board = LocalBoard(())
    aces = number(parse_cards("AsAh"))
    lead = board._behind[:, aces]
    kings = [lead[number(parse_cards(text))] for text in ("KdKc", "KsKd", "KsKh")]
    mean = (0.8125548968 + 4 * 0.8194605047 + 0.8263661126) / 6
    assert kings == pytest.approx([2 * mean - 1] * 3, abs=1e-6)
    assert lead[number(parse_cards("AsKd"))] == 0  # the ace is taken


def test_meetings_are_those_of_matrices():
    board = LocalBoard(BOARD)
    vectors = np.random.default_rng(0).random((19, len(board.numbers)), dtype=np.float32)
    rivals, lead = board.meet(vectors, compared=True)
    assert rivals == pytest.approx(vectors @ apart(board.holes), rel=1e-4)
    assert lead == pytest.approx(vectors @ wins(board.holes, BOARD).T, rel=1e-4, abs=1e-2)
    unsorted = np.empty_like(lead), np.zeros_like(lead)
    _kernels.meet(vectors, board.holes.astype(np.int64), np.zeros(0, dtype=np.int64), *unsorted)
    assert unsorted[0] == pytest.approx(rivals, rel=1e-4)
    assert not unsorted[1].any()


@pytest.mark.parametrize("dealt", [3, 4, 5])
def test_strengths_of_all_hands_are_those_of_each(dealt):
    found = hand_strengths(tuple(BOARD[:dealt]))
    for hand in np.random.default_rng(1).choice(len(HOLES), 60, replace=False):
        hole = tuple(sorted(HOLES[hand].tolist()))
        blocked = set(hole) & set(BOARD[:dealt])
        assert found[hand] == (0 if blocked else hand_strength(hole, tuple(BOARD[:dealt])))  # to the last bit


def test_values_are_those_of_the_formula():
    """Lisý and Bowling 2017, algorithm 1, with an agent that folds a quarter of the time."""
    agent = FrequencyAgent.of("quarter", {"call": 1}, {"fold": 1, "call": 3})
    plain = PlainResponder(policy_of(agent), load_game("holdem-nolimit-2p"), 0, HOLE, BOARD, "0.5, 1, all-in")
    state = State.start(plain.game, Deal(((), ()), BOARD)).play("r300c/cc/r600")
    point = state, plain.view.start(plain.game, 0), np.ones((1, len(HOLES)))
    free = ~np.isin(HOLES, [*HOLE, *BOARD[:4]]).any(axis=1)
    win = equities(HOLE, BOARD[:4])[free].mean()
    assert (state.player, state.pot, state.to_call) == (1, 900, 300)
    wanted = {"f": 0.0, "c": win * 900 - (1 - win) * 300}
    for size, bet in (("r1200", 600), ("r1800", 1200), ("r20000", 19400)):
        wanted[size] = 0.25 * 900 + 0.75 * (win * (900 + bet) - (1 - win) * (300 + bet))
    assert plain.values(point) == pytest.approx(wanted)


def small_game(stack: int):
    return replace(load_game("holdem-nolimit-2p"), stacks=(stack, stack))


def views():
    """Agents, what is known of them, and a game they play."""
    yield "strategy", *toy_agent(3, "det-geo"), TREE.game
    yield "reader", *toy_agent(2, "rand-psharmonic"), TREE.game
    for name in ("tight-aggressive", "loose-passive-bluffing", "always-raise"):
        agent = load_agent(name)
        yield name, agent, policy_of(agent), small_game(3000)
    limit = load_agent("loose-aggressive-bluffing")
    yield "limit", limit, policy_of(limit), load_game("holdem-limit-2p")


VIEWS = {name: rest for name, *rest in views()}


@pytest.mark.parametrize("name", list(VIEWS))
@pytest.mark.parametrize(("agent_seat", "call_until"), [(0, 0), (1, 2)])
def test_what_every_hand_wins_is_what_a_plain_loop_finds(name, agent_seat, call_until):
    _agent, view, game = VIEWS[name]
    sizes = "0.6, all-in" if name == "reader" else "1, all-in"
    responder = LocalResponder(view, game, Settings(resolve_menus(game, sizes)[0], call_until, agent_seat))
    streets = [LocalBoard(tuple(BOARD[:size])) for size in STREETS]
    worth = responder.worth(streets, no_dice)
    for text in ("AsTd", "6s5s"):
        hole = parse_cards(text)
        plain = PlainResponder(view, game, agent_seat, hole, BOARD, sizes, call_until)
        found = [float(each[board.numbers == number(hole)][0]) for each, board in zip(worth, streets, strict=True)]
        # Single precision, and sums of about 1,000 hands, in which stakes up to all-in cancel.
        assert found == pytest.approx(plain.worth(), rel=1e-4, abs=3e-6 * 1225 * min(2000, *game.stacks))
        assert any(found)


@pytest.mark.parametrize("name", ["reader", "loose-passive-bluffing"])
def test_plays_come_to_what_is_summed(name):
    """The agent plays with its own dice; the responder is the plain one."""
    agent, view, game = VIEWS[name]
    generator = np.random.default_rng(5)
    sizes = "0.6, all-in" if name == "reader" else "1, all-in"
    for seat, text in ((0, "AsTd"), (1, "9c8c")):
        plain = PlainResponder(view, game, seat, parse_cards(text), BOARD, sizes, 1)
        left = np.flatnonzero(~np.isin(HOLES, [*plain.hole, *BOARD]).any(axis=1))
        assert len(left) == comb(45, 2)
        agent.reset(game, 17)
        won = np.array([plain.play(agent, HOLES[generator.choice(left)].tolist()) for _ in range(250)])
        doubt = won.std() / np.sqrt(len(won))
        assert won.mean() == pytest.approx(plain.expected(), abs=4 * doubt)
        assert doubt > 0  # looking at the agent has left its dice alone


def test_sizes_that_are_drawn_stand_for_all():
    """Of an agent that bets any amount one is drawn for each board; plays of its own dice come to the same."""
    agent, game = load_agent("example-player"), small_game(600)
    found = local_response(policy_of(agent), game, 60, seed=1, call_until=2)
    generator = np.random.default_rng(6)
    agent.reset(game, 18)
    won = []
    for deal in range(250):
        cards = generator.permutation(52)[:9].tolist()
        plain = PlainResponder(policy_of(agent), game, deal % 2, cards[:2], cards[4:], call_until=2)
        won.append(plain.play(agent, cards[2:4]))
    doubt = np.hypot(np.std(won) / np.sqrt(len(won)), found.half_width / 1.96)
    assert np.mean(won) == pytest.approx(found.chips, abs=4 * doubt)
    assert found.chips > 3 * found.half_width


def test_known_values():
    game = load_game("holdem-nolimit-2p")
    folds = local_response(policy_of(load_agent("always-fold")), game, 3)
    assert folds.samples == pytest.approx(np.broadcast_to([50, 100], (3, 2)))  # the blinds, on every board
    calls = local_response(policy_of(load_agent("always-call")), game, 3, call_until=4)
    assert calls.samples == pytest.approx(0, abs=1e-3)  # nobody bets: all pairs of hands come to nothing


def test_who_calls_everything_pays_the_better_hands_on_the_river():
    """Bets on the river only, all-in or nothing: every hand with more wins than losses wins what it leads by."""
    game = load_game("holdem-nolimit-2p")
    found = local_response(policy_of(load_agent("always-call")), game, 3, seed=2, menu="all-in", call_until=3)
    for number_, sample in enumerate(found.samples):
        cards = tuple(np.random.default_rng((2, number_)).permutation(52)[:5].tolist())
        lead = wins(HOLES, cards).sum(axis=1)
        wanted = np.where(lead > 0, 20000, 100) * lead / (1081 * 990)
        assert sample == pytest.approx(wanted.sum(), rel=1e-4)


def test_boards_depend_on_the_seed_alone():
    game = load_game("holdem-nolimit-2p")
    _agent, view = toy_agent(4, "det-geo")
    three, five = (list(local_samples(view, TREE.game, count, seed=7, call_until=2)) for count in (3, 5))
    assert three == five[:3]
    assert three != list(local_samples(view, TREE.game, 3, seed=8, call_until=2))
    drawn = [list(local_samples(policy_of(load_agent("random")), game, 2, seed=-1, call_until=3)) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_pieces_of_work_change_nothing(monkeypatch):
    _agent, view = toy_agent(6, "det-geo")
    whole = list(local_samples(view, TREE.game, 1, call_until=1))
    monkeypatch.setattr("kibitz.responses.local.response.TOGETHER", 3)
    assert np.array(list(local_samples(view, TREE.game, 1, call_until=1))) == pytest.approx(np.array(whole), rel=1e-5)


def test_games_that_are_not_holdem_for_two_are_refused():
    view = policy_of(load_agent("always-call"))
    with pytest.raises(KibitzError, match="two players of hold'em, not leduc"):
        next(local_samples(view, load_game("leduc"), 2))
    with pytest.raises(KibitzError, match="unequal antes"):
        next(local_samples(view, replace(load_game("holdem-nolimit-2p"), antes=(10, 0)), 2))
    _agent, other = toy_agent(1, "det-geo")
    with pytest.raises(AgentError, match="plays"):
        next(local_samples(other, load_game("holdem-nolimit-2p"), 2))


def test_the_command_prints_a_bound():
    result = CliRunner().invoke(main, ["measure", "lbr", "always-fold", "--boards", "3", "--json"])
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert (found["mean"], found["half_width"], found["boards"], found["seats"]) == (750, 0, 3, [500, 1000])
    text = CliRunner().invoke(main, ["measure", "lbr", "always-fold", "--boards", "2", "--sizes", "0.5, 1"]).output
    assert text.startswith("always-fold loses at least +750.00 ± 0.00 mbb/hand, 2 boards\nseed 0, holdem-nolimit-2p")
    refused = CliRunner().invoke(main, ["measure", "lbr", "jam-fold"])
    assert refused.exit_code == 2
    assert "jam-fold only plays" in refused.output


def test_sizes_with_too_many_lines_are_refused_at_once():
    view, game = policy_of(load_agent("always-call")), load_game("holdem-nolimit-2p")
    with pytest.raises(
        KibitzError, match=r"sizes full leave 19,803, .* lines of betting: at most 5,000,000 .*fewer sizes"
    ):
        local_response(view, game, 2, menu="full")
    assert np.isfinite(local_response(view, replace(game, stacks=(210, 210)), 2, menu="full").chips)
