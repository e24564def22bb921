"""The client's side of the protocol: what an agent is shown, what it answers, how lines arrive."""

import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.text_seats import play_through_text
from kibitz.agents import load_agent
from kibitz.agents.connection import MAX_LINE, Connection, LineBuffer
from kibitz.agents.remote import Player, play_remote
from kibitz.arena.match import play_match
from kibitz.arena.plan import MatchPlan
from kibitz.errors import AgentError, FormatError, KibitzError
from kibitz.games import AcpcCards, load_game

NOLIMIT = load_game("holdem-nolimit-2p")


class Diary:
    """An agent that plays like another and writes down every state it is given."""

    def __init__(self, name):
        self.name = name
        self.agent = load_agent(name)
        self.entries = []

    def reset(self, game, seed):
        self.agent.reset(game, seed)

    def act(self, state):
        self.entries.append(state)
        return self.agent.act(state)

    def observe(self, state, position):
        self.entries.append((state, position))
        self.agent.observe(state, position)


@pytest.mark.parametrize("name", ["holdem-nolimit-2p", "holdem-limit-3p", "leduc", "kuhn-3p", "clairvoyance"])
def test_an_agent_sees_the_same_states_through_text_as_in_the_arena(name):
    game = load_game(name)
    seeds = range(game.players)
    remote, local = ([Diary("example-player") for _ in seeds] for _ in range(2))
    play_through_text(MatchPlan(game, 40, 9, tuple(f"p{seat}" for seat in seeds)), remote, seeds)
    play_match(game, local, list(seeds), 40, AcpcCards(9), lambda hand, state: None)
    assert [diary.entries for diary in remote] == [diary.entries for diary in local]


def test_it_answers_only_on_its_turn_and_passes_over_comments():
    player = Player(load_agent("always-call"), NOLIMIT, 0)
    assert player.hear("# welcome") is None
    assert player.hear("; GAMEDEF") is None
    assert player.hear("") is None
    assert player.hear("MATCHSTATE:0:0::5d5c|") is None
    assert player.mid_hand
    assert player.hear("MATCHSTATE:0:0:r300:5d5c|") == "MATCHSTATE:0:0:r300:5d5c|:c"
    assert player.hear("MATCHSTATE:0:0:r300c/:5d5c|/8dAs8s") == "MATCHSTATE:0:0:r300c/:5d5c|/8dAs8s:c"
    assert player.hear("MATCHSTATE:0:0:r300c/cr600:5d5c|/8dAs8s") == "MATCHSTATE:0:0:r300c/cr600:5d5c|/8dAs8s:c"


def test_it_counts_hands_and_chips():
    player = Player(load_agent("always-call"), NOLIMIT, 0)
    player.hear("MATCHSTATE:0:0:f:5d5c|")
    player.hear("MATCHSTATE:1:1:r20000c///:6sKs|5dJd/2sTh2h/Qh/8h")
    assert (player.hands, player.chips, player.mid_hand) == (2, 50.0 - 20000.0, False)


