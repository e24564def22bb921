"""Rules of a table beyond ACPC's: cap lifted heads-up, cap on decisions, free folds, forward blinds; tree counts."""

from collections import Counter
from dataclasses import replace

import pytest

from kibitz.errors import GameError, IllegalActionError, KibitzError
from kibitz.games import State, format_gamedef, load_game, parse_gamedef
from kibitz.games.batch import can_batch
from kibitz.games.named import limit_holdem
from kibitz.tree.count import count_tree
from kibitz.tree.menus import Menu


def sequences(state, round_):
    """How the betting of a round can end: folds and continuations, counted."""
    ends = Counter()
    waiting = [state]
    while waiting:
        each = waiting.pop()
        for action in each.legal().actions():
            after = each.apply(action)
            if after.finished and not after.showdown:
                ends["fold"] += 1
            elif after.finished or after.round != round_:
                ends["goes on"] += 1
            else:
                waiting.append(after)
    return ends


def test_betting_sequences_of_a_round():
    """17 sequences, 8 folds and 9 that go on (Sweeney 2012, section 3.1.1); 7 and 7 with the blinds."""
    start = State.start(limit_holdem())
    assert sequences(start, 0) == {"fold": 7, "goes on": 7}
    assert sequences(start.play("cc"), 1) == {"fold": 8, "goes on": 9}
    three = State.start(limit_holdem(cap=3))
    assert sequences(three, 0) == {"fold": 5, "goes on": 5}
    assert sequences(three.play("cc"), 1) == {"fold": 6, "goes on": 7}
    assert 8 + 9 * (8 + 9 * (8 + 9 * 17)) == 13_121  # the thesis prints 13,122
    counts = count_tree(limit_holdem(), (Menu.parse("full"),) * 2)
    assert sum(each.folds + each.showdowns for each in counts) == 10_206


def test_the_cap_is_lifted_heads_up_only():
    game = replace(limit_holdem(3), uncapped_heads_up=True)
    three = State.start(game).play("rrr")
    assert str(three.legal()) == "f, c"
    two = State.start(game).play("rrrf")
    assert str(two.legal()) == "f, c, r"
    assert str(State.start(game).play("f" + "r" * 12).legal()) == "f, c, r"
    assert game.highest_bet is None


def test_decisions_are_capped_over_the_whole_hand():
    game = replace(limit_holdem(), decision_cap=4)
    state = State.start(game).play("rc/cr")
    assert str(state.legal()) == "c"
    for action in "fr":
        with pytest.raises(IllegalActionError):
            state.apply(action)
    assert state.play("c/cc/cc").showdown
    long = replace(limit_holdem(), decision_cap=150, uncapped_heads_up=True)
    assert str(State.start(long).play("r" * 149).legal()) == "f, c, r"
    assert str(State.start(long).play("r" * 150).legal()) == "c"


def test_free_folds():
    game = replace(limit_holdem(), fold_when_free=True)
    assert str(State.start(game).play("c").legal()) == "f, c, r"
    assert State.start(game).play("cf").returns() == (-10.0, 10.0)
    assert str(State.start(limit_holdem()).play("c").legal()) == "c, r"


def test_forward_blinds():
    game = limit_holdem(forward_blinds=True)
    assert (game.blinds, game.first_players) == ((5, 10), (0, 0, 0, 0))
    assert State.start(game).player == 0


def test_the_rules_are_written_and_read():
    game = load_game("holdem-limit-3p,uncappedHeadsUp=yes,foldWhenFree=yes,decisionCap=150")
    assert (game.uncapped_heads_up, game.fold_when_free, game.decision_cap) == (True, True, 150)
    assert parse_gamedef(format_gamedef(game), game.name) == game
    for wrong in ("decisionCap=-1", "decisionCap=many", "uncappedHeadsUp=maybe"):
        with pytest.raises(GameError):
            load_game(f"holdem-limit-3p,{wrong}")


def test_what_does_not_know_the_rules_says_so():
    game = replace(limit_holdem(), uncapped_heads_up=True)
    assert not can_batch(game)
    with pytest.raises(KibitzError, match="caps and folds"):
        count_tree(game, (Menu.parse("full"),))


def test_games_of_the_competition_are_unchanged():
    for players in (2, 3):
        text = format_gamedef(limit_holdem(players))
        assert "eadsUp" not in text
        assert "decision" not in text
        assert limit_holdem(players).blinds == ((10, 5) if players == 2 else (5, 10, 0))
