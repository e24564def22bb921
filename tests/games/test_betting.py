"""What may be done: minimum raises, short all-ins, who may raise again, texts that are no action."""

from dataclasses import replace

import pytest

from kibitz.errors import FormatError, IllegalActionError
from kibitz.games import Legal, State, load_game
from kibitz.games.named import limit_holdem, nolimit_holdem

BOTH = pytest.mark.parametrize("rules", ["acpc", "tda"])


def raises(state):
    """The smallest and largest raise, or None."""
    legal = state.legal()
    return (legal.min_raise_to, legal.max_raise_to) if legal.max_raise_to else None


@BOTH
@pytest.mark.parametrize(
    ("actions", "range_"),
    [
        ("", (200, 20000)),  # call the blind of 100 and add as much again
        ("c", (200, 20000)),
        ("r200", (300, 20000)),
        ("r300", (500, 20000)),  # raised by 200, so by 200 more
        ("r300r500", (700, 20000)),
        ("r300r1000", (1700, 20000)),
        ("r300c/", (400, 20000)),  # a new round starts from the big blind again
        ("r300c/c", (400, 20000)),
        ("r300c/r400", (500, 20000)),
        ("r300c/r900r1500", (2100, 20000)),
        ("r300c/r900c/", (1000, 20000)),
        ("r15000", (20000, 20000)),  # 29,900 would be needed: all-in is allowed instead
        ("r10050", (20000, 20000)),
        ("r10049", (19998, 20000)),
        ("r20000", None),
    ],
)
def test_minimum_raises_heads_up(table, rules, actions, range_):
    assert raises(table((20000, 20000), (100, 50), rules).play(actions)) == range_


@pytest.mark.parametrize(
    ("rules", "after"),
    [
        ("acpc", (400, 1000)),  # the old minimum 400 stands: max(400, 2 x 350 - 300)
        ("tda", (450, 1000)),  # 350 and a full raise of 100
    ],
)
def test_the_minimum_after_a_short_all_in_for_those_still_to_act(table, rules, after):
    state = table((1000, 1000, 1000, 350), (50, 100, 0, 0), rules).play("r200")
    assert raises(state) == (300, 350)
    state = table((1000, 1000, 1000, 350), (50, 100, 0, 0), rules, first=1).play("r200r300r350")
    assert state.player == 0
    assert raises(state) == after


def test_a_short_all_in_reopens_the_betting_under_acpc_rules(table):
    state = table((1000, 1000, 350), (50, 100, 0), "acpc", first=0).play("r300cr350")
    assert state.player == 0
    assert str(state.legal()) == "f, c, r500..r1000"
    assert raises(state.play("c")) == (500, 1000)


def test_a_short_all_in_does_not_reopen_it_under_tda_rules(table):
    state = table((1000, 1000, 350), (50, 100, 0), "tda", first=0).play("r300cr350")
    assert state.player == 0
    assert str(state.legal()) == "f, c"
    state = state.play("c")
    assert state.player == 1
    assert str(state.legal()) == "f, c"
    state = state.play("c")
    assert (state.history, state.player) == ("r300cr350cc/", 0)
    assert raises(state) == (450, 1000)


def test_who_has_not_acted_may_raise_over_a_short_all_in_under_tda_rules(table):
    state = table((1000, 350, 1000), (50, 100, 0), "tda", first=0).play("r300r350")
    assert state.player == 2
    assert raises(state) == (550, 1000)  # the last full raise was 200
    state = state.play("r550")
    assert raises(state) == (750, 1000)  # and that one was full, so the first may raise again


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting_under_tda_rules(table):
    start = table((5000, 400, 500, 5000), (100, 100, 0, 0), "tda", first=0)
    state = start.play("r300r400r500")  # two short all-ins of 100 make the full raise of 200
    assert state.player == 3
    assert raises(state) == (700, 5000)
    state = state.play("c")
    assert state.player == 0
    assert raises(state) == (700, 5000)
    start = table((5000, 400, 450, 5000), (100, 100, 0, 0), "tda", first=0)
    state = start.play("r300r400r450c")  # these make 150
    assert state.player == 0
    assert raises(state) is None


def test_a_caller_between_two_short_all_ins_faces_only_the_second(table):
    start = table((5000, 400, 5000, 500), (100, 100, 0, 0), "tda", first=0)
    state = start.play("r300r400cr500")
    assert (state.player, raises(state)) == (0, (700, 5000))  # faces 200, a full raise
    state = state.play("c")
    assert (state.player, raises(state)) == (2, None)  # called 400, faces 100


