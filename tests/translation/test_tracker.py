"""Real hands followed in the abstract betting."""

import random

import pytest

from kibitz.games import State, load_game, split_actions
from kibitz.games.named import leduc_nolimit
from kibitz.translation import MAPPINGS, Reading, Tracker, TreePlace, menu_places, write
from kibitz.translation.places import real_pot
from kibitz.tree import build_tree
from translation.random_hands import TABLES, THREE, random_action

HEADS_UP = load_game("holdem-nolimit-2p")
# 10^5 histories in all; each is read with two menus.
HANDS = {"2 players": 41_000, "3 players": 20_000, "6 players": 8_000, "limit, 3 players": 3_000}
OTHERS = 4_000
NEAREST = Reading("det-arith")


def test_there_are_a_hundred_thousand():
    assert sum(HANDS.get(name, OTHERS) for name in TABLES) == 100_000


@pytest.mark.parametrize("name", TABLES)
def test_any_legal_hand_can_be_followed(name):
    game, rng = TABLES[name], random.Random(name)
    readings = [Reading(), Reading("rand-arith", measure="chips", all_in="size", tiny="bet")]
    trackers = [
        Tracker(menu_places(game, menu), reading, rng.random)
        for menu, reading in zip(("fcpa", "1"), readings, strict=True)
    ]
    for _ in range(HANDS.get(name, OTHERS)):
        state = State.start(game)
        for tracker in trackers:
            tracker.restart()
        while not state.finished:
            action = random_action(state, rng)
            for tracker in trackers:
                tracker.follow(state, action)
            state = state.apply(action)
        for tracker in trackers:  # nobody folds in the abstract hand who has not folded in the real one
            assert not tracker.place.state.folded & ~state.folded


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("measure", ["pots", "chips"])
def test_what_holds_at_every_action(name, measure):
    game, rng = TABLES[name], random.Random(f"{name} {measure}")
    tracker = Tracker(menu_places(game, "0.5, 1, all-in"), Reading(measure=measure), rng.random)
    found = 0
    for _ in range(300):
        tracker.restart()
        state = State.start(game)
        while not state.finished:
            place = tracker.place_of(state)
            assert place is tracker.place_of(state)  # asking does not change the answer
            now = tracker.place
            assert now.player < 0 or now.round >= state.round  # the abstract hand does not fall behind
            if place is not None:
                found += 1
                assert (place.player, place.round) == (state.player, state.round)
                bet, pot, amounts, sizes, all_in = place.raises
                assert pot > 0
                assert sorted(set(amounts)) == list(amounts)
                assert all(amount > bet for amount in amounts)
                assert list(sizes) == [(amount - bet) / pot for amount in amounts]
                assert all_in == (bool(amounts) and amounts[-1] == game.limits[state.player])
                for number in range(place.call + 1 + len(amounts)):
                    assert write(place, number, state) in state.legal()
            action = random_action(state, rng)
            tracker.follow(state, action)
            state = state.apply(action)
    assert found > 300


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("mapping", MAPPINGS)
def test_who_keeps_to_the_menu_is_read_exactly(name, mapping):
    game, rng = TABLES[name], random.Random(f"{name} {mapping}")
    for reading in (Reading(mapping), Reading(mapping, measure="chips", all_in="size", tiny="bet")):
        tracker = Tracker(menu_places(game, "0.5 once, 1, all-in"), reading, rng.random)
        for _ in range(30):
            tracker.restart()
            state = State.start(game)
            while not state.finished:
                place = tracker.place_of(state)
                assert place is not None
                assert place.state == state
                assert place.raises[:2] == (state.bet, real_pot(state))
                raises = [f"r{amount}" if game.betting == "nolimit" else "r" for amount in place.raises.amounts]
                action = rng.choice(["f", "c", "c", *raises] if place.call else ["c", *raises])
                tracker.follow(state, action)
                state = state.apply(action)
            assert tracker.place.state == state


