"""Imitating Pluribus from its public hands (Brown and Sandholm 2019): six players, reduced to what the features say.

What is left out: strength is against one random hand, not five; the betting of all six is one sequence, in which folds
stand where they fell, so that position is known but not who holds which stack; commitment is of the own stack only.
With some ten thousand hands most sequences after the flop have been seen once or never.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kibitz.experiments.rubin2011.fidelity import Judge, ablate
from kibitz.experiments.rubin2011.questions import Question, table_of
from kibitz.games import State, split_actions
from kibitz.modelling.cases import CaseBase, Description, Strength, load_strength
from kibitz.modelling.cases.betting import read_decisions
from kibitz.modelling.cases.decisions import Collector
from kibitz.modelling.cases.logs import Bad, Counts, Seat, find_seats, list_files, read_file

EXPERT = "Pluribus"
HELD_OUT = 5  # every fifth hand is kept apart


def imitate(logs: Sequence[Path], strength: str, expert: str = EXPERT) -> dict[str, Any]:
    """Agreement with the expert on every fifth hand after learning from the others, features left out in turn."""
    description, by = Description(strength=strength), load_strength(strength)
    collector, used = Collector(description, by), 0
    questions: list[Question] = []
    for number, seat in enumerate(seats(logs, expert)):
        if number % HELD_OUT:
            collector.add(*seat)
            used += 1
        else:
            questions += questions_of(seat, description, by, number)
    base, judge = CaseBase(collector.rows(), description), Judge(table_of(questions))
    return {
        "expert": expert,
        "hands": used,
        "cases": base.cases,
        "decisions": len(questions),
        "agreement": {name: judge.judge(answers) for name, answers in ablate(base, judge.questions).items()},
    }


def seats(logs: Sequence[Path], expert: str) -> Iterator[Seat]:
    """The seats of the expert in all sound hands of `logs`."""
    counts = Counts()
    for file in list_files(list(logs)):
        for event in read_file(file, None):
            if event is not None and not isinstance(event, Bad):
                found = find_seats(event, expert, counts)
                yield from found if not isinstance(found, Bad) else ()


def questions_of(seat: Seat, description: Description, strength: Strength, hand: int = 0) -> Iterator[Question]:
    """The decisions of one seat."""
    record, player, _returns = seat
    of = description
    decisions = iter(read_decisions(record.game, record.history, player, of.letters, of.reading, of.commitments))
    state = State.start(record.game, record.deal)
    for action in split_actions(record.history):
        if state.player == player:
            decision = next(decisions)
            yield Question(of.describe(state, decision.sequence, strength), decision.action, None, hand)
        state = state.apply(action)