def test_states_may_be_missed():
    """A client that joins late, or whose dealer sends only what concerns it, still knows where it is."""
    player = Player(load_agent("always-call"), NOLIMIT, 0)
    assert player.hear("MATCHSTATE:1:7:cc/cc/:|9hQd/8dAs8s/4h") is None
    assert player.hear("MATCHSTATE:0:9:cr500:5d5c|") is None
    assert player.hear("MATCHSTATE:0:9:cr500c/r900c/:5d5c|/8dAs8s/4h") == (
        "MATCHSTATE:0:9:cr500c/r900c/:5d5c|/8dAs8s/4h:c"
    )


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:0:0::As|",  # one hole card: not hold'em
        "MATCHSTATE:0:0::5d5c||",  # three players
        "MATCHSTATE:0:0:rr:5d5c|",  # limit betting
        "MATCHSTATE:0:0:cc/:5d5c|/8d",  # one card on the flop
        "MATCHSTATE:x:0::5d5c|",
        "MATCHSTATE:0:0::5d5c|:c",
        f"MATCHSTATE:{'9' * 5000}:0::5d5c|",  # Python converts no number of more than 4,300 digits
        f"MATCHSTATE:{'0' * 5000}:0::5d5c|",
        f"MATCHSTATE:0:{'9' * 5000}::5d5c|",
        f"MATCHSTATE:0:0:r{'9' * 5000}:5d5c|",
        f"MATCHSTATE:0:0:{'c' * 60_000}:5d5c|",
        f"MATCHSTATE:0:0::5d5c{'|' * 60_000}",
        f"MATCHSTATE:0:0::{'5d' * 30_000}|",
        "MATCHSTATE:0:0::5d\x00c|",
        "x" * 60_000,
        "\x00" * 60_000,
        "HELLO",
        "\xff\xfe",
        ":::::::",
    ],
)
def test_a_line_of_another_game_or_none_is_refused(line):
    player = Player(load_agent("always-call"), NOLIMIT, 0)
    player.hear("MATCHSTATE:0:0::5d5c|")
    with pytest.raises(FormatError, match=r"does the dealer play holdem-nolimit-2p\?$") as caught:
        player.hear(line)
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


@contextmanager
def a_dealer_that_says(lines):
    """Somebody who sends `lines` to one player and then waits for that player to leave; yields (host, port)."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.sendall(lines)
            while connection.recv(1000):
                pass

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()
        thread.join()


@pytest.mark.parametrize("first", [b"9" * 5000, b"0" * 5000, b"7", b"\xb2", b"-1", b"\x00", b""])
def test_an_absurd_first_position_is_one_sentence(first):
    with (
        a_dealer_that_says(b"MATCHSTATE:" + first + b":0::5d5c|\r\n") as place,
        pytest.raises(FormatError, match=r"does the dealer play holdem-nolimit-2p\?$"),
    ):
        play_remote(load_agent("always-call"), NOLIMIT, place, 0)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (b"", "has begun no match for 0.3 s: are all players there?"),
        (b"# welcome\r\n", "has begun no match for 0.3 s: are all players there?"),
        (b"MATCHSTATE:0:0::5d", "has begun no match for 0.3 s: are all players there?"),
        (b"MATCHSTATE:0:0::5d5c|\r\n", "has said nothing for 0.2 s, after 0 hands"),
        (b"MATCHSTATE:0:0:f:5d5c|\r\nMATCHSTATE:1:1::|AhAd\r\n", "has said nothing for 0.2 s, after 1 hands"),
    ],
)
def test_a_silent_dealer_is_left(lines, complaint):
    with a_dealer_that_says(lines) as place, pytest.raises(AgentError) as caught:
        play_remote(load_agent("always-call"), NOLIMIT, place, 0, start_seconds=0.3, silence_seconds=0.2)
    assert str(caught.value) == f"the dealer at 127.0.0.1 port {place[1]} {complaint}"


def test_a_dealer_that_does_not_read_is_left(monkeypatch):
    """More answers than the system keeps for it, and nobody who takes them."""
    states = b"MATCHSTATE:0:0:f:5d5c|\r\n" + b"MATCHSTATE:1:1::|AhAd\r\n" * 20_000
    connect = socket.create_connection

    def connect_narrowly(*address, **extra):
        peer = connect(*address, **extra)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return peer

    monkeypatch.setattr(socket, "create_connection", connect_narrowly)

    def serve() -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.sendall(states)
            left.wait(60)

    left = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # of the connections to come
        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(AgentError, match=r"has said nothing for 0\.5 s, after 1 hands"):
            play_remote(load_agent("always-call"), NOLIMIT, server.getsockname(), 0, silence_seconds=0.5)
        left.set()
        thread.join()


def test_players_who_come_late_are_waited_for():
    """The silence before the match does not count as one in it."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            time.sleep(0.6)
            connection.sendall(b"MATCHSTATE:0:0:f:5d5c|\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        for_ever = {"start_seconds": None, "silence_seconds": 0.3}
        result = play_remote(load_agent("always-call"), NOLIMIT, server.getsockname(), 0, **for_ever)
        thread.join()
    assert result.hands == 1


def test_an_agent_is_warm_before_it_connects():
    class Watching(Diary):
        def act(self, state):
            heard.append("connected" if asked.is_set() else "alone")
            return super().act(state)

    def serve() -> None:
        connection, _ = server.accept()
        asked.set()
        with connection:
            connection.sendall(b"MATCHSTATE:0:0:c:5d5c|\r\n")
            said = b""
            while said.count(b"\n") < 2:  # the version and the answer, which may come together
                said += connection.recv(1000)

    heard, asked = [], threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(AgentError, match="hung up"):
            play_remote(Watching("always-call"), NOLIMIT, server.getsockname(), 0)
        thread.join()
    assert heard[0] == "alone"
    assert heard.count("connected") == 1


@given(st.text(alphabet=st.one_of(st.sampled_from("MATCHSTATE:0|/cr5d"), st.characters(max_codepoint=255))))
def test_no_line_breaks_the_player_in_an_unexpected_way(line):
    player = Player(load_agent("always-call"), NOLIMIT, 0)
    try:
        player.hear(line)
        player.hear(f"MATCHSTATE:0:0:{line}:5d5c|")
    except KibitzError:
        pass


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(KibitzError, match=f"no dealer at 127.0.0.1 port {port}"):
        play_remote(load_agent("random"), NOLIMIT, ("127.0.0.1", port), 0)


@pytest.mark.parametrize(
    "lines", [b"", b"MATCHSTATE:0:0::5d5c|\r\n", b"MATCHSTATE:0:0:f:5d5c|\r\nMATCHSTATE:1:1::|AhAd\r\n"]
)
def test_a_dealer_that_hangs_up_in_mid_hand(lines):
    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(lines)
            connection.recv(100)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(AgentError, match="hung up after"):
            play_remote(load_agent("always-call"), NOLIMIT, server.getsockname(), 0)
        thread.join()


def test_an_error_of_the_agent_is_not_mistaken_for_a_hang_up():
    class Broken(Diary):
        def act(self, state):
            raise FileNotFoundError("my strategy")

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"MATCHSTATE:1:0::|9hQd\r\n")
            while connection.recv(100):
                pass

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(FileNotFoundError, match="my strategy"):
            play_remote(Broken("random"), NOLIMIT, server.getsockname(), 0)
        thread.join()


