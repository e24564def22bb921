"""PHH hands followed by machine code: as plain Python follows them, and only once many have been read."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest

from kibitz.errors import FormatError
from kibitz.games import Deal, State
from kibitz.io import _phh_compiled
from kibitz.io._phh_compiled import Follow, Play, compiled, play_of
from kibitz.io._phh_fast import Table, _table_of_head, follow_plain, read_regular
from kibitz.io._phh_game import make_game
from kibitz.io._phh_toml import IrregularError
from kibitz.io.phh import read_phh, write_phh
from kibitz.io.record import HandRecord

START = "\nactions = ['"
HEAD = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 2000, 3000]"""
TAIL = "']\nhand = 12\nplayers = ['x', 'y', 'z']\nfinishing_stacks = [1000, 1600, 3400]\n"
HOLES = ["d dh p1 AhKs", "d dh p2 QcQd", "d dh p3 ????"]
BETTING = ["p3 cbr 250", "p1 f", "p2 cc", "d db 2c3d4h", "p2 cc", "p3 cbr 150", "p2 cc", "d db 5h", "p2 cc", "p3 cc"]
RIVER = ["d db 9s", "p2 cc", "p3 cc"]
NINES = 15 * "9"  # the longest size that is taken


@pytest.fixture(scope="module")
def machine_code() -> Follow:
    return compiled()


def played_texts(players: int, seed: int, hands: int, chips: tuple[int, int] = (10**8, 10**9)) -> Iterator[str]:
    """Hands of players with stacks in the range `chips` who play at random."""
    rng = np.random.default_rng(seed)
    for number in range(hands):
        stacks = tuple(int(stack) for stack in rng.integers(*chips, players))
        game = make_game("NT", (10,) * players, (50, 100) + (0,) * (players - 2), (100,), stacks, True)
        cards = [int(card) for card in rng.permutation(52)]
        deal = Deal(tuple((cards[2 * seat], cards[2 * seat + 1]) for seat in range(players)), tuple(cards[40:45]))
        state = State.start(game, deal)
        while not state.finished:
            legal, wish = state.legal(), "fcccccrr"[rng.integers(8)]
            if wish == "r" and legal.max_raise_to:
                wish += str(rng.integers(legal.min_raise_to, min(legal.max_raise_to, legal.min_raise_to + 999) + 1))
            state = state.apply(wish if wish in legal else "c")
        shown = deal._replace(board=deal.board[: game.board_ends[state.round]])
        yield write_phh(HandRecord(game, str(number), state.history, shown, ("x",) * players, state.returns()))


def actions_of(text: str) -> tuple[str, Table]:
    """(actions, table) of a hand."""
    head, _, rest = text.partition(START)
    table = _table_of_head(head)
    assert table is not None
    return rest.partition("']\n")[0], table


def follow_both(machine_code: Follow, actions: str, table: Table) -> tuple[Play | None, Play | None]:
    """The play by machine code and by plain Python."""
    try:
        plain = follow_plain(actions, table)
    except (IrregularError, FormatError, LookupError, ValueError):
        plain = None
    return play_of(machine_code, actions, len(table.players), table.first, table.opening_bet), plain


@pytest.mark.parametrize("players", [2, 3, 6, 9, 10])
def test_played_hands_are_followed_alike(machine_code: Follow, players: int) -> None:
    for text in played_texts(players, players, 100):
        fast, plain = follow_both(machine_code, *actions_of(text))
        assert fast is not None
        assert fast == plain
        assert repr(fast) == repr(plain)


def test_with_short_stacks_the_same_hands_are_taken(machine_code: Follow) -> None:
    taken = 0
    for text in played_texts(6, 1, 300, chips=(200, 3000)):
        fast, plain = follow_both(machine_code, *actions_of(text))
        assert fast == plain
        taken += fast is not None
    assert 30 < taken < 270  # players passed over, all-in, are for the general reader


def broken(actions: str, rng: np.random.Generator) -> str:
    at, other = (int(rng.integers(len(actions))) for _ in range(2))
    kind, length = rng.integers(5), int(rng.integers(12))
    if kind == 0:  # something left out
        return actions[:at] + actions[at + length + 1 :]
    if kind == 1:  # something from elsewhere
        return actions[:at] + actions[other : other + length] + actions[at:]
    if kind == 2:  # a character changed
        return actions[:at] + "0123456789pcbrfdsmh', ?"[rng.integers(23)] + actions[at + 1 :]
    strings = actions.split("', '")
    first, second = at % len(strings), other % len(strings)
    if kind == 3:  # two actions change places
        strings[first], strings[second] = strings[second], strings[first]
    else:  # one comes again
        strings.insert(first, strings[second])
    return "', '".join(strings)


def test_broken_hands_are_followed_alike(machine_code: Follow) -> None:
    rng = np.random.default_rng(2)
    taken = 0
    for text in [*played_texts(6, 3, 60), *played_texts(10, 4, 20), HEAD + START + "', '".join(HOLES + BETTING) + TAIL]:
        actions, table = actions_of(text)
        for _ in range(40):
            fast, plain = follow_both(machine_code, broken(actions, rng), table)
            assert fast == plain
            taken += fast is not None
    assert 50 < taken < 1000


