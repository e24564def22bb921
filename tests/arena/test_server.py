"""Whole matches over real sockets."""

import io
import random
import re
import threading
from dataclasses import replace

import pytest

from arena.dealer_thread import Table, Wire
from kibitz.agents import load_agent
from kibitz.agents.connection import MAX_LINE
from kibitz.agents.remote import RemoteResult
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.arena.server import Dealer, Transcript
from kibitz.errors import KibitzError
from kibitz.games import format_gamedef, load_game, split_actions
from kibitz.random import derive_seed


@pytest.mark.parametrize(
    ("game", "hands", "agents"),
    [
        ("holdem-nolimit-2p", 1000, ("random", "example-player")),
        ("holdem-limit-3p", 100, ("example-player", "random", "always-raise")),
        ("kuhn", 100, ("random", "random")),
    ],
)
def test_a_match_over_tcp_gives_the_log_of_the_match_in_this_process(game, hands, agents):
    table = Table(game, hands, seed=3)
    for seat, agent in enumerate(agents):
        table.seat(seat, agent, seed=8)
    results = table.finish()
    assert table.error is None
    assert table.warnings == []
    local: list[str] = []
    seeds = [derive_seed(8, seat) for seat in range(len(agents))]  # equal players with equal seeds play apart
    score = play_locally(table.plan, [load_agent(name) for name in agents], seeds, local.append)
    assert table.log == local
    assert table.score == score
    assert results == {seat: RemoteResult(hands, score.values[seat]) for seat in range(len(agents))}


def test_states_of_tda_tables_may_be_long(tmp_path):
    """Where nothing ends a war of smallest raises, a hand takes more than the 4,096 letters of the original dealer."""
    game, agent = tmp_path / "war.game", tmp_path / "war.py"
    game.write_text(
        format_gamedef(replace(load_game("holdem-nolimit-2p"), stacks=(100_000,) * 2, blinds=(2, 1), rules="tda"))
    )
    agent.write_text(
        "from kibitz.agents import FrequencyAgent\ndef War(): return FrequencyAgent.of('war', {'min': 1}, {'min': 1})\n"
    )
    table = Table(str(game), 2)
    for seat in range(2):
        table.seat(seat, f"{agent}:War")
    table.finish()
    assert (table.error, table.warnings) == (None, [])
    assert max(map(len, table.log)) > MAX_LINE


class ExamplePlayer(threading.Thread):
    """What the protocol's text asks of a player, written from that text alone (heads-up no-limit hold'em only)."""

    BLINDS, STACK, FIRST = (100, 50), 20000, (1, 0, 0, 0)

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.wire = Wire(port)
        self.random = random.Random(seed)
        self.states = 0

    def run(self) -> None:
        with self.wire:
            while line := self.wire.line():
                self.states += 1
                _, position, _, betting, _ = line.split(":")
                action = self.choose(int(position), betting)
                if action:
                    self.wire.send(f"{line}:{action}\r\n".encode())

    def choose(self, position: int, betting: str) -> str:
        """A random legal action, "" if it is not our turn."""
        spent = list(self.BLINDS)
        least = 200
        for number, text in enumerate(betting.split("/")):
            player = self.FIRST[number]
            waiting = 2
            if number:
                least = max(spent) + 100
            for action in re.findall(r"[fc]|r\d+", text):
                if action == "f":
                    return ""
                if action == "c":
                    spent[player] = max(spent)
                    waiting -= 1
                else:
                    size = int(action[1:])
                    least = max(least, 2 * size - max(spent))
                    spent[player] = size
                    waiting = 1
                player = 1 - player
        if waiting == 0 or player != position or min(spent) == self.STACK:
            return ""
        choices = ["c"]
        if spent[position] < max(spent):
            choices.append("f")
        if max(spent) < self.STACK:
            choices.append(f"r{self.random.randint(min(least, self.STACK), self.STACK)}")
        return self.random.choice(choices)