@pytest.mark.parametrize("name", ["leduc", "unequal stacks", "short blinds", "limit", "empty pot"])
def test_nodes_of_a_tree_are_the_same_places(name):
    game = load_game("leduc") if name == "limit" else TABLES[name]
    menu = "fcpa" if name == "leduc" else "1 @1, all-in"
    tree, rng = build_tree(game, menu), random.Random(name)
    by_node, by_menu = (
        Tracker(root, Reading("rand-arith"), random.Random(3).random)
        for root in (TreePlace(tree), menu_places(game, menu))
    )
    on_menu = Tracker(TreePlace(tree), Reading(), rng.random)
    for _ in range(300):
        state, node = State.start(game), 0
        on_menu.restart()
        while not state.finished:  # a hand of the tree
            assert on_menu.place_of(state).node == node
            assert on_menu.place.raises[:2] == (state.bet, real_pot(state))
            first = int(tree.first_child[node])
            node = rng.randrange(first, first + int(tree.children[node]))
            on_menu.follow(state, tree.actions[node])
            state = state.apply(tree.actions[node])
        assert on_menu.place.node == node
        state = State.start(game)
        by_node.restart()
        by_menu.restart()
        while not state.finished:  # any hand
            here, there = by_node.place_of(state), by_menu.place_of(state)
            assert (here is None) == (there is None)
            if here is not None:
                assert (here.player, here.round, here.call) == (there.player, there.round, there.call)
                assert here.raises == there.raises
                assert tree.history(here.node) == there.state.history
            action = random_action(state, rng)
            by_node.follow(state, action)
            by_menu.follow(state, action)
            state = state.apply(action)


@pytest.mark.parametrize("name", TABLES)
def test_catching_up_is_following(name):
    game, rng = TABLES[name], random.Random(name)
    root = menu_places(game, "fcpa")
    for seed in range(60):
        stepwise, late = (Tracker(root, Reading(), random.Random(seed).random) for _ in range(2))
        state = State.start(game)
        while not state.finished:
            place = stepwise.place_of(state)
            if rng.random() < 0.4:
                assert late.catch_up(state) is place
            action = random_action(state, rng)
            if place is not None and rng.random() < 0.2 and late._real is not None and late._real == state:
                stepwise.choose(action, place.call)
                late.choose(action, place.call)
            stepwise.follow(state, action)
            state = state.apply(action)
        assert late.catch_up(state) is None
        assert stepwise.place_of(state) is None
        assert late.place is stepwise.place


def test_a_new_hand_is_noticed_by_its_betting():
    tracker = Tracker(menu_places(HEADS_UP, "fcpa"), NEAREST, random.Random(0).random)
    for history in ("r300", "r3000", "r300c/", "cc/", "", "r20000"):
        state = State.start(HEADS_UP).play(history)
        fresh = Tracker(tracker._root, NEAREST, random.Random(0).random)
        assert tracker.catch_up(state) is fresh.catch_up(state)


def follow(game, history, menu="fcpa", reading=NEAREST):
    """A tracker after `history`, and the real state."""
    tracker, state = Tracker(menu_places(game, menu), reading, lambda: 0.0), State.start(game)
    for action in split_actions(history):
        tracker.follow(state, action)
        state = state.apply(action)
    return tracker, state


def test_a_tiny_bet_is_a_check():
    tracker, state = follow(HEADS_UP, "cc/r200")  # half a pot is not tiny
    assert tracker.place_of(state).state.history == "cc/r300"
    tracker, state = follow(HEADS_UP, "r600c/r700")  # 2.5 pots are a pot, and 100 into 1,200 a check
    assert tracker.place_of(state).state.history == "r300c/c"
    assert tracker.place.call == 0


def test_an_overbet_below_all_in_may_be_all_in():
    tracker, state = follow(HEADS_UP, "r15000")
    assert tracker.place_of(state).state.history == "r20000"


def test_bets_after_the_abstract_hand_is_all_in():
    tracker, state = follow(HEADS_UP, "r15000c/")
    assert tracker.place_of(state) is None
    assert tracker.place.state.finished
    for action in ("r15500", "r16000", "c"):
        tracker.follow(state, action)
        state = state.apply(action)
        assert tracker.place_of(state) is None


def test_a_real_all_in_in_a_menu_without_one():
    tracker, state = follow(HEADS_UP, "r20000", menu="1")
    assert tracker.place_of(state).state.history == "r300"


def test_what_closed_the_abstract_round_is_read_again_when_somebody_raises():
    # Two check, the third bets a third of the pot, read as a check: the abstract flop is over.
    tracker, state = follow(THREE, "ccc/ccr200")
    assert tracker.place_of(state) is None
    assert tracker.place.state.history == "ccc/ccc/"
    # Then the first raises to 2.3 pots: read as a pot bet of the third, which the first calls.
    tracker.follow(state, "r800")
    state = state.apply("r800")
    place = tracker.place_of(state)
    assert place.state.history == "ccc/ccr400c"
    assert place.player == 1
    for action in ("c", "c"):
        tracker.follow(state, action)
        state = state.apply(action)
    assert tracker.place_of(state).state.history == "ccc/ccr400cc/"


