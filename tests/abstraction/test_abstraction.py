"""Looking buckets up, one by one and in batches; saving and loading."""

import subprocess
import sys

import numpy as np
import pytest

from kibitz.abstraction import build_abstraction, load_abstraction, parse_notation, read_abstraction, save_abstraction
from kibitz.abstraction.build import fingerprint_rounds
from kibitz.abstraction.core import CardAbstraction, CutMap, TableMap
from kibitz.abstraction.features.boards import CANONICAL, STREETS, get_boards, pair_cards
from kibitz.abstraction.features.strength import pair_classes
from kibitz.abstraction.percentiles import Cut
from kibitz.errors import CardError, FormatError, KibitzError
from kibitz.isomorphism import IsomorphismIndex

HANDS = 400


@pytest.fixture(scope="module")
def cards():
    random = np.random.default_rng(0)
    hands = np.array([random.choice(52, 7, replace=False) for _ in range(HANDS)], dtype=np.uint8)
    return np.ascontiguousarray(hands[:, :2]), np.ascontiguousarray(hands[:, 2:])


def invented_table(size, values, dtype):
    """A table of the right shape with nothing true in it, the entries of a hand hard to guess."""
    return np.resize(
        np.random.default_rng(size).integers(values, size=1_000_003).astype(dtype), (CANONICAL[size], 1326)
    )


@pytest.fixture(scope="module")
def imperfect():
    rounds = tuple(TableMap(size, invented_table(size, 200, np.uint8)) for size in STREETS)
    masses = (np.full(200, 1 / 200),) * 4
    counts = np.full(4, 200)
    notation = parse_notation("IR KE-KO 200-200-200-200")
    fingerprint = fingerprint_rounds(notation, rounds)
    return CardAbstraction(notation, rounds, counts, masses, fingerprint, {"seed": 1})


@pytest.fixture(scope="module")
def perfect():
    """Nested cuts of invented features: 2 by one and 3 by another, in each round."""
    rounds, states = [], 1
    for size in STREETS:
        random = np.random.default_rng(size)
        thresholds = [np.sort(random.integers(1000, size=shape), axis=1) for shape in ((states, 1), (2 * states, 2))]
        found = CutMap(size, (Cut("EHS2", thresholds[0]), Cut("EHS", thresholds[1])))
        table = invented_table(size, 1000, np.uint16)
        # Before the flop hands that differ in suits only must have one bucket; later their boards see to it.
        found.__dict__["_tables"] = [table if size else table[:, pair_classes()]] * 2
        rounds.append(found)
        states *= 6
    counts = np.array([6, 36, 216, 1296])
    notation = parse_notation("PR EHS2/EHS 2/3-2/3-2/3-2/3")
    return CardAbstraction(notation, tuple(rounds), counts, (None,) * 4, fingerprint_rounds(notation, rounds))


@pytest.mark.parametrize("name", ["perfect", "imperfect"])
@pytest.mark.parametrize("round_", range(4))
def test_a_batch_is_as_one_by_one(name, round_, cards, request):
    abstraction = request.getfixturevalue(name)
    hole, board = cards
    found = abstraction.buckets(hole, board, round_)
    assert found.dtype == np.int32
    assert 0 <= found.min() <= found.max() < abstraction.counts[round_]
    size = STREETS[round_]
    one_by_one = [abstraction.bucket(h, b[:size]) for h, b in zip(hole.tolist(), board.tolist(), strict=True)]
    assert found.tolist() == one_by_one
    assert len(set(one_by_one)) > min(HANDS, abstraction.counts[round_]) / 8
    many = np.tile(hole, (400, 1)), np.tile(board, (400, 1))
    assert (abstraction.buckets(*many, round_, threads=2) == np.tile(found, 400)).all()
    assert (abstraction.buckets(hole[:, ::-1], board[:, :size], round_) == found).all()


