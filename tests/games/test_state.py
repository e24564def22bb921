"""States are values: equality, hashing, what a player may see, text."""

import lzma
import pickle

import pytest

from kibitz.cards import parse_cards
from kibitz.errors import CardError, IllegalActionError
from kibitz.games import Deal, Game, State, format_deal, load_game, split_actions
from kibitz.games.named import nolimit_holdem

HOLE = tuple(map(parse_cards, ("AsAh", "KsKh", "QsQh")))
BOARD = parse_cards("2c7d9hJsKc")
DEAL = Deal(HOLE, BOARD)


@pytest.fixture
def start():
    return State.start(nolimit_holdem(3), DEAL)


def test_applying_leaves_the_state_as_it_was(start):
    before = pickle.dumps(start)
    after = start.apply("r300")
    assert after is not start
    assert pickle.dumps(start) == before
    with pytest.raises(AttributeError):
        start.bet = 5


def test_equal_histories_are_equal_states_and_hash_alike(start):
    one = start.play("r300cc/")
    other = State.start(nolimit_holdem(3), DEAL).apply("r300").apply("c").apply("c")
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, start}) == 2


def test_states_of_other_games_deals_and_histories_differ(start):
    assert start != State.start(nolimit_holdem(3, stack=500), DEAL)
    assert start != State.start(nolimit_holdem(3))
    assert start.play("r300") != start.play("r301")
    # The same chips by another way are another state.
    assert start.play("r300r500r700") != start.play("r300r700")


def test_a_state_travels(start):
    state = start.play("r300c")
    assert pickle.loads(pickle.dumps(state)) == state


def test_slashes_may_be_left_out(start):
    assert start.play("r300ccccc") == start.play("r300cc/ccc/")
    assert start.play("") == start
    assert split_actions("r300c/cr600f") == ["r300", "c", "c", "r600", "f"]


@pytest.mark.parametrize("text", ["r300/cc", "//", "r300cc//", "ccc/r200/c", "/"])
def test_slashes_in_the_wrong_places_are_refused(start, text):
    with pytest.raises(IllegalActionError, match="in the wrong place"):
        start.play(text)


def test_a_slash_may_stand_where_a_round_has_just_ended(start):
    assert start.play("r300cc/").play("/ccc") == start.play("r300cc").play("ccc") == start.play("r300cc/ccc/")


@pytest.mark.parametrize(
    ("game", "deal", "message"),
    [
        ("kuhn", Deal(((51,), (51,))), "As is dealt twice"),
        ("kuhn", Deal(((0,), (51,))), "2c not in the deck of this game, QsKsAs$"),
        ("kuhn", Deal(((-1,), (51,))), "^-1 not in the deck"),
        ("holdem-nolimit-2p", Deal(((51, 50),), (0, 1, 2)), "hole cards of 1 players: the game has 2"),
        ("holdem-nolimit-2p", Deal(((), (51, 50)), (0, 1, 51)), "As is dealt twice"),
        ("holdem-nolimit-2p", Deal(((99, 50), ())), "^99 not in the deck"),
    ],
)
def test_cards_that_cannot_be_dealt_are_refused(game, deal, message):
    with pytest.raises(CardError, match=message):
        State.start(load_game(game), deal)


def test_a_player_sees_own_cards_and_the_board_so_far(start):
    for player in range(3):
        seen = start.seen_by(player)
        assert seen.hole == tuple(cards if p == player else () for p, cards in enumerate(HOLE))
        assert seen.deal.board == ()
    flop = start.play("ccc/")
    assert flop.seen_by(1).deal == Deal(((), HOLE[1], ()), BOARD[:3])
    assert flop.play("ccc").seen_by(1).deal.board == BOARD[:4]


def test_a_fold_shows_nothing(start):
    over = start.play("fr300f")
    assert over.finished
    assert over.seen_by(0).hole == (HOLE[0], (), ())
    assert over.seen_by(2).hole == ((), (), HOLE[2])
    assert over.seen_by(2).deal.board == ()
    late = start.play("ccc/r200ff")
    assert late.seen_by(0).deal == Deal((HOLE[0], (), ()), BOARD[:3])


def test_a_showdown_shows_those_who_did_not_fold(start):
    over = start.play("ccc/r200cf/cc/cc")
    assert over.finished
    assert over.seen_by(0).deal == Deal((HOLE[0], HOLE[1], ()), BOARD)
    assert over.seen_by(2).deal == Deal(HOLE, BOARD)  # the folder still knows the own cards
    all_in = start.play("r20000fc")
    assert all_in.seen_by(0).deal == Deal((HOLE[0], HOLE[1], HOLE[2]), BOARD)
    assert all_in.seen_by(1).deal == Deal(((), HOLE[1], HOLE[2]), BOARD)


