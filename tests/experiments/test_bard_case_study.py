"""The case study of Bard 2016 in limit hold'em: how matches are counted, and what is said of them."""

import numpy as np
import pytest

from kibitz.experiments.bard2016 import case_tables
from kibitz.experiments.bard2016.case_matches import (
    EQUILIBRIUM,
    FIRST,
    A,
    Entry,
    Foe,
    Study,
    changing,
    held_out,
    mimic,
)
from kibitz.experiments.bard2016.case_players import STATIC, next_amount
from kibitz.experiments.bard2016.case_setting import CANDIDATES, CHANGING, THESIS, TUNING, CaseSetting, label_of
from kibitz.experiments.ledger import Ledger, MissingError
from kibitz.experiments.published import CONFIRMED, REFUTED, UNCONFIRMED

MATCHES = 5


@pytest.fixture
def study():
    """A ledger as a run would leave it: response k wins 100 from mimic k, 10 k from others; agents as they are told."""
    setting = CaseSetting(small=2, matches=(MATCHES, 2, 2), hands=8)
    ledger = Ledger({}, None, is_open=False)
    everyone = [*(f"to {name}" for name in A), f"to {STATIC}", EQUILIBRIUM]
    parts = [mimic(name) for name in A] + [part for foe in held_out() for part in foe.parts]
    for number, one in enumerate(everyone):
        for part in parts:
            value = 100.0 if part == mimic(one.removeprefix("to ")) else 10.0 * number
            ledger.found[f"{one} against {part}"] = (value - 1, value + 1)
    found = Study(setting, ledger)
    foes = [Foe(mimic(name), (mimic(name),)) for name in A] + held_out()
    for kind in CANDIDATES.values():
        for place, each in enumerate(kind):
            for foe in (f"tuning: {name}" for name in TUNING):
                for number in range(2):
                    ledger.found[f"small, {label_of(each)} v {foe}, match {FIRST + number}"] = (place % 4, 0, 0, 0)
    for row, entry in found.entries().items():
        level = {case_tables.SMALL: 150.0, case_tables.UCB: 149.5, case_tables.BIG: 120.0}.get(row, 50.0)
        for foe in foes:
            for number in range(MATCHES):
                won = level + number - MATCHES // 2
                ledger.found[f"{entry.label} v {foe.name}, match {number}"] = (won, 0.0, won, won)
    return found


def test_hands_count_by_weights_position_and_opponent(study):
    one, two = study.chosen
    foe = Foe("both", (mimic(one), mimic(two)), (3,))
    weights = np.random.default_rng(0).dirichlet((1, 1), size=8)
    found = study.expected(Entry("small", THESIS), foe, weights, seat=1)
    for hand in range(8):
        part, position = foe.parts[int(hand >= 3)], (1 - hand) % 2
        each = [study.value(f"to {name}", part)[position] for name in study.chosen]
        assert found[hand] == pytest.approx(weights[hand] @ each)


def test_the_small_portfolio_is_chosen_greedily(study):
    assert study.chosen == [A[9], A[0]]  # the last one wins 90 from all, then the first has most to add
    assert study.experts("big") == [f"to {name}" for name in A]


def test_bandits_are_tuned_on_other_opponents(study):
    for kind, tried in CANDIDATES.items():
        assert study.tuned(kind) == tried[3]
    assert len({len(each) for each in CANDIDATES.values()}) == len({len(each) for each in CHANGING.values()}) == 1
    assert not {f"tuning: {name}" for name in TUNING} & {foe.name for foe in (*held_out(), *study.changes)}


def test_statements_are_judged_by_intervals(study):
    verdicts = {row: make().verdict for row, make in case_tables.claims(study).items()}
    assert verdicts["four mimics: beats every single response"] == CONFIRMED
    assert verdicts["four mimics: 19.9 % above every single response"] == CONFIRMED
    assert verdicts["four mimics: beats UCB1"] == UNCONFIRMED
    assert verdicts["all mimics: big beats UCB1"] == REFUTED
    assert case_tables.alike(study).verdict == REFUTED  # 30 apart on the same cards


def test_rows_of_single_strategies_are_exact(study):
    foes = case_tables.foes_of(study, "figure-6.3-limit")
    alone = case_tables.fixed(study, f"response to {A[2]} alone", foes)
    assert alone.tolist() == [100.0 if name == A[2] else 20.0 for name in A]
    assert (case_tables.fixed(study, case_tables.BEST_OF_ALL, foes) == 100).all()


def test_changing_opponents_follow_each_other():
    one, two, three = changing(["a", "b", "c"], 7)
    assert (one.parts, two.parts, three.parts) == (("a", "b"), ("b", "c"), ("c", "a"))
    assert one.changes == (7,)


def test_what_was_not_computed_is_missing(study):
    with pytest.raises(MissingError):
        study.won(Entry("big", THESIS), Foe("nobody", ("nobody",)))


def test_belief_is_searched_for_by_an_exponential():
    def exploitability(amount):
        return 10.0 * np.exp(4 * amount)

    tried = []
    for _ in range(3):
        amount = next_amount(tried)
        tried.append((amount, exploitability(amount)))
    assert tried[-1][1] == pytest.approx(115, rel=0.01)
    assert next_amount([(0.5, 5.0), (1.0, 8.0)]) == 1.0  # all of it may be believed