@pytest.mark.parametrize(
    ("strings", "history", "mucked"),
    [
        ([], "", ()),
        (["p3 f", "p1 f"], "ff", ()),
        ([*BETTING, *RIVER, "p3 sm ????", "p2 sm"], "r250fc/cr400c/cc/cc", (1,)),
        ([*BETTING, "p2 sm QcQd", "p3 sm", "d db 9s"], "r250fc/cr400c/cc/", (2,)),
        ([f"p3 cbr {NINES}", "p1 cc", "p2 cc", "d db 2c3d4h", "p1 cbr 1"], f"r{NINES}cc/r1{15 * '0'}", ()),
    ],
)
def test_these_are_taken(machine_code: Follow, strings: list[str], history: str, mucked: tuple[int, ...]) -> None:
    fast, plain = follow_both(machine_code, *actions_of(HEAD + START + "', '".join(HOLES + strings) + TAIL))
    assert fast is not None
    assert fast == plain
    assert (fast[0], fast[2]) == (history, mucked)
    assert fast[1].hole == ((50, 47), (40, 41), ())


@pytest.mark.parametrize(
    "strings",
    [
        [],
        HOLES[:2],
        [HOLES[0], HOLES[2], HOLES[1]],
        [*HOLES, "d dh p4 2c2d"],
        [*HOLES[:2], "d dh p3 ??2c"],
        [*HOLES[:2], "d dh p3 AhJs"],
        [*HOLES[:2], "d dh p3 sTcA"],
        [*HOLES, ""],
        [*HOLES, "p1 cc"],
        [*HOLES, "p4 cc"],
        [*HOLES, "p0 cc"],
        [*HOLES, "p10 cc"],
        [*HOLES, "p3 c"],
        [*HOLES, "p3 ccc"],
        [*HOLES, "p3 cbr"],
        [*HOLES, "p3 cbr "],
        [*HOLES, "p3 cbr 0"],
        [*HOLES, "p3 cbr 0300"],
        [*HOLES, "p3 cbr 1000000000000000"],
        [*HOLES, "p3 cbr 300 "],
        [*HOLES, "p3 f", "p1 f", "p2 cc"],
        [*HOLES, "p3 cc", "p1 cc", "p2 cc", "p3 cc"],
        [*HOLES, "p3 sm", "p1 cc"],
        [*HOLES, "p2 sm QcQh"],
        [*HOLES, "p2 sm "],
        [*HOLES, "d db 2c3d"],
        [*HOLES, "d db p3 f"],
        [*HOLES, "d db 2c3d4h", "d db 2c"],
        [*HOLES, "d db 2c3d4h", "d db 5h", "d db 9s", "d db 9c"],
        [*HOLES, "p2 sm", "d db 2c3d4h", "p3 sm"],
    ],
)
def test_these_are_given_up(machine_code: Follow, strings: list[str]) -> None:
    assert follow_both(machine_code, *actions_of(HEAD + START + "', '".join(strings) + TAIL)) == (None, None)


@pytest.mark.parametrize(
    "strings",
    [
        ["p2 sm"] * 4,
        [f"p3 cbr {NINES}", "p1 f", "p2 cc", "d db 2c3d4h", *["p2 cbr 1", "p3 cbr 1"] * 30],
    ],
)
def test_what_has_no_room_is_left_to_plain_python(machine_code: Follow, strings: list[str]) -> None:
    fast, plain = follow_both(machine_code, *actions_of(HEAD + START + "', '".join(HOLES + strings) + TAIL))
    assert fast is None
    assert plain is not None


def test_many_hands_load_the_machine_code(machine_code: Follow, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*arguments: object) -> int:
        calls.append(arguments)
        return machine_code(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(_phh_compiled, "_follow", None)
    monkeypatch.setattr(_phh_compiled, "_hands", count())
    monkeypatch.setattr(_phh_compiled, "HANDS_BEFORE", 30)
    monkeypatch.setattr(_phh_compiled, "compiled", lambda: counted)
    texts = [*played_texts(6, 5, 30)]
    before = [read_regular(text, "here") for text in texts]
    assert not calls
    after = [read_regular(text, "here") for text in texts]
    assert len(calls) == 30
    assert None not in before
    assert repr(before) == repr(after)
    odd = HEAD + START + "', '".join(HOLES) + "', 'p3 é" + TAIL
    with pytest.raises(FormatError):
        next(read_phh(odd))


def test_few_hands_load_no_compiler() -> None:
    text = HEAD + START + "', '".join(HOLES + BETTING) + TAIL
    program = f"""
import sys
from kibitz.io.phh import read_phh
for _ in range(100):
    assert next(read_phh({text!r})).history == "r250fc/cr400c/cc"
sys.exit("numba" in sys.modules or "numpy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