def test_a_short_opening_bet_does_not_reopen_for_checkers_under_tda_rules(table):
    for rules, again in (("tda", None), ("acpc", (200, 1000))):
        state = table((1000, 1000, 140), (50, 100, 0), rules).play("ccc/ccr140")
        assert (state.player, raises(state)) == (0, again)


@BOTH
def test_the_big_blind_may_raise_when_everybody_called(table, rules):
    state = table((1000, 1000, 1000), (50, 100, 0), rules).play("cc")
    assert (state.player, raises(state)) == (1, (200, 1000))
    assert state.legal().fold == (rules == "tda")


@BOTH
def test_nobody_can_raise_when_nobody_could_answer(table, rules):
    state = table((1000, 300), (100, 50), rules).play("r300")
    assert str(state.legal()) == "f, c"
    state = table((300, 1000, 300), (50, 100, 0), rules).play("r300c")
    assert (state.player, raises(state)) == (1, None)


def test_one_may_bet_more_than_the_others_have(table):
    """As in the original dealer: what nobody can call is paid back at the end."""
    state = table((1000, 300), (100, 50)).play("c")
    assert raises(state) == (200, 1000)
    assert state.play("r1000c").spent == (1000, 300)


def test_folding_must_save_chips_under_acpc_rules(table):
    state = table((1000, 1000), (100, 50)).play("c")
    with pytest.raises(IllegalActionError, match=r"'f' in c:\|: legal are c, r200\.\.r1000"):
        state.apply("f")
    assert table((1000, 1000), (100, 50), "tda").play("cf").finished


def test_the_message_gives_the_legal_range(table):
    state = table((20000, 20000), (100, 50))
    for action in ("r199", "r20001", "r0", "r1"):
        with pytest.raises(IllegalActionError, match=rf"'{action}' in :\|: legal are f, c, r200\.\.r20000"):
            state.apply(action)
    with pytest.raises(IllegalActionError, match=r"'r15999' in r10050:\|: legal are f, c, r20000$"):
        state.play("r10050").apply("r15999")
    with pytest.raises(IllegalActionError, match=r"'r' in .* legal are f, c, r200"):
        state.apply("r")


NO_ACTIONS = [
    "",
    "r0300",
    "r+300",
    "r-300",
    "r 300",
    "R300",
    "C",
    "F",
    "k",
    "b300",
    "cc",
    "c ",
    " c",
    "r300 ",
    "r300\n",
]
NO_ACTIONS += ["r3e2", "r300.0", "r3_00", "r٣٠٠", "r³", "300", "fold", "r99999999999999999999", "/", "c/"]


@pytest.mark.parametrize("action", [*NO_ACTIONS, None, 300, ("c",), b"c"])
def test_what_is_no_action_is_refused(table, action):
    state = table((20000, 20000), (100, 50))
    assert action not in state.legal()
    with pytest.raises(IllegalActionError, match=r"legal are f, c, r200\.\.r20000"):
        state.apply(action)


@pytest.mark.parametrize("action", ["r20", "r10", "r0", "rr", "R", ""])
def test_a_limit_raise_carries_no_number(action):
    with pytest.raises(IllegalActionError, match=r"legal are f, c, r$"):
        State.start(limit_holdem()).apply(action)


@pytest.mark.parametrize(("text", "place"), [("r300x", 5), ("c c", 2), ("C", 1), ("r300c/k", 7), ("r-5", 2), ("b1", 1)])
def test_betting_that_cannot_be_read_names_the_character(table, text, place):
    with pytest.raises(FormatError, match=f"at character {place} is no action"):
        table((20000, 20000), (100, 50)).play(text)


def test_a_finished_hand_takes_no_action(table):
    state = table((20000, 20000), (100, 50)).play("f")
    for refused in (state.legal, lambda: state.apply("c"), lambda: state.play("c")):
        with pytest.raises(IllegalActionError, match="the hand is over"):
            refused()


def test_limit_raises_are_capped():
    state = State.start(limit_holdem()).play("rrr")
    assert str(state.legal()) == "f, c"
    state = state.play("c/rrrr")
    assert str(state.legal()) == "f, c"
    assert state.spent == (70, 80)


