"""Players that die, stall, flood, babble or never read: the match ends or goes on, and the dealer always lives."""

import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.dealer_thread import Table, Wire
from kibitz.agents.connection import Connection
from kibitz.arena.plan import MatchPlan, TimeLimits
from kibitz.arena.referee import Referee
from kibitz.arena.server import MAX_IGNORED, RemoteSeat, Transcript
from kibitz.errors import AgentError
from kibitz.games import load_game

DESCRIPTORS = Path("/proc/self/fd")
SHORT = (200, 60_000, 7_000)  # ms: for an answer, for a hand, for a hand on average


def opening(table: Table) -> tuple[Wire, str]:
    """A bare socket on seat 1 against an agent that calls, and the state in which it is to open the match."""
    wire = Wire(table.ports[0])
    table.seat(1, "always-call")
    state = wire.line()
    assert state == "MATCHSTATE:0:0::Ah|"
    return wire, state


def call_through(wire: Wire, hand: int) -> None:
    """Check and call in Leduc to the end of hand `hand`, in whatever position."""
    while line := wire.line():
        _, position, number, betting, _ = line.split(":")
        if betting == "cc/cc" and int(number) == hand:
            return
        if len(betting.split("/")[-1]) == int(position):
            wire.send(f"{line}:c\r\n".encode())


def test_a_player_that_dies_ends_the_match_and_the_hands_before_are_kept():
    table = Table("leduc", 20)
    with Wire(table.ports[0]) as wire:
        table.seat(1, "always-call")
        call_through(wire, 5)
    (result,) = table.finish().values()
    assert "seat 1 (p1) is gone" in str(table.error)
    assert len(table.hands) == 6
    assert not any(line.startswith("SCORE") for line in table.log)
    assert isinstance(result, AgentError)  # the other player learns of it


def test_a_player_that_dies_out_of_turn_is_noticed():
    table = Table("leduc", 20)
    wire = Wire(table.ports[1])
    table.seat(0, "always-call")
    wire.line()
    wire.close()
    table.finish()
    assert "seat 2 (p2) is gone" in str(table.error)


def test_a_player_that_stalls_runs_out_of_time():
    table = Table("leduc", 20, limits=SHORT)
    wire, _ = opening(table)
    begun = time.monotonic()
    assert wire.line() == ""  # the dealer hangs up
    assert time.monotonic() - begun < 5
    table.finish()
    assert "seat 1 (p1) ran out of time: it has not answered for 0.2 s" in str(table.error)
    wire.close()


@pytest.mark.parametrize("stroke", [b"M", b"\n", b"#\n"])
def test_trickling_bytes_do_not_stop_the_clock(stroke):
    table = Table("leduc", 20, limits=SHORT)
    wire, _ = opening(table)
    begun = time.monotonic()
    while table.error is None and time.monotonic() - begun < 10:
        wire.send(stroke)
        time.sleep(0.02)
    table.finish()
    assert "ran out of time" in str(table.error)
    wire.close()


@pytest.mark.parametrize("limits", [(5_000, 250, 7_000), (5_000, 60_000, 12)])
def test_short_thoughts_add_up(limits):
    """Five answers of 0.1 s: within the limit for one, beyond that for the hand, or for 20 hands together."""
    table = Table("holdem-limit-2p", 20, limits=limits)
    wire = Wire(table.ports[1])
    table.seat(0, "always-call")
    answers = 0
    while line := wire.line():
        _, _, _, betting, _ = line.split(":")
        first, turn = "/" not in betting, len(betting.split("/")[-1])
        if turn == (0 if first else 1):
            time.sleep(0.1)
            wire.send(f"{line}:c\r\n".encode())
            answers += 1
    table.finish()
    assert 1 <= answers <= 3
    assert "seat 2 (p2) ran out of time" in str(table.error)
    wire.close()


def test_every_hand_has_time_of_its_own():
    table = Table("kuhn", 8, limits=(5_000, 500, 7_000))
    wire = Wire(table.ports[0])
    table.seat(1, "always-call")
    while line := wire.line():
        _, position, _, betting, _ = line.split(":")
        if len(betting) == int(position):
            time.sleep(0.1)
            wire.send(f"{line}:c\r\n".encode())
    table.finish()
    assert table.error is None
    assert len(table.hands) == 8
    wire.close()


