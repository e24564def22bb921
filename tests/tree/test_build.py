"""Betting trees: their arrays against the rules of the game, node by node."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import Game, State, load_game
from kibitz.games.named import leduc_nolimit, limit_holdem, nolimit_holdem, nolimit_kuhn
from kibitz.tree import DECISION, FOLD, SHOWDOWN, build_tree, size_report
from kibitz.tree import build as build_module
from kibitz.tree.build import pruned, successors
from kibitz.tree.menus import Menu, MenuError

TREES = {
    "kuhn": lambda: build_tree(load_game("kuhn")),
    "kuhn-3p": lambda: build_tree(load_game("kuhn-3p")),
    "half-street": lambda: build_tree(load_game("kuhn-half-street")),
    "leduc": lambda: build_tree(load_game("leduc")),
    "leduc-nolimit": lambda: build_tree(leduc_nolimit(7)),
    "limit-holdem": lambda: build_tree(limit_holdem()),
    "fcpa": lambda: build_tree(nolimit_holdem(), "fcpa"),
    "asymmetric": lambda: build_tree(nolimit_holdem(2, 2000), ("acpc-2011", "fcpa")),
    "three players": lambda: build_tree(nolimit_holdem(3, 600), "fchpa"),
    "three players, limit": lambda: build_tree(replace(limit_holdem(3), max_raises=(1, 1, 1, 1))),
    "unequal stacks": lambda: build_tree(
        replace(nolimit_holdem(3), stacks=(400, 150, 900)), ("fcpa", "min", "1 @1, all-in @2-")
    ),
    "tda": lambda: build_tree(replace(nolimit_holdem(3, 700), rules="tda", antes=(5, 5, 5)), "0.5 once, 1, all-in"),
}


@pytest.fixture(scope="module", params=TREES)
def tree(request):
    return TREES[request.param]()


def test_parents_come_first_and_siblings_stand_side_by_side(tree):
    nodes = np.arange(len(tree))
    assert tree.parent[0] == -1
    assert (tree.parent[1:] < nodes[1:]).all()
    seen = np.zeros(len(tree), dtype=int)
    for node in tree.decisions:
        first, count = tree.first_child[node], tree.children[node]
        assert count >= 1
        assert (tree.parent[first : first + count] == node).all()
        seen[first : first + count] += 1
    assert seen[0] == 0
    assert (seen[1:] == 1).all()
    assert (tree.children[tree.kind != DECISION] == 0).all()
    assert len(tree) == 1 + tree.children.sum()


def test_every_node_is_the_state_its_history_leads_to(tree):
    """Player, round, chips, folds and kind are those of the rules; actions are legal and on the player's menu."""
    start = State.start(tree.game)
    for node in range(len(tree)):
        state = start.play(tree.history(node))
        assert tuple(tree.spent[node]) == state.spent
        assert tree.folded[node] == state.folded
        if not state.finished:
            assert (tree.kind[node], tree.player[node], tree.round[node]) == (DECISION, state.player, state.round)
            assert tree.history(node) == state.history
            first = int(tree.first_child[node])
            actions = tree.actions[first : first + int(tree.children[node])]
            assert all(action in state.legal() for action in actions)
            assert len(set(actions)) == len(actions)
            assert "c" in actions
            assert ("f" in actions) == (state.to_call > 0)
        else:
            assert tree.round[node] == tree.round[tree.parent[node]]
            left = [p for p in range(tree.game.players) if not state.folded >> p & 1]
            if len(left) == 1:
                assert (tree.kind[node], tree.player[node]) == (FOLD, left[0])
            else:
                assert state.showdown
                assert (tree.kind[node], tree.player[node]) == (SHOWDOWN, -1)


def test_histories_round_trip(tree):
    histories = [tree.history(node) for node in range(len(tree))]
    assert len(set(histories)) == len(tree)
    assert [tree.find(history) for history in histories] == list(range(len(tree)))
    assert [tree.find(history.replace("/", "")) for history in histories] == list(range(len(tree)))


def test_the_tree_is_what_a_recursion_over_the_successors_finds(tree):
    """Depth first, the children of a node before their own: an independent walk gives the same histories."""

    def walk(state, used):
        found = []
        for _action, after, used_after in successors(tree.menus, state, used):
            found.append(after.history.rstrip("/") if after.finished else after.history)
            if not after.finished:
                found += walk(after, used_after)
        return found

    expected = sorted(walk(State.start(tree.game), ()))
    assert sorted(tree.history(node).rstrip("/") for node in range(1, len(tree))) == sorted(
        history.rstrip("/") for history in expected
    )


def test_an_unknown_action_is_named_with_those_there_are():
    tree = build_tree(nolimit_holdem(), "fcpa")
    with pytest.raises(KibitzError, match=r"'r301' after 'the start': the tree has f, c, r300, r20000"):
        tree.find("r301c")
    with pytest.raises(KibitzError, match=r"'r700' after 'r300c/': the tree has c, r900, r20000"):
        tree.find("r300c/r700")
    with pytest.raises(KibitzError, match="the hand is over"):
        tree.find("fc")