def test_a_stranger_written_from_the_protocols_text_plays_a_thousand_hands():
    table = Table("holdem-nolimit-2p", 1000, seed=11)
    stranger = ExamplePlayer(table.ports[0], seed=4)
    stranger.start()
    table.seat(1, "example-player")
    table.finish()
    stranger.join(10)
    assert table.error is None
    assert table.warnings == []  # every answer was legal and in time
    assert len(table.hands) == 1000
    assert any("r" in hand.split(":")[2] for hand in table.hands)
    decisions = sum(len(split_actions(hand.split(":")[2])) for hand in table.hands)
    assert stranger.states == decisions + 1000


@pytest.mark.parametrize("name", ["2p.limit.h1000.r0", "2p.nolimit.h1000.r0", "3p.limit.h1000.r0"])
def test_the_original_dealers_hands_come_over_the_wire(data, name):
    hands = 60
    lines = (data / "acpc" / "logs" / f"{name}.log").read_text().splitlines()[4 : 4 + hands]
    game = load_game((data / "acpc" / "logs" / f"{name}.log").read_text().split()[3])

    def play(wire: Wire) -> None:
        """Answer each state with the action that the log has at that place, if it is this seat's turn."""
        with wire:
            while line := wire.line():
                _, position, hand, betting, _ = line.split(":")
                done = len(split_actions(betting))
                actions = split_actions(lines[int(hand)].split(":")[2])
                if done < len(actions) and whose_turn(game, betting) == int(position):
                    wire.send(f"{line}:{actions[done]}\r\n".encode())

    table = Table(game_name(name), hands)
    threads = [threading.Thread(target=play, args=(Wire(port),), daemon=True) for port in table.ports]
    for thread in threads:
        thread.start()
    table.finish()
    assert table.hands == lines
    assert table.warnings == []


def game_name(log: str) -> str:
    players, betting = log.split(".")[:2]
    return f"holdem-{betting}-{players}"


def whose_turn(game, betting: str) -> int:
    from kibitz.games import State

    return State.start(game).play(betting).player


def test_fixed_seats_stay():
    table = Table("leduc", 4, fixed_seats=True)
    table.seat(0, "always-call")
    table.seat(1, "always-call")
    table.finish()
    assert all(hand.endswith(":p1|p2") for hand in table.hands)


def test_the_transcript_has_the_original_form():
    messages, transactions = io.StringIO(), []
    table = Table("kuhn", 2, transcript=Transcript(messages.write, transactions.append))
    table.seat(0, "always-call")
    table.seat(1, "always-call")
    table.finish()
    lines = messages.getvalue().split("\n")
    assert re.fullmatch(r"STARTED at \d+\.\d{6}", lines[0])
    assert re.fullmatch(r"FINISHED at \d+\.\d{6}", lines[-2])
    said = [re.sub(r" at \d+\.\d{6} ", " ", line) for line in lines[1:-2]]
    assert said == [
        "TO 1 MATCHSTATE:0:0::As|\r",
        "TO 2 MATCHSTATE:1:0::|Ks\r",
        "FROM 1 MATCHSTATE:0:0::As|:c\r",
        "TO 1 MATCHSTATE:0:0:c:As|\r",
        "TO 2 MATCHSTATE:1:0:c:|Ks\r",
        "FROM 2 MATCHSTATE:1:0:c:|Ks:c\r",
        "TO 1 MATCHSTATE:0:0:cc:As|Ks\r",
        "TO 2 MATCHSTATE:1:0:cc:As|Ks\r",
        *said[8:],
    ]
    assert said[8].startswith("TO 1 MATCHSTATE:1:1::|")
    assert len(said) == 16
    assert len(transactions) == 4
    assert all(re.fullmatch(r"c [01] \d+\.\d{6} \d+\.\d{6}", line) for line in transactions)


def test_one_port_per_seat():
    plan = MatchPlan(load_game("leduc"), 1, 0, ("a", "b"))
    with pytest.raises(KibitzError, match="3 ports: 2 are needed"):
        Dealer(plan, ports=(0, 0, 0))


def test_a_port_in_use():
    plan = MatchPlan(load_game("leduc"), 1, 0, ("a", "b"))
    with Dealer(plan) as first, pytest.raises(KibitzError, match=f"port {first.ports[0]}"):
        Dealer(plan, ports=first.ports)