def test_perfect_recall_remembers(perfect, cards):
    found = [perfect.buckets(*cards, round_) for round_ in range(4)]
    for round_ in range(1, 4):
        assert (perfect.parents[round_][found[round_]] == found[round_ - 1]).all()
    assert not perfect.parents[0].any()
    assert perfect.perfect_recall


def test_the_order_of_streets_matters_with_perfect_recall_only(perfect, imperfect, cards):
    """The turn card changes places with one of the flop."""
    hole, board = cards
    other = np.ascontiguousarray(board[:, [0, 1, 3, 2, 4]])
    assert (imperfect.buckets(hole, board, 3) == imperfect.buckets(hole, other, 3)).all()
    assert (perfect.buckets(hole, board, 3) != perfect.buckets(hole, other, 3)).any()
    assert imperfect.parents is None
    assert not imperfect.perfect_recall


@pytest.mark.parametrize("name", ["perfect", "imperfect"])
@pytest.mark.parametrize("round_", range(4))
def test_all_hands_of_a_board(name, round_, cards, request):
    abstraction = request.getfixturevalue(name)
    boards, pairs = cards[1][:60], pair_cards()
    found = abstraction.board_buckets(boards, round_, threads=2)
    for board, row in zip(boards, found, strict=True):
        free = ~np.isin(pairs, board[: STREETS[round_]]).any(axis=1)
        assert (row[~free] == -1).all()
        wanted = abstraction.buckets(pairs[free], np.tile(board, (int(free.sum()), 1)), round_)
        assert (row[free] == wanted).all()
    assert abstraction.board_buckets(boards[:0], round_).shape == (0, 1326)
    with pytest.raises(KibitzError, match="round 4"):
        abstraction.board_buckets(boards, 4)


def test_no_hands_have_no_buckets(imperfect):
    assert len(imperfect.buckets(np.empty((0, 2), np.uint8), np.empty((0, 5), np.uint8), 3)) == 0


@pytest.mark.parametrize(
    ("hole", "board", "round_", "message"),
    [
        ([[1, 1]], [[2, 3, 4]], 1, "hand 0 is"),
        ([[1, 2]], [[2, 3, 4]], 1, "hand 0 is"),
        ([[1, 60]], [[2, 3, 4]], 1, "hand 0 is"),
        ([[1, 5]], [[2, 3]], 1, "round 1 has 3 cards"),
        ([[1, 5, 9]], [[2, 3, 4]], 1, "uint8"),
        ([[1, 5]], [[2, 3, 4]], 4, "round 4"),
    ],
)
def test_what_is_no_hand(imperfect, hole, board, round_, message):
    with pytest.raises(KibitzError, match=message):
        imperfect.buckets(np.array(hole, dtype=np.uint8), np.array(board, dtype=np.uint8), round_)


def test_what_is_no_single_hand(imperfect):
    for hole, board in (((1, 1), ()), ((1, 2), (2, 3, 4)), ((1, 2), (5,)), ((1,), ()), ((1, 52), ()), ((-1, 5), ())):
        with pytest.raises(CardError, match="two hole cards, 0, 3, 4 or 5"):
            imperfect.bucket(hole, board)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64])
@pytest.mark.parametrize("name", ["perfect", "imperfect"])
def test_cards_of_numpy_are_cards(name, dtype, cards, request):
    abstraction = request.getfixturevalue(name)
    for hole, board in zip(*(part[:50] for part in cards), strict=True):
        for size in STREETS:
            found = abstraction.bucket(hole.astype(dtype), board[:size].astype(dtype))
            assert found == abstraction.bucket(hole.tolist(), board[:size].tolist())


