"""Read hand histories and compute a statistic: how often each player puts chips in before the flop by choice (VPIP).

    python examples/read_a_log.py [FILE ...]

Without a file it first plays a match and writes its log, so there is something to read. Any log of the Annual
Computer Poker Competition will do as well.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kibitz.agents import load_agent
from kibitz.arena.match import play_match
from kibitz.games import AcpcCards, Deal, State, load_game, split_actions
from kibitz.io.acpc.log import write_log
from kibitz.io.files import read_records
from kibitz.io.record import HandRecord


def write_sample(path: Path) -> None:
    """The log of a match of three built-in agents."""
    game = load_game("holdem-nolimit-3p")
    names = ("always-fold", "loose-aggressive", "always-call")
    records: list[HandRecord] = []

    def keep(hand: int, state: State) -> None:
        seats = [names[(position + hand) % len(names)] for position in range(len(names))]
        deal = Deal(state.deal.hole, state.board)  # only the board cards that were reached
        records.append(HandRecord(game, str(hand), state.history, deal, tuple(seats), state.returns()))

    play_match(
        game, [load_agent(name) for name in names], seeds=[1, 2, 3], hands=300, cards=AcpcCards(11), witness=keep
    )
    with path.open("w") as out:
        write_log(records, out)


def voluntary(records: Iterable[HandRecord]) -> dict[str, float]:
    """VPIP per player: the share of hands in which he called or raised in the first round."""
    hands: Counter[str] = Counter()
    entered: Counter[str] = Counter()
    for record in records:
        hands.update(record.players)
        state, active = State.start(record.game, record.deal), set()
        for action in split_actions(record.history.split("/")[0]):
            if action[0] == "r" or (action == "c" and state.to_call > 0):
                active.add(record.players[state.player])
            state = state.apply(action)
        entered.update(active)
    return {name: entered[name] / count for name, count in hands.items()}


if __name__ == "__main__":
    paths = [Path(text) for text in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            paths = [Path(folder) / "sample.log"]
            write_sample(paths[0])
        for name, share in sorted(voluntary(read_records(paths)).items()):
            print(f"{name:20} VPIP {share:6.1%}")