def test_what_is_read_again_is_at_least_a_raise():
    # 2 pots are a pot; then 100 and 200 into 1,800 would both be a check, but two have raised.
    tracker, state = follow(THREE, "r600cc/ccr700r800")
    assert tracker.place_of(state).state.history == "r350cc/ccr1400c"


def test_a_size_that_may_be_used_once_comes_back_in_the_next_round():
    place = menu_places(HEADS_UP, "0.5 once, 1").child(1).child(0)  # cc/
    assert [round(size, 3) for size in place.raises.sizes] == [0.5, 1.0]
    raised = place.child(1).child(2)  # half a pot, and a pot over it
    assert [round(size, 3) for size in raised.raises.sizes] == [1.0]
    assert [round(size, 3) for size in raised.child(1).raises.sizes] == [0.5, 1.0]


def test_a_caller_between_is_asked_again():
    # The first calls the small bet and the second raises: now the first faces a pot bet in the abstract hand as well.
    tracker, state = follow(THREE, "ccc/ccr200cr800")
    assert tracker.place_of(state) is None  # the third has bet and faces more in the real hand only: he calls
    tracker.follow(state, "c")
    state = state.apply("c")
    assert tracker.place_of(state).state.history == "ccc/ccr400"


def test_who_has_folded_folds_there_too():
    tracker, state = follow(TABLES["6 players"], "r400ffffc/")
    place = tracker.place_of(state)
    assert place is not None
    assert place.state.folded == state.folded


def test_a_phantom_checks_where_he_faces_nothing():
    # The small bet is a check in the abstract hand, so the fold that follows it is one too; he folds when he must pay.
    tracker, state = follow(THREE, "ccc/r200fc/")
    place = tracker.place_of(state)
    assert place.player == 0
    assert place.state.folded == 0
    tracker.follow(state, "r600")
    state = state.apply("r600")
    place = tracker.place_of(state)
    assert place.player == 2
    assert place.state.folded == 0b010
    assert place.state.history == "ccc/ccc/r400f"  # 0.8 of the real pot of 500 is a pot of the abstract 300


def test_a_short_all_in_is_an_all_in_of_the_same_player():
    game = TABLES["unequal stacks"]
    tracker, state = follow(game, "r300r380")
    assert tracker.place_of(state).state.history == "r350r380"
    # Without all-in on the menu it is a small raise, hence a call, and its owner calls from then on.
    tracker, state = follow(game, "r300r380cc/", menu="1")
    place = tracker.place_of(state)
    assert place.player == 1
    assert place.state.spent[0] <= 380


def test_own_choices_are_known_and_not_read():
    root = menu_places(HEADS_UP, "0.5, 1, all-in")
    tracker = Tracker(root, NEAREST, lambda: 0.0)
    state = State.start(HEADS_UP).play("r600c/")
    place = tracker.catch_up(state)
    number = place.call + 1
    action = write(place, number, state)
    assert action == "r1200"
    tracker.choose("r1231", number)  # a size of his own: read it would be 0.526 pots
    tracker.follow(state, "r1231")
    assert tracker.place is place.child(number)
    tracker.restart()
    place = tracker.catch_up(state)
    tracker.choose("r1231", number + 2)
    tracker.follow(state, "r1800")  # another than he announced: read
    assert tracker.place is place.child(number + 1)


def test_an_own_raise_that_had_to_be_a_call_is_still_a_raise():
    game = leduc_nolimit(max_raises=1)
    root = menu_places(game, "1, all-in")
    tracker = Tracker(root, NEAREST, lambda: 0.0)
    state = State.start(game).play("r2")  # half a pot is a pot: then nobody may raise; a check would leave it open
    tracker.place = root.child(0)
    assert tracker.place_of(state).raises.amounts
    tracker.choose("c", 1)
    tracker.follow(state, "c")
    assert tracker.place.state.history == "cr3"
    assert tracker.place_of(state.apply("c")).state.history == "cr3c/"  # the other calls it, and the hands are level


def test_six_players_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr("kibitz.translation.places.MOST_KEPT", 50)
    game, rng = TABLES["6 players"], random.Random(1)
    root = menu_places(game, "fcpa")
    tracker = Tracker(root, Reading(), rng.random)
    for _ in range(50):
        tracker.restart()
        state = State.start(game)
        while not state.finished:
            action = random_action(state, rng)
            tracker.follow(state, action)
            state = state.apply(action)
    assert root._menus.kept == 50