@pytest.mark.parametrize(
    ("history", "own"), [("c/r", "cr"), ("/////c", "c"), ("c/", "c"), ("cc//", "cc/"), ("c/c", "cc/")]
)
def test_rounds_must_end_where_they_do(history, own):
    tree = build_tree(load_game("leduc"))
    with pytest.raises(KibitzError, match=f"'{history}': a / is missing or in the wrong place; it is '{own}'"):
        tree.find(history)


def test_betting_is_found_as_the_rules_write_it():
    tree = build_tree(nolimit_holdem(), "fcpa")
    for history in ("r300c/", "r300c/cc", "r20000c///", "r20000c/"):
        assert tuple(tree.spent[tree.find(history)]) == State.start(tree.game).play(history).spent
    with pytest.raises(KibitzError, match="in the wrong place"):
        tree.find("r20000c////")


# Known shapes.


def decisions_by_round(tree):
    return [int(((tree.kind == DECISION) & (tree.round == r)).sum()) for r in range(tree.game.rounds)]


def test_kuhn():
    tree = build_tree(load_game("kuhn"))
    assert [tree.history(node) for node in range(len(tree))] == [
        "", "c", "r", "cc", "cr", "crf", "crc", "rf", "rc",
    ]  # fmt: skip
    assert list(tree.player) == [0, 1, 1, -1, 0, 1, -1, 0, -1]
    assert list(tree.kind) == [0, 0, 0, 2, 0, 1, 2, 1, 2]


def test_published_counts():
    assert decisions_by_round(build_tree(nolimit_holdem(), "fcpa")) == [20, 100, 340, 900]
    assert decisions_by_round(build_tree(limit_holdem())) == [8, 70, 630, 5670]
    tree = build_tree(leduc_nolimit())  # Ganzfried and Sandholm 2013: 278,256 with suits told apart
    first, second = decisions_by_round(tree)
    assert 6 * first + 30 * second == 278_256


def test_three_players_of_limit_holdem_are_what_was_counted():
    """24 million nodes: copies of rounds that opened alike, linked as if they had been played."""
    tree = build_tree(load_game("holdem-limit-3p"))
    report = size_report(tree.game)
    assert len(tree) == report.nodes == 23_937_308
    assert decisions_by_round(tree) == [sum(each.decisions) for each in report.rounds]
    for kind, ends in (
        (FOLD, [each.folds for each in report.rounds]),
        (SHOWDOWN, [each.showdowns for each in report.rounds]),
    ):
        assert np.bincount(tree.round[tree.kind == kind], minlength=4).tolist() == ends
    inner = tree.decisions
    assert (tree.parent[tree.first_child[inner]] == inner).all()
    assert (tree.parent[tree.first_child[inner] + tree.children[inner] - 1] == inner).all()
    start = State.start(tree.game)
    for node in np.random.default_rng(0).integers(len(tree), size=200):
        state = start.play(tree.history(int(node)))
        assert (tuple(tree.spent[node]), tree.folded[node]) == (state.spent, state.folded)
        assert tree.player[node] == state.player or state.finished


def test_a_fold_that_ends_the_round_gives_back_what_may_be_used_once():
    tree = build_tree(nolimit_holdem(3, 1000), "0.5 once, all-in")
    turn = tree.find("ccc/r250cf/")
    assert tree.actions[tree.first_child[turn] : tree.first_child[turn] + tree.children[turn]] == ("c", "r550", "r1000")


def test_half_street_kuhn():
    tree = build_tree(nolimit_kuhn(half_street=True), "fcpa")
    assert [tree.history(node) for node in range(len(tree))] == ["", "c", "r15", "r55", "r15f", "r15c", "r55f", "r55c"]


def teaching_game() -> Game:
    """Three rounds, stacks of 15 big blinds of 20 chips, one big blind in from each (Hawkin 2014, section 5.6)."""
    return Game(
        betting="nolimit",
        stacks=(300, 300),
        blinds=(20, 20),
        raise_sizes=(),
        first_players=(0, 0, 0),
        max_raises=(255,) * 3,
        suits=4,
        ranks=13,
        hole_cards=1,
        board_cards=(0, 1, 1),
    )


def test_the_bet_sizing_tree_of_hawkins_example():
    """Figure 5.1: bets of the main player that are called, labelled with the pot in big blinds."""
    tree = build_tree(teaching_game(), ("0.5, 1, all-in", "fcpa"))

    def called_pots(node: int, name: str) -> dict[str, float]:
        found = {name: tree.spent[node].sum() / 20}
        level = int(tree.spent[node].max())  # of both, since nothing is to call
        actions = tree.actions[tree.first_child[node] : tree.first_child[node] + tree.children[node]]
        for letter, size in (("H", 2 * level), ("P", 3 * level)):
            if f"r{size}" in actions:
                called = tree.child(tree.child(node, f"r{size}"), "c")
                found |= called_pots(called, name + letter)
        return found

    assert called_pots(0, "") == {
        "": 2, "H": 4, "P": 6, "HH": 8, "HP": 12, "PH": 12, "PP": 18, "HHH": 16, "HHP": 24, "HPH": 24, "PHH": 24,
    }  # fmt: skip
    # After 16 a half pot would need stacks of 16; there is only the all-in.
    river = tree.find("r40c/r80c/")
    assert [tree.actions[tree.first_child[river] + i] for i in range(4)] == ["c", "r160", "r240", "r300"]
    reply = tree.find("r40c/r80c/r160")
    assert [tree.actions[tree.first_child[reply] + i] for i in range(tree.children[reply])] == ["f", "c", "r300"]