@given(st.binary(max_size=500), st.lists(st.integers(0, 500)))
def test_lines_do_not_depend_on_the_pieces_they_come_in(stream, cuts):
    cuts = sorted({cut for cut in cuts if cut < len(stream)})
    buffer, lines = LineBuffer(), []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        buffer.feed(stream[start:end])
        while (line := buffer.take()) is not None:
            lines.append(line)
    assert lines == [line.removesuffix(b"\r") for line in stream.split(b"\n")[:-1]]


def test_a_line_without_end_comes_in_pieces_and_is_not_kept():
    buffer = LineBuffer()
    lengths = []
    for _ in range(1000):
        buffer.feed(b"x" * 1000)
        while (line := buffer.take()) is not None:
            lengths.append(len(line))
    assert set(lengths) == {MAX_LINE}
    assert sum(lengths) > 1_000_000 - MAX_LINE


def test_lines_sent_with_more_to_come_go_out_together():
    ours, theirs = _tcp_pair()
    with ours, theirs:
        connection = Connection(ours)
        connection.send("one", more=True)
        theirs.setblocking(False)
        with pytest.raises(BlockingIOError):
            theirs.recv(10)
        connection.send("two")
        theirs.settimeout(5)
        assert theirs.recv(100) == b"one\r\ntwo\r\n"


def _tcp_pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
    return ours, theirs


def test_whoever_cannot_play_takes_no_seat():
    class Refuser(Diary):
        def reset(self, game, seed):
            raise AgentError("not this game")

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        with pytest.raises(AgentError, match="not this game"):
            play_remote(Refuser("always-call"), NOLIMIT, server.getsockname(), seed=0)
        with pytest.raises(TimeoutError):
            server.accept()
