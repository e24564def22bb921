"""A table for single deals: what is asked is what is then played, and leaves nothing behind."""

import numpy as np
import pytest

from kibitz.learning import Model, Structure, TableRules
from kibitz.learning.desk import Desk
from learning.dealing import dealt

PLAYERS = 3
FIELDS = ("player", "stage", "action", "paid", "can_fold", "options", "chance", "opponents", "features")


def model(seed, **options):
    return Model.random(Structure(**options), seed, 0.4, 3.0)


def make_desk(observed=False, **options):
    return Desk(model(1, **options), TableRules().table, model(2, **options) if observed else None)


def recorded(desk):
    """What is left of a deal."""
    work, count = desk.work, int(desk.work["decisions"])
    found = {name: work[name][:count].copy() for name in FIELDS}
    found |= {name: work[name][:PLAYERS].copy() for name in ("net", "belief", "last", "spent")}
    return found | {name: np.array(work[name]) for name in ("decisions", "active", "winners", "round")}


@pytest.mark.parametrize("options", [{}, {"self_aware": True}, {"public_observer": True, "profile": "listed"}], ids=str)
@pytest.mark.parametrize("observed", [False, True], ids=["one model", "an observer"])
def test_what_is_asked_is_what_is_played(options, observed):
    """With all hands at once; where a seat plays another model than the observer, by its own weights."""
    desk, noise = make_desk(observed, **options), np.random.default_rng(0)
    decisions = 0
    for number in range(12):
        cards, seat = dealt(noise, PLAYERS), number % PLAYERS
        desk.seat(PLAYERS, cards)
        count = desk.play(number, (), 1 << seat)
        found, actions = recorded(desk), desk.work["action"][:count].tolist()
        for d in range(count):
            actor = int(found["player"][d])
            holes = np.vstack([dealt(noise, 1)[None, :2], cards[None, 2 * actor : 2 * actor + 2]])
            chances = desk.ask(actions[:d], holes, 1 << seat)
            assert int(desk.work["decisions"]) == d
            np.testing.assert_allclose(chances[:, 1], found["chance"][d], atol=1e-13)
            np.testing.assert_allclose(chances.sum(axis=0), 1)
            decisions += 1
        desk.seat(PLAYERS, cards)  # holes that were asked about lie in its memory
        assert desk.play(number, (), 1 << seat) == count
        for name, array in recorded(desk).items():
            assert np.array_equal(array, found[name]), name
    assert decisions > 60


def test_a_deal_depends_on_its_cards_its_key_and_its_beginning_alone():
    """Not on what the memory was used for before."""
    noise, used = np.random.default_rng(1), make_desk()
    for number in range(6):
        cards = dealt(noise, PLAYERS)
        used.seat(2 + number % 5)
        used.ask([1], np.array([[3, 4]], dtype=np.uint8))
        used.work["rivals"], used.work["asked"] = 3, 1
        found = []
        for desk in (used, make_desk()):
            desk.seat(PLAYERS, cards)
            desk.play(number, [1, 2])
            found.append(recorded(desk))
        for name, array in found[0].items():
            assert np.array_equal(array, found[1][name]), name
        assert found[0]["action"][:2].tolist() == [1, 2]


def test_cards_that_nobody_sees_do_not_matter():
    """The asked player's own and the board so far are looked at, and no others."""
    desk, noise = make_desk(), np.random.default_rng(2)
    for _ in range(10):
        cards, other = dealt(noise, PLAYERS), dealt(noise, PLAYERS)
        other[20:23] = cards[20:23]
        hole = cards[None, :2].copy()
        found = []
        for each in (cards, other):
            desk.seat(PLAYERS, each)
            found.append(desk.ask([1, 1, 1, 1], hole))  # the flop
        assert np.array_equal(*found)


def test_the_rules_of_a_table_can_change():
    desk, hole = make_desk(), np.array([[50, 51]], dtype=np.uint8)
    desk.seat(3, table=TableRules(fold_when_free=True, cap=2).table)
    chances = desk.ask([1, 1, 1, 1], hole)
    assert (chances > 0).all()
    desk.seat(3, table=TableRules().table)
    assert desk.ask([1, 1, 1, 1], hole)[0] == 0
    desk.seat(3, table=TableRules(cap=1).table)
    assert desk.ask([], hole)[2] == 0
