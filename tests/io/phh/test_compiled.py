"""PHH hands followed by machine code: as the general reader follows them, and only once many have been read."""

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from bench.phh_texts import cash_texts

from kibitz.cards import CARD_TEXT
from kibitz.errors import FormatError
from kibitz.games import Deal, Game, State
from kibitz.io.phh import read_phh, reading, write_phh, write_phhs
from kibitz.io.phh.actions import deal_of, history_of, parse_actions, played
from kibitz.io.phh.compiled import START, TAIL, Table, read_regular, table_of_head
from kibitz.io.phh.games import amounts_of, make_game, returns_from_winnings, whole
from kibitz.io.phh.toml import parse_lines
from kibitz.io.record import HandRecord

HEAD = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100"""
STACKS = "[1000, 2000, 3000]"
END = "\nhand = 12\nplayers = ['x', 'y', 'z']\nfinishing_stacks = [1000, 1600, 3400]\n"
HOLES = ["d dh p1 AhKs", "d dh p2 QcQd", "d dh p3 ????"]
BETTING = ["p3 cbr 250", "p1 f", "p2 cc", "d db 2c3d4h", "p2 cc", "p3 cbr 150", "p2 cc", "d db 5h", "p2 cc", "p3 cc"]
RIVER = ["d db 9s", "p2 cc", "p3 cc"]
NINES = 12 * "9"  # the longest size that is taken
WINNINGS = {players: f"[{', '.join(map(str, range(100, 100 + players)))}]" for players in range(2, 11)}

# ACPC text, cards, who mucked, the game, net chips.
Followed = tuple[str, Deal, tuple[int, ...], Game, tuple[float, ...] | None]


def text_of(strings: list[str], stacks: str = STACKS) -> str:
    return f"{HEAD}{START}{stacks}\nactions = ['" + "', '".join(strings) + "']" + END


def parts_of(text: str) -> tuple[Table, str, str]:
    """(table, stacks, actions) of a hand."""
    start = text.index(START)
    match = TAIL.fullmatch(text, start + len(START))
    assert match is not None
    table = table_of_head(text[:start], "." in match[1] or "." in match[2])
    assert table is not None
    return table, match[1], match[2]


def by_machine(table: Table, stacks: str, actions: str) -> Followed | None:
    play = table.play(stacks, WINNINGS[table.game.players], actions)
    if play is None:
        return None
    history, deal, mucked, out = play
    return history, deal, mucked, table.game.with_stacks(table.stacks_of(out)), table.returns_of(out)


def one_by_one(table: Table, stacks: str, actions: str) -> Followed | None:
    """As the general reader follows the hand, whose results are winnings; None where it refuses."""
    try:
        amounts = amounts_of(parse_lines(f"stacks = {stacks}"), "stacks")
        game = table.game.with_stacks(whole(amounts, table.scale))
        parsed = parse_actions(tuple(actions.split("', '")), game.players)
        sizes = whole(parsed.amounts, table.scale)
        history, paid = played(game, parsed.betting, sizes)
        assert history == history_of(game, parsed.betting, sizes)
        winnings = amounts_of(parse_lines(f"winnings = {WINNINGS[game.players]}"), "winnings")
        returns = returns_from_winnings(winnings, game, paid, table.scale)
        return history, deal_of(parsed), parsed.mucked, game, returns
    except FormatError:
        return None


def played_texts(players: int, seed: int, hands: int, chips: tuple[int, int]) -> Iterator[str]:
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


@pytest.mark.parametrize("players", [2, 3, 6, 9, 10])
@pytest.mark.parametrize("chips", [(10**8, 10**9), (200, 3000)])
def test_played_hands_are_followed_alike(players: int, chips: tuple[int, int]) -> None:
    for text in played_texts(players, players, 60, chips):
        parts = parts_of(text)
        fast, general = by_machine(*parts), one_by_one(*parts)
        assert fast is not None
        assert fast == general
        assert repr(fast) == repr(general)


def test_hands_of_cash_tables_are_followed_alike() -> None:
    for text in cash_texts(600, seed=2):
        parts = parts_of(text)
        fast = by_machine(*parts)
        assert fast is not None
        assert fast == one_by_one(*parts)


def broken(actions: str, rng: np.random.Generator) -> str:
    at, other = (int(rng.integers(len(actions))) for _ in range(2))
    kind, length = rng.integers(5), int(rng.integers(12))
    if kind == 0:  # something left out
        return actions[:at] + actions[at + length + 1 :]
    if kind == 1:  # something from elsewhere
        return actions[:at] + actions[other : other + length] + actions[at:]
    if kind == 2:  # a character changed
        return actions[:at] + "0123456789pcbrfdsmh', ?."[rng.integers(24)] + actions[at + 1 :]
    strings = actions.split("', '")
    first, second = at % len(strings), other % len(strings)
    if kind == 3:  # two actions change places
        strings[first], strings[second] = strings[second], strings[first]
    else:  # one comes again
        strings.insert(first, strings[second])
    return "', '".join(strings)


def test_broken_hands_are_followed_alike_or_given_up() -> None:
    rng = np.random.default_rng(2)
    texts = [*played_texts(6, 3, 60, (200, 3000)), *played_texts(10, 4, 20, (10**8, 10**9)), *cash_texts(60, seed=3)]
    taken = 0
    for text in texts:
        table, stacks, actions = parts_of(text)
        for _ in range(40):
            changed = broken(actions, rng)
            fast = by_machine(table, stacks, changed)
            assert fast is None or fast == one_by_one(table, stacks, changed)
            taken += fast is not None
    assert 100 < taken < 2000


@pytest.mark.parametrize(
    ("strings", "history", "mucked", "returns"),
    [
        ([], "", (), (50, 51, 102)),
        (["p3 f", "p1 f"], "ff", (), (50, 51, 102)),
        ([*BETTING, *RIVER, "p3 sm ????", "p2 sm"], "r250fc/cr400c/cc/cc", (1,), (50, -299, -298)),
        ([*BETTING, "p2 sm QcQd", "p3 sm", "d db 9s"], "r250fc/cr400c/cc/", (2,), (50, -299, -298)),
        (["p3 sm", "p3 f", "p2 sm ????", "p1 cc"], "fc", (2,), (0, 1, 102)),
        # p1 is all-in and passed over.
        (["p3 cbr 1000", "p1 cc", "p2 cbr 1500", "p3 cc"], "r1000cr1500c", (), (-900, -1399, -1398)),
    ],
)
def test_these_are_taken(strings: list[str], history: str, mucked: tuple[int, ...], returns: tuple[int, ...]) -> None:
    parts = parts_of(text_of(HOLES + strings))
    fast = by_machine(*parts)
    assert fast is not None
    assert fast == one_by_one(*parts)
    assert (fast[0], fast[2], fast[4]) == (history, mucked, returns)
    assert fast[1].hole == ((50, 47), (40, 41), ())


def test_hidden_cards_and_stacks_without_end() -> None:
    strings = [*HOLES, *BETTING, *RIVER, "p3 sm 7c7d", "p2 sm QcQd"]
    fast = by_machine(*parts_of(text_of(strings, "[inf, inf, inf]")))
    assert fast is not None
    assert fast[1].hole == ((50, 47), (40, 41), (20, 21))
    assert fast[3].stacks == (2**31 - 1,) * 3
    assert by_machine(*parts_of(text_of([*strings[:-2], "p3 sm 9s7d"]))) is None  # the nine is on the board


@pytest.mark.parametrize("size", ["0.5", "0.50", "1.25", "12", "999999999999.99"])
def test_cents_are_chips(size: str) -> None:
    table, stacks, actions = parts_of(text_of([*HOLES, "p3 cbr 250", "p1 f", "p2 cc", "d db 2c3d4h", f"p2 cbr {size}"]))
    if "." not in size:
        table = parts_of(text_of(HOLES, "[1000.00, 2000, 3000]"))[0]
    assert table.scale == 100
    fast = by_machine(table, stacks, actions)
    assert fast is not None
    assert fast[0] == f"r25000fc/r{25000 + round(100 * float(size))}"


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
        [*HOLES, "p3 cbr 300."],
        [*HOLES, "p3 cbr 300.255"],
        [*HOLES, "p3 cbr .5"],
        [*HOLES, "p3 cbr inf"],
        [*HOLES, f"p3 cbr {NINES}9"],
        [*HOLES, "p3 cbr 300 "],
        [*HOLES, "p3 cbr 100"],  # no raise
        [*HOLES, "p3 f", "p1 f", "p2 cc"],
        [*HOLES, "p3 cc", "p1 cc", "p2 cc", "p3 cc"],
        [*HOLES, "p3 cbr 3000", "p1 cc", "p2 cc", "d db 2c3d4h", "p3 cc"],  # all but one are all-in
        [*HOLES, "p2 sm QcQh"],
        [*HOLES, "p2 sm "],
        [*HOLES, *["p2 sm"] * 4],
        [*HOLES, "d db 2c3d"],
        [*HOLES, "d db p3 f"],
        [*HOLES, "d db 2c3d4h", "d db 2c"],
        [*HOLES, "d db 2c3d4h", "d db 5h", "d db 9s", "d db 9c"],
    ],
)
def test_these_are_given_up(strings: list[str]) -> None:
    assert by_machine(*parts_of(text_of(strings))) is None


@pytest.mark.parametrize("end", ["]", ", 3000, 4000]", ", 03000]", ",3000]", ", 3000", ", 3000 ]", ", inf", ", in]"])
def test_these_stacks_are_given_up(end: str) -> None:
    table, _, actions = parts_of(text_of(HOLES))
    assert by_machine(table, f"[1000, 2000{end}", actions) is None
    assert by_machine(table, "[50, 2000, 3000]", actions) is None  # all-in by the blind


@pytest.mark.parametrize("end", ["]", ", 3, 4]", ", 03]", ",3]", ", 3", ", 3 ]", ", 3.5]", ", .5]", ", 3]["])
def test_these_winnings_are_given_up(end: str) -> None:
    table, stacks, actions = parts_of(text_of(HOLES + BETTING))
    assert table.play(stacks, f"[1, 2{end}", actions) is None
    assert table.play(stacks, "[1, 2, 3]", actions) is not None


def test_winnings_in_cents() -> None:
    table, stacks, actions = parts_of(text_of([*HOLES, "p3 cbr 250.50", "p1 f", "p2 cc"]))
    play = table.play(stacks, "[0, 0.05, 550.9]", actions)
    assert play is not None
    assert table.returns_of(play[3]) == (-5000, 5 - 25050, 55090 - 25050)
    assert table.play(stacks, "[0, 0.005, 551]", actions) is None


def test_what_has_no_room_is_left_to_plain_python() -> None:
    table = parts_of(text_of([*HOLES, "p3 cbr 1.50"]))[0]
    stacks = f"[{NINES}, {NINES}, {NINES}]"
    opening = [*HOLES, f"p3 cbr {NINES[1:]}", "p1 f", "p2 cc", "d db 2c3d4h"]
    taken = []
    for raises in range(200):  # each of them is longer in ACPC's text, as the level is
        strings = [*opening, *[f"p{2 + k % 2} cbr {k + 1}" for k in range(raises)]]
        taken.append(table.play(stacks, "", "', '".join(strings)) is not None)
    assert 30 < sum(taken) < 200
    assert taken == sorted(taken, reverse=True)


CHARACTERS = "".join(map(chr, range(33, 127))) + "é♠"


def dealt_one_by_one(holes: list[str], board: str) -> Deal | None:
    """The cards looked up one by one; None if they cannot be dealt."""
    hands = [[] if text == "????" else [text[:2], text[2:]] for text in holes]
    public = [board[at : at + 2] for at in range(0, len(board), 2)]
    dealt = [card for cards in [*hands, public] for card in cards]
    if len({*dealt} & {*CARD_TEXT}) != len(dealt):
        return None
    return Deal(tuple(tuple(map(CARD_TEXT.index, hand)) for hand in hands), tuple(map(CARD_TEXT.index, public)))


def dealt_by_machine(holes: list[str], board: str) -> Deal | None:
    players = len(holes)
    game = make_game("NT", (0,) * players, (50, 100) + (0,) * (players - 2), (100,), (1000,) * players, True)
    strings = [f"d dh p{seat} {hole}" for seat, hole in enumerate(holes, 1)]
    strings += [f"d db {cards}" for cards in (board[:6], board[6:8], board[8:]) if cards]
    try:
        play = Table(game, 1, ()).play(f"[{', '.join(['1000'] * players)}]", "", "', '".join(strings))
    except ValueError:  # what the reader of hands takes for irregular
        return None
    return play[1] if play else None


@pytest.mark.parametrize("players", [2, 6, 10])
@pytest.mark.parametrize("shown", [0, 3, 5])
def test_cards_are_those_looked_up_one_by_one(players: int, shown: int) -> None:
    rng = np.random.default_rng(players + shown)
    refused = 0
    for _ in range(500):
        cards = [CARD_TEXT[card] for card in rng.permutation(52)]
        holes = ["".join(cards[2 * seat : 2 * seat + 2]) for seat in range(players)]
        if rng.integers(2):
            holes[rng.integers(players)] = "????"
        board = "".join(cards[20 : 20 + shown])
        deal = dealt_by_machine(holes, board)
        assert deal is not None
        assert deal == dealt_one_by_one(holes, board)
        assert {type(card) for hand in (*deal.hole, deal.board) for card in hand} <= {int}
        # One character more of any kind, which may make the same card twice.
        seat, at = int(rng.integers(players)), int(rng.integers(4))
        holes[seat] = holes[seat][:at] + CHARACTERS[rng.integers(len(CHARACTERS))] + holes[seat][at + 1 :]
        assert dealt_by_machine(holes, board) == dealt_one_by_one(holes, board)
        refused += dealt_one_by_one(holes, board) is None
    assert 300 < refused < 500


@pytest.mark.parametrize("hole", ["hAsK", "AAKK", "hhss", "Ah??", "??Ah", "AhAh", "A♠Kd", "éhKd", "    "])
def test_what_is_no_hand_is_given_up(hole: str) -> None:
    assert dealt_by_machine([hole, "2c3c"], "") is None
    assert dealt_by_machine(["2c3c", hole], "4c5c6c") is None


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has read no hand, though other kernels may have run."""
    monkeypatch.setattr(reading, "_read_regular", None)
    monkeypatch.setattr(reading, "_hands", 0)
    monkeypatch.setattr(reading, "HANDS_BEFORE", 100)
    monkeypatch.setattr(reading, "_OF_KERNELS", "sys")