def test_a_limit_raise_is_cut_to_the_stack():
    game = replace(limit_holdem(), stacks=(37, 45))
    state = State.start(game).play("rr")
    assert state.spent == (30, 20)
    state = state.play("r")
    assert state.spent == (30, 40)
    assert str(state.legal()) == "f, c"  # 37 is less than the bet
    state = state.play("c")
    assert (state.history, state.spent, state.finished) == ("rrrc///", (37, 40), True)
    state = State.start(replace(limit_holdem(), stacks=(37, 36))).play("rrr")
    assert state.spent == (30, 36)
    assert state.legal() == Legal(True, 0, 0, True)  # nobody is left to answer


@pytest.mark.parametrize(
    ("actions", "stack", "again"),
    [
        ("ccc/ccr", 15, True),  # bets 5 of 10 on the flop
        ("ccc/ccr", 14, False),
        ("ccc/ccc/ccr", 20, True),  # bets 10 of 20 on the turn
        ("ccc/ccc/ccr", 19, False),
        ("ccc/ccc/rcr", 40, True),  # raises 20 by 10 on the turn
        ("ccc/ccc/rcr", 39, False),
    ],
)
def test_half_a_raise_reopens_the_betting_in_limit_under_tda_rules(actions, stack, again):
    """TDA rule 47: in limit, an all-in of at least half a bet or raise lets those who acted raise again."""
    game = replace(limit_holdem(3), rules="tda", stacks=(1000, 1000, stack))
    state = State.start(game).play(actions)
    assert state.player == 0
    assert ("r" in state.legal()) == again


def test_the_dealer_keeps_64_actions_a_round(table):
    """A raise is refused when it and the calls after it might not fit; only the C dealer's rules have the limit."""
    for players, blinds in ((2, (2, 1)), (3, (1, 2, 0))):
        for rules in ("acpc", "tda"):
            state = table((1000,) * players, blinds, rules)
            for _ in range(65 - players):
                state = state.apply(f"r{state.legal().min_raise_to}")
            assert (raises(state) is None) == (rules == "acpc")


def test_only_those_named_may_bet():
    half_street = State.start(load_game("kuhn-half-street"))
    assert half_street.play("c").finished  # player 1 is passed over
    answer = half_street.play("r20")
    assert (answer.player, str(answer.legal())) == (1, "f, c")


def test_those_who_may_not_bet_are_passed_over_at_a_larger_table(table):
    state = table((100,) * 4, (1, 2, 0, 0), bettors=(True, False, True, False))
    assert state.player == 2
    state = state.play("c")
    assert (state.player, str(state.legal())) == (3, "f, c")
    state = state.play("cc")  # the small blind completes, the big blind is passed over
    assert (state.history, state.player) == ("ccc/", 0)
    state = state.play("c")
    assert state.player == 2
    state = state.play("r10")
    assert (state.player, str(state.legal())) == (3, "f, c")
    state = state.play("cfc/")
    assert (state.history, state.player) == ("ccc/cr10cfc/", 2)  # player 0 folded, player 1 is passed over
    state = state.play("c")
    assert (state.history, state.player) == ("ccc/cr10cfc/c/", 2)


def test_legal_lists_every_action():
    assert list(Legal(True, 7, 9).actions()) == ["f", "c", "r7", "r8", "r9"]
    assert list(Legal(False, 0, 0).actions()) == ["c"]
    assert list(Legal(True, 20, 20, True).actions()) == ["f", "c", "r"]
    assert [str(Legal(False, 9, 9)), str(Legal(True, 7, 9)), str(Legal(True, 0, 0))] == [
        "c, r9",
        "f, c, r7..r9",
        "f, c",
    ]
    for legal in (Legal(True, 7, 9), Legal(False, 0, 0), Legal(True, 20, 20, True)):
        assert all(action in legal for action in legal.actions())


def test_a_short_blind_does_not_lower_the_price_at_a_tda_table():
    game = replace(nolimit_holdem(3), rules="tda", stacks=(1000, 60, 1000))
    state = State.start(game)
    assert state.spent == (50, 60, 0)
    assert state.to_call == 100
    assert state.legal().min_raise_to == 200
    # The two who paid in full play on for a side pot.
    state = state.apply("c").apply("c")
    assert (state.spent, state.round) == ((100, 60, 100), 1)


def test_nobody_is_asked_to_call_a_blind_that_is_already_matched():
    game = replace(nolimit_holdem(2), rules="tda", stacks=(40, 1000))
    assert State.start(game).finished  # the big blind has 40 in all, less than the small blind's 50