def test_an_answer_in_halves_is_an_answer():
    table = Table("leduc", 1)
    wire, state = opening(table)
    for piece in (state[:7], state[7:], ":", "r\r", "\n"):
        wire.send(piece.encode())
        time.sleep(0.02)
    assert wire.line() == "MATCHSTATE:0:0:r:Ah|"
    assert table.warnings == []
    wire.close()
    table.finish()


@pytest.mark.parametrize(
    "junk",
    [
        b"hello\r\n",
        b"\r\n",
        b"# a comment\r\n; another\r\n",
        b"\x00\xff\xfe\x1b[2J\r\n",
        b"MATCHSTATE:1:0::|Ks:f\r\nMATCHSTATE:0:7::Ah|:f\r\n",
        b"VERSION:2.0.0\r\n",
        b"junk\n" * (MAX_IGNORED - 1),
        b"x" * 1_000_000 + b"\n",
        "MATCHSTATE:٠:٠::Ah|:f\r\n".encode(),
        b"MATCHSTATE:" + b"9" * 4050 + b":0::Ah|:f\r\n",
        b"MATCHSTATE:" + b"9" * 5000 + b":0::Ah|:f\r\n",
        b"MATCHSTATE:0:" + b"9" * 5000 + b"::Ah|:f\r\n",
        b"MATCHSTATE:0:0:" + b"r" * 5000 + b":Ah|:f\r\n",
    ],
)
def test_babble_is_ignored(junk):
    table = Table("leduc", 1)
    wire, state = opening(table)
    wire.send(junk + f"{state}:r\r\n".encode())
    assert wire.line() == "MATCHSTATE:0:0:r:Ah|"
    assert len(table.warnings) == (0 if junk[:1] == b"#" else 1)  # one warning, however long the babble
    wire.close()
    table.finish()


@pytest.mark.parametrize("junk", [b"junk\n", b"\n", b"#\n", b"x" * 8192])
def test_a_flood_ends_the_match(junk):
    table = Table("leduc", 20)
    wire, _ = opening(table)
    for _ in range(1000):
        wire.send(junk * 8)
        if table.error:
            break
    table.finish()
    assert f"sent {MAX_IGNORED} lines that answer nothing" in str(table.error)
    assert len(table.warnings) <= 1
    wire.close()


def test_a_flood_out_of_turn_does_not_reach_the_other_player():
    table = Table("leduc", 1, limits=(500, 60_000, 7_000))
    with Wire(table.ports[0]) as good, Wire(table.ports[1]) as bad:
        state = good.line()
        bad.socket.setblocking(False)
        try:
            while True:
                bad.socket.send(b"y" * 65536)
        except BlockingIOError:
            pass  # its own buffers are full, and the dealer has not read any of it
        good.send(f"{state}:c\r\n".encode())
        assert good.line() == "MATCHSTATE:0:0:c:Ah|"
        table.finish()
    assert "seat 2 (p2)" in str(table.error)


def test_bad_actions_become_calls():
    table = Table("leduc", 1)
    wire, state = opening(table)
    wire.send(f"{state}:all of it\r\n".encode())
    assert wire.line() == "MATCHSTATE:0:0:c:Ah|"
    state = wire.line()
    assert state == "MATCHSTATE:0:0:cc/:Ah|/Kh"
    wire.send(f"{state}:f\r\n".encode())  # nothing to fold to
    assert wire.line() == "MATCHSTATE:0:0:cc/c:Ah|/Kh"
    assert wire.line() == "MATCHSTATE:0:0:cc/cc:Ah|Ks/Kh"
    wire.close()
    table.finish()
    assert table.error is None
    assert len(table.warnings) == 2
    assert all("changed to call" in warning for warning in table.warnings)


def test_the_second_client_on_a_port_is_turned_away():
    table = Table("leduc", 1)
    first = Wire(table.ports[0])
    latest = time.monotonic() + 5
    while True:  # the port closes when the seat is taken
        try:
            second = Wire(table.ports[0])
        except OSError:
            break
        assert second.line() == ""
        second.close()
        assert time.monotonic() < latest
    table.seat(1, "always-call")
    call_through(first, 0)
    table.finish()
    assert table.error is None
    first.close()