@pytest.mark.usefixtures("fresh")
def test_many_hands_load_the_machine_code() -> None:
    texts = [*played_texts(6, 5, 50, (200, 3000)), *cash_texts(50, seed=5)]
    before = [next(read_phh(text, "here")) for text in texts]
    assert reading._read_regular is None
    after = [next(read_phh(text, "here")) for text in texts]
    assert reading._read_regular is read_regular
    assert [record._replace(extra={}) for record in before] == [record._replace(extra={}) for record in after]
    assert before == after
    with pytest.raises(FormatError):
        next(read_phh(text_of([*HOLES, "p3 é"])))


@pytest.mark.usefixtures("fresh")
def test_the_hands_of_a_long_file_are_counted_before_they_are_read() -> None:
    hand = next(read_phh(text_of(HOLES + BETTING)))
    read_phh(write_phhs([hand] * 99))
    assert reading._read_regular is None
    read_phh(write_phhs([hand] * 101))
    assert reading._read_regular is read_regular


@pytest.mark.usefixtures("fresh")
def test_without_other_kernels_more_hands_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "HANDS_BEFORE_NUMBA", 135)
    monkeypatch.setattr(reading, "_OF_KERNELS", "no.such.module")
    loaded = [reading.compiled_reader("") is not None for _ in range(160)]
    assert loaded == [False] * 135 + [True] * 25


def test_few_hands_load_no_compiler() -> None:
    program = f"""
import sys
from kibitz.io.phh import read_phh
for _ in range(100):
    assert next(read_phh({text_of(HOLES + BETTING)!r})).history == "r250fc/cr400c/cc"
sys.exit("numba" in sys.modules or "numpy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