@pytest.mark.parametrize(("name", "patterns"), [("lossless", "2|3|1|1"), ("IR lossless", None)])
def test_lossless(name, patterns, cards, monkeypatch):
    monkeypatch.setattr("kibitz.abstraction.build._TABULATED", 3)  # the table of turns takes some seconds
    abstraction = build_abstraction(name)
    hole, board = cards
    for round_, size in enumerate(STREETS):
        index = IsomorphismIndex(patterns or (f"2|{size}" if size else "2"))
        street = round_ if patterns else -1
        wanted = index.index_batch(np.concatenate((hole, board[:, :size]), axis=1), street)
        assert (abstraction.buckets(hole, board, round_) == wanted).all()
        assert abstraction.counts[round_] == index.sizes[street]
        assert abstraction.bucket(hole[0].tolist(), board[0, :size].tolist()) == wanted[0]
    assert abstraction.parents is None
    rows, pairs = abstraction.board_buckets(board[:3], 3), pair_cards()
    free = ~np.isin(pairs, board[0]).any(axis=1)
    assert (rows[0, free] == abstraction.buckets(pairs[free], np.tile(board[0], (1081, 1)), 3)).all()
    assert (rows[0, ~free] == -1).all()


def test_one_bucket_needs_no_features(cache, cards):
    abstraction = load_abstraction("one-bucket")
    assert not list(cache.rglob("strength-*.npy"))
    assert not abstraction.buckets(*cards, 3).any()
    assert abstraction.bucket((0, 1), (5, 6, 7)) == 0
    assert [parents.tolist() for parents in abstraction.parents] == [[0]] * 4


def test_save_and_load(imperfect, cards, tmp_path):
    save_abstraction(imperfect, tmp_path / "here")
    loaded = load_abstraction(str(tmp_path / "here"))
    assert loaded.name == "IR KE-KO 200-200-200-200"
    assert loaded.fingerprint == imperfect.fingerprint
    assert loaded.provenance == {"seed": 1}
    for round_ in range(4):
        assert (loaded.buckets(*cards, round_) == imperfect.buckets(*cards, round_)).all()
        assert (loaded.masses[round_] == imperfect.masses[round_]).all()
    save_abstraction(loaded, tmp_path / "here")  # in its own place
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_agents_need_no_compiler(imperfect, cards, tmp_path):
    """Loading and looking up one hand after the other, in a process of its own."""
    save_abstraction(imperfect, tmp_path / "here")
    hole, board = cards[0][0].tolist(), cards[1][0].tolist()
    for size in STREETS:
        get_boards(size)  # the cache has them, as it will where anything was ever built
    program = (
        "import sys; from pathlib import Path; from kibitz.abstraction import load_abstraction\n"
        f"print(load_abstraction(Path({str(tmp_path / 'here')!r})).bucket({hole}, {board}), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == [str(imperfect.bucket(hole, board)), "False"]


def test_saving_cuts(perfect, tmp_path):
    save_abstraction(perfect, tmp_path / "here")
    loaded = read_abstraction(tmp_path / "here")
    for ours, theirs in zip(perfect.rounds, loaded.rounds, strict=True):
        assert [cut.feature for cut in theirs.cuts] == ["EHS2", "EHS"]
        for a, b in zip(ours.cuts, theirs.cuts, strict=True):
            assert (a.thresholds == b.thresholds).all()


def test_damaged_folders(imperfect, tmp_path):
    folder = tmp_path / "here"
    with pytest.raises(FormatError, match="there is no folder"):
        read_abstraction(folder)
    folder.mkdir()
    with pytest.raises(KibitzError, match="does not hold a card abstraction: it is not replaced"):
        save_abstraction(imperfect, folder)
    folder.rmdir()
    save_abstraction(imperfect, folder)
    (folder / "round-1-table.npy").write_bytes(b"")
    with pytest.raises(FormatError, match="is not complete"):
        read_abstraction(folder)
    (folder / "manifest.json").write_text("[]")
    with pytest.raises(FormatError, match="or by something else"):
        read_abstraction(folder)


def test_builds_are_found_again(cache):
    first = load_abstraction("one-bucket")
    manifest = cache / "abstractions-2" / "one-bucket" / "manifest.json"
    before = manifest.stat().st_mtime_ns
    assert load_abstraction("1-bucket").fingerprint == first.fingerprint
    assert manifest.stat().st_mtime_ns == before