def test_what_is_seen_can_be_played_on(start):
    seen = start.play("ccc/").seen_by(0)
    assert seen.legal() == start.play("ccc/").legal()
    assert seen.play("r200c").history == "ccc/r200c"


def test_text_is_that_of_acpc(start):
    assert str(start) == ":AsAh|KsKh|QsQh"
    assert str(start.seen_by(1)) == ":|KsKh|"
    assert str(start.play("ccc/").seen_by(2)) == "ccc/:||QsQh/2c7d9h"
    assert str(start.play("r20000cc")) == "r20000cc///:AsAh|KsKh|QsQh/2c7d9h/Js/Kc"
    assert str(State.start(nolimit_holdem(2)).play("r300c")) == "r300c/:|/"


def test_board_cards_of_the_first_round_follow_the_hole_cards():
    """As the original dealer prints them: a separator stands before every round but the first."""
    game = Game(
        betting="limit",
        stacks=(100, 100),
        blinds=(1, 1),
        raise_sizes=(1, 1),
        first_players=(0, 0),
        max_raises=(1, 1),
        suits=4,
        ranks=13,
        hole_cards=1,
        board_cards=(1, 2),
    )
    deal = Deal(((51,), (47,)), parse_cards("2c3c4c"))
    state = State.start(game, deal)
    assert state.board == parse_cards("2c")
    assert format_deal(game, deal, 0) == "As|Ks2c"
    assert format_deal(game, deal, 1) == "As|Ks2c/3c4c"


def test_unknown_cards_print_as_nothing():
    game = nolimit_holdem(3)
    assert format_deal(game, Deal(), 0) == "||"
    assert format_deal(game, Deal(((), HOLE[1], ()), BOARD[:3]), 1) == "|KsKh|/2c7d9h"


def test_the_pot_and_what_to_call(start):
    assert (start.pot, start.to_call) == (150, 100)
    state = start.play("r300")
    assert (state.pot, state.to_call, state.player) == (450, 250, 0)
    assert state.play("cc").to_call == 0
    short = State.start(nolimit_holdem(2, stack=80))
    assert (short.to_call, short.bet) == (30, 80)  # never more than there is


def test_returns_wait_for_the_end(start):
    with pytest.raises(IllegalActionError, match="is not over: player 2 is to act"):
        start.returns()


def test_a_showdown_needs_cards_and_a_fold_does_not():
    start = State.start(nolimit_holdem(2))
    assert start.play("r300f").returns() == (-100, 100)
    over = start.play("r20000c")
    with pytest.raises(IllegalActionError, match="needs 2 hole cards of player 0 and 5 board cards; known are 0 and 0"):
        over.returns()
    half = State.start(nolimit_holdem(2), Deal((HOLE[0], ()), BOARD)).play("r20000c")
    with pytest.raises(IllegalActionError, match="hole cards of player 1"):
        half.returns()
    unseen = State.start(nolimit_holdem(2), Deal(HOLE[:2], BOARD[:3])).play("r20000c")
    with pytest.raises(IllegalActionError, match="known are 2 and 3"):
        unseen.returns()


def test_the_values_of_real_hands():
    """From a log of the original dealer."""
    game = load_game("holdem-nolimit-2p")
    deal = Deal((parse_cards("5d5c"), parse_cards("9hQd")), parse_cards("8dAs8s4h6d"))
    assert State.start(game, deal).play("r19686r20000c///").returns() == (20000, -20000)
    assert State.start(game, deal).play("f").returns() == (50, -50)


def test_real_matches_replay_to_the_same_values(data):
    folder = data / "acpc" / "logs"
    files = [*folder.glob("*p.*.h1000.r0.log"), *folder.glob("leduc*.xz")]
    assert len(files) == 4
    for file in files:
        text = lzma.decompress(file.read_bytes()).decode() if file.suffix == ".xz" else file.read_text()
        lines = text.splitlines()
        game = load_game(next(line for line in lines if line.startswith("# name/game")).split()[-3])
        for line in [line for line in lines if line.startswith("STATE:")][:5000]:
            _, _, betting, cards, values, _ = line.split(":")
            hole, _, board = cards.partition("/")
            deal = Deal(tuple(map(parse_cards, hole.split("|"))), parse_cards(board.replace("/", "")))
            over = State.start(game, deal).play(betting)
            assert str(over) == f"{betting}:{cards}"
            assert over.returns() == pytest.approx([float(value) for value in values.split("|")], abs=1e-6), line