def test_strangers_before_the_handshake_cost_nobody_the_seat():
    table = Table("leduc", 2)
    port = table.ports[0]
    scanner = socket.create_connection(("127.0.0.1", port))
    scanner.close()
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    browser = Wire(port, b"GET / HTTP/1.1\r\n\r\n")
    assert browser.line() == ""
    old = Wire(port, b"VERSION:2.0\r\n")
    assert old.line() == ""
    flood = Wire(port, b"z" * 10_000)
    assert flood.line() == ""
    table.seat(0, "always-call")
    table.seat(1, "always-call")
    table.finish()
    assert table.error is None
    assert len(table.hands) == 2
    assert any("GET / HTTP" in warning for warning in table.warnings)
    for stranger in (*silent, browser, old, flood):
        stranger.close()


@pytest.mark.parametrize(
    ("greeting", "warnings"),
    [(b"VERSION:2.0.0\n", 0), (b"VERSION:2.0.7 and more\r\n", 0), (b"VERSION:2.1.0\r\n", 1), (b"VERSION:1.0.0\r\n", 1)],
)
def test_other_versions_are_let_in_with_a_warning(greeting, warnings):
    table = Table("leduc", 1)
    wire = Wire(table.ports[0], greeting)
    table.seat(1, "always-call")
    call_through(wire, 0)
    table.finish()
    assert table.error is None
    assert len(table.warnings) == warnings
    wire.close()


def test_a_handshake_in_pieces_with_an_answer_behind_it():
    """The answer came before it was asked for, and still answers the first state."""
    table = Table("leduc", 1)
    wire = Wire(table.ports[0], b"VERS")
    time.sleep(0.05)
    wire.send(b"ION:2.0.0\r\nMATCHSTATE:0:0::Ah|:r\r\n")
    table.seat(1, "always-call")
    assert [wire.line(), wire.line()] == ["MATCHSTATE:0:0::Ah|", "MATCHSTATE:0:0:r:Ah|"]
    wire.close()
    table.finish()


def test_nobody_comes():
    table = Table("holdem-limit-3p", 1, start_seconds=0.5)
    wire = Wire(table.ports[1])
    table.finish()
    assert str(table.error) == "nobody took seat 1, 3 in time"
    assert table.log == []
    assert wire.line() == ""
    wire.close()


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="needs the list of open files in /proc")
def test_no_descriptor_is_lost():
    before = len(list(DESCRIPTORS.iterdir()))
    for _ in range(3):
        test_strangers_before_the_handshake_cost_nobody_the_seat()
        test_nobody_comes()
        test_a_player_that_dies_out_of_turn_is_noticed()
    assert len(list(DESCRIPTORS.iterdir())) <= before


def tcp_pair(buffer: int = 4096) -> tuple[socket.socket, socket.socket]:
    """Two ends of a connection with small buffers, the dealer's first."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = socket.socket()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        theirs.connect(server.getsockname())
        ours, _ = server.accept()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    return ours, theirs


def seat_on(ours: socket.socket, limits: TimeLimits) -> tuple[Referee, RemoteSeat]:
    plan = MatchPlan(load_game("kuhn"), 100, 0, ("ann", "bob"), limits=limits)
    return Referee(plan), RemoteSeat(0, plan, Connection(ours), Transcript(), lambda text: None)


def test_a_player_that_never_reads_runs_out_of_time():
    ours, theirs = tcp_pair()
    with ours, theirs:
        referee, seat = seat_on(ours, TimeLimits(response=200))
        begun = time.monotonic()

        def talk() -> None:
            while True:
                seat.tell(0, referee.messages[0], False)

        with pytest.raises(AgentError, match=r"seat 1 \(ann\) ran out of time: it has not read"):
            talk()
        assert time.monotonic() - begun < 10


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.sampled_from([b"\r\n", b"MATCHSTATE:0:0::As|", b":c", b":r", b"#", b"MATCHSTATE:0:0:"]),
        ),
        max_size=20,
    )
)
def test_no_bytes_break_the_dealer(pieces):
    ours, theirs = tcp_pair(65536)
    with ours, theirs:
        referee, seat = seat_on(ours, TimeLimits())
        theirs.sendall(b"".join(pieces))
        theirs.shutdown(socket.SHUT_WR)
        with suppress(AgentError):  # no answer among the bytes, and then the connection closes
            assert seat.ask(referee.rule) in ("c", "r")
