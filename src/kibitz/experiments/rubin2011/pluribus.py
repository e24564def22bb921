"""Imitating Pluribus from its public hands (Brown and Sandholm 2019): six players, reduced to what the features say.

What is left out: strength is against one random hand, not five; the betting of all six is one sequence, in which folds
stand where they fell, so that position is known but not who holds which stack; commitment is of the own stack only.
With some ten thousand hands most sequences after the flop have been seen once or never.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.errors import KibitzError
from kibitz.experiments.rubin2011.fidelity import Judge, ablate
from kibitz.experiments.rubin2011.sessions import Question, table_of
from kibitz.games import State, split_actions
from kibitz.io.logs import list_files, read_file
from kibitz.io.record import HandRecord, Refusal
from kibitz.modelling.cases import CaseBase, Description, Strength, load_strength
from kibitz.modelling.cases.betting import read_decisions
from kibitz.modelling.cases.decisions import Collector
from kibitz.modelling.cases.features import check_holdem
from kibitz.modelling.logs import Counts, Seat, find_seats, why_none

EXPERT = "Pluribus"
HELD_OUT = 5  # every fifth hand is kept apart


class Hands(NamedTuple):
    """The hands of an expert in some logs.

    seats   of the expert in all sound hands, in the order of the logs; some are learnt from, the others asked about
    counts  what else was found
    bad     broken places, which were passed over
    """

    expert: str
    seats: list[Seat]
    counts: Counts
    bad: list[Refusal]

    @property
    def asked(self) -> list[tuple[int, Seat]]:
        """Every fifth seat, with its number."""
        return list(enumerate(self.seats))[::HELD_OUT]

    @property
    def learnt(self) -> list[Seat]:
        """All other seats."""
        return [seat for number, seat in enumerate(self.seats) if number % HELD_OUT]

    @property
    def tables(self) -> list[int]:
        """How many players sit there, all sizes that there are."""
        return sorted({seat.record.game.players for seat in self.seats})


def read_hands(logs: Sequence[Path], expert: str = EXPERT) -> Hands:
    """The hands of `expert` in `logs`; raises if they are too few to learn from some and ask about others."""
    hands = Hands(expert, [], Counts(), [])
    for file in list_files(list(logs)):
        for event in read_file(file, None):
            if isinstance(event, Refusal):
                hands.bad.append(event)
            elif isinstance(event, HandRecord):
                _add(event, hands)
            else:
                hands.counts.unplayed += 1
                hands.counts.reason = hands.counts.reason or event.text
    if fault := _fault(hands):
        broken = f" ({len(hands.bad):,} broken places were passed over, the first: {hands.bad[0]})" if hands.bad else ""
        raise KibitzError(f"{', '.join(map(str, logs))}: {fault}{broken}")
    return hands


def _add(record: HandRecord, hands: Hands) -> None:
    """Take the seats of the expert in a hand; a game that the features do not describe counts as broken."""
    found = find_seats(record, hands.expert, hands.counts)
    if isinstance(found, Refusal):
        hands.bad.append(found)
    elif found:
        try:
            check_holdem(record.game, Description().letters)
        except KibitzError as error:
            hands.bad.append(Refusal("", record.source, str(error)))
        else:
            hands.seats.extend(found)


def _fault(hands: Hands) -> str:
    """Why the hands cannot be used; nothing if they can."""
    counts, expert, tables = hands.counts, hands.expert, hands.tables
    if len(tables) > 1:
        return f"{expert!r} sits at tables for {' and '.join(map(str, tables))} players: give hands of one size only"
    if hands.seats:
        enough = any(map(_decides, hands.learnt)) and any(_decides(seat) for _, seat in hands.asked)
        need = "every fifth is asked about and the others learnt from, and in both there must be a decision"
        return "" if enough else f"{len(hands.seats):,} hands of {expert!r} are too few: {need}"
    return why_none(expert, counts)


def _decides(seat: Seat) -> bool:
    """Whether the player of that seat ever acts."""
    state = State.start(seat.record.game)
    for action in split_actions(seat.record.history):
        if state.player == seat.player:
            return True
        state = state.apply(action)
    return False


def imitate(hands: Hands, strength: str) -> dict[str, Any]:
    """Agreement with the expert on every fifth hand after learning from the others, features left out in turn."""
    description, by = Description(strength=strength), load_strength(strength)
    collector, learnt = Collector(description, by), hands.learnt
    for seat in learnt:
        collector.add(*seat)
    questions = [each for number, seat in hands.asked for each in questions_of(seat, description, by, number)]
    base = CaseBase(collector.rows(), description, {"players": hands.tables})
    judge = Judge(table_of(questions))
    return {
        "expert": hands.expert,
        "hands": len(learnt),
        "bad": len(hands.bad),
        "hidden": hands.counts.hidden,
        "others": hands.counts.others,
        "cases": base.cases,
        "decisions": len(questions),
        "agreement": {name: judge.judge(answers) for name, answers in ablate(base, judge.questions).items()},
    }


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