# What is asked for.


def test_one_menu_or_one_per_player():
    game = nolimit_holdem(2, 1000)
    assert build_tree(game, "fcpa").fingerprint == build_tree(game, ["fcpa", "1, all-in"]).fingerprint
    with pytest.raises(KibitzError, match="3 menus for 2 players"):
        build_tree(game, ("fcpa",) * 3)


@pytest.mark.parametrize("menu", ["r", "limit", "1 | 0.5, r once"])
def test_the_raise_of_a_limit_game_is_refused_elsewhere(menu):
    with pytest.raises(MenuError, match=r"'r' in the menu .*: no-limit games have no fixed raise, the smallest is min"):
        build_tree(nolimit_holdem(), ("fcpa", menu))


def test_a_limit_game_has_its_own_menu():
    assert build_tree(load_game("leduc"), "fcpa").fingerprint == build_tree(load_game("leduc")).fingerprint


def test_a_passive_game_has_one_line():
    tree = build_tree(nolimit_holdem(), "passive")
    assert [tree.history(node) for node in range(len(tree))] == [
        "", "f", "c", "cc/", "cc/c", "cc/cc/", "cc/cc/c", "cc/cc/cc/", "cc/cc/cc/c", "cc/cc/cc/cc",
    ]  # fmt: skip


def test_a_hand_that_is_over_has_no_tree():
    with pytest.raises(KibitzError, match="over before anybody acts"):
        build_tree(replace(nolimit_holdem(), stacks=(50, 50)), "fcpa")


def test_a_tree_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(build_module, "MAX_NODES", 1000)
    monkeypatch.setattr(build_module, "COUNT_FROM", 500)
    with pytest.raises(KibitzError, match=r"3,362 nodes and .* information sets.* at most 1,000 nodes can be built"):
        build_tree(nolimit_holdem(), "fcpa")


# Fingerprints.


def test_fingerprints_tell_games_and_menus_apart():
    game = nolimit_holdem(2, 1000)
    trees = [
        build_tree(game, "fcpa"),
        build_tree(game, "fchpa"),
        build_tree(game, ("fcpa", "fchpa")),
        build_tree(game, ("fchpa", "fcpa")),
        build_tree(nolimit_holdem(2, 1001), "fcpa"),
        build_tree(replace(game, ranks=12), "fcpa"),
        build_tree(load_game("leduc")),
        build_tree(load_game("kuhn")),
    ]
    assert len({tree.fingerprint for tree in trees}) == len(trees)


def test_fingerprints_agree_across_processes():
    program = (
        "from kibitz.games.named import nolimit_holdem; from kibitz.tree import build_tree;"
        "print(build_tree(nolimit_holdem(2, 1000), ('acpc-2011', 'fcpa')).fingerprint)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert printed == {build_tree(nolimit_holdem(2, 1000), ("acpc-2011", "fcpa")).fingerprint}


def test_trees_that_were_made_with_the_raise_of_a_limit_game_are_built_again():
    game = load_game("leduc-nolimit")
    assert len(build_tree(game, [Menu.parse("r")] * 2)) > 10  # as strategies of earlier versions have it


FRACTIONS = build_tree(load_game("leduc-nolimit"), "0.5, 1, all-in")


def test_what_is_left_is_the_tree_of_a_smaller_menu():
    smaller = build_tree(load_game("leduc-nolimit"), "1, all-in")
    kept = {smaller.history(node) for node in range(len(smaller))}
    dropped = np.array([FRACTIONS.history(node) not in kept for node in range(len(FRACTIONS))])
    found = pruned(FRACTIONS, dropped)
    assert [found.history(node) for node in range(len(found))] == [smaller.history(n) for n in range(len(smaller))]
    for name in ("kind", "player", "round", "parent", "children", "spent", "folded"):
        np.testing.assert_array_equal(getattr(found, name), getattr(smaller, name))
    inner = found.kind == DECISION
    np.testing.assert_array_equal(found.first_child[inner], smaller.first_child[inner])


def test_everything_below_goes_too_and_nobody_is_left_without_an_action():
    check = FRACTIONS.child(0, "c")
    dropped = np.zeros(len(FRACTIONS), dtype=bool)
    dropped[check] = True
    assert not any(history.startswith("c") for history in map(pruned(FRACTIONS, dropped).history, range(5)))
    dropped[FRACTIONS.parent == 0] = True
    with pytest.raises(KibitzError, match="nothing is left to do after 'the start'"):
        pruned(FRACTIONS, dropped)
