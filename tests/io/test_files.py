"""Files: the format is told by content, through compression, archives and folders."""

import bz2
import gzip
import io
import lzma
import tarfile
from contextlib import suppress

import pytest
from bench.phh_texts import records

from kibitz.errors import FormatError, KibitzError
from kibitz.games import load_game
from kibitz.io.acpc import format_hand
from kibitz.io.files import FORMATS, MOST_LAYERS, UnknownFormatError, open_sources, read_events, read_records
from kibitz.io.phh import write_phhs
from kibitz.io.replay import ReplayReport, replay_file

LOG = """# name/game/hands/seed m /x/leduc.limit.2p.game 2 0
STATE:0:rf:Kh|As:1|-1:a|b
STATE:1:rrc/rrc:Ah|Kh/Qs:13|-13:b|a
"""
PHH = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ['d dh p1 AhKs', 'd dh p2 QcQd', 'p2 cbr 300', 'p1 f']
"""
SAMPLES = {
    "acpc": LOG,
    "acpc-transcript": LOG.splitlines()[0] + "\nSTARTED at 1.5\nTO 1 at 2.5 MATCHSTATE:0:0::Kh|\n",
    "phh": PHH,
    "pokerstars": "\ufeffPokerStars Hand #1:  Hold'em No Limit ($1/$2 USD) - 2020/09/07 17:25:37 ET\n",
    "irc": "766303976   1   455  8  5/600    6/1200   6/1800   6/2400  3s Jc Qd 5c Ah\n",
}


def tar_of(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize("wanted", FORMATS)
@pytest.mark.parametrize("name", ["hands", "hands.txt", "hands.phh", "hands.log"])
def test_the_format_is_told_by_content(tmp_path, wanted, name):
    path = tmp_path / name
    path.write_text(SAMPLES[wanted].replace("\n", "\r\n"), newline="")
    (source,) = open_sources(path)
    assert source.format == wanted


def test_phhs_headerless_logs_and_home_games_are_told_too(tmp_path):
    for text, wanted in (
        ("[1]\n" + PHH, "phh"),
        (PHH.replace("variant", '"variant"'), "phh"),
        ("STATE:0:f:5d5c|9hQd:50|-50:p1|p2\n", "acpc"),
        ("LBR fcpa\nSTATE:0:f:5d5c|9hQd:50|-50:p1|p2 (1.5)\n", "acpc"),
        ("a|b:0:b5b10f:5d5c|9hQd:5|-5\n", "acpc"),
        ("PokerStars Home Game Hand #1: {Club #2}  Hold'em No Limit (5/10) - 2020/09/07 17:25:37 ET\n", "pokerstars"),
    ):
        path = tmp_path / "file"
        path.write_text(text)
        (source,) = open_sources(path)
        assert source.format == wanted


@pytest.mark.parametrize(
    "pack", [lzma.compress, gzip.compress, bz2.compress, lambda data: gzip.compress(lzma.compress(data))]
)
def test_compression_is_told_by_content(tmp_path, pack):
    path = tmp_path / "log"
    path.write_bytes(pack(LOG.encode()))
    records = list(read_records(path))
    assert [record.hand for record in records] == ["0", "1"]
    assert records[0].source == f"{path}:2"


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: tar_of({"in": data})], ids=["gzip", "tar"])
def test_layers_without_end_are_refused_in_a_sentence(tmp_path, pack):
    path = tmp_path / "deep"
    data = LOG.encode()
    for layers in range(1, 601):
        data = pack(data)
        if layers == MOST_LAYERS:
            path.write_bytes(data)
            assert len(list(read_records(path))) == 2
    path.write_bytes(data)
    with pytest.raises(FormatError, match=f"more than {MOST_LAYERS} compressed files or archives"):
        list(read_records(path))
    with pytest.raises(FormatError, match=f"more than {MOST_LAYERS} compressed files or archives"):
        replay_file(path)


def sparse_member(size: int) -> bytes:
    """A tar archive of one file of `size` zeros, of which it holds none."""
    info = tarfile.TarInfo("zeros")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"%011o\0" % size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(1024)


@pytest.mark.parametrize(
    "bomb",
    [
        lzma.compress(LOG.encode() + bytes(3 << 20), preset=0),
        gzip.compress(tar_of({"zeros": bytes(3 << 20), "log": LOG.encode()})),
        bz2.compress(gzip.compress(LOG.encode() + bytes(3 << 20))),
        tar_of({f"{number}": gzip.compress(bytes(300_000)) for number in range(9)}),
        sparse_member(3 << 20),
    ],
)
def test_what_unpacks_to_more_than_the_limit_is_refused(tmp_path, bomb):
    """More than is wanted, and more than a hundred times the file; without a limit it is read to its end."""
    path = tmp_path / "bomb"
    path.write_bytes(bomb)

    def read(most_bytes: int | None) -> int:
        return sum(len(source.lines.read()) for source in open_sources(path, most_bytes))

    with pytest.raises(FormatError, match=r"more than 1(\.\d+)? MiB: unpack and split it"):
        read(64 << 20)
    with pytest.raises(FormatError, match=r"more than 40 KiB: unpack and split it"):
        read(40 << 10)
    with suppress(UnknownFormatError):
        assert read(None) > 3_000_000


@pytest.mark.parametrize("pack", [bytes, lzma.compress, gzip.compress])
def test_archives_hold_files_and_compressed_files(tmp_path, pack):
    path = tmp_path / "all.tar"
    members = {"b/first.log": LOG.encode(), "README": b"hello", "second.log.xz": lzma.compress(LOG.encode())}
    path.write_bytes(pack(tar_of(members)))
    records = list(read_records(path))
    assert [record.source for record in records] == [
        f"{path}/b/first.log:2",
        f"{path}/b/first.log:3",
        f"{path}/second.log.xz:2",
        f"{path}/second.log.xz:3",
    ]
    assert any("README" in note for note in replay_file(path).notes)


def test_folders_are_read_in_order_of_names(tmp_path):
    (tmp_path / "z").mkdir()
    for name in ("z/a.log", "b.log", "a.log"):
        (tmp_path / name).write_text(LOG)
    (tmp_path / "notes.txt").write_text("hello")
    names = [
        record.source.rsplit("/", 1)[0] + "/" + record.source.rsplit("/", 1)[1] for record in read_records(tmp_path)
    ]
    assert names == [f"{tmp_path}/{name}:{line}" for name in ("a.log", "b.log", "z/a.log") for line in (2, 3)]


def test_several_paths_follow_one_another(tmp_path):
    path = tmp_path / "log"
    path.write_text(LOG)
    assert len(list(read_records([path, str(path)], load_game("leduc")))) == 4


def test_unknown_files_are_refused(tmp_path):
    path = tmp_path / "notes.txt"
    for data in (b"", b"hello\n", bytes(range(256)) * 40):
        path.write_bytes(data)
        with pytest.raises(UnknownFormatError, match="not a hand history"):
            list(read_records(path))


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress, bz2.compress])
def test_damaged_files_are_refused(tmp_path, pack):
    path = tmp_path / "log"
    whole = pack(LOG.encode() * 400)
    for damaged in (whole[: len(whole) // 2], whole[:30] + bytes(12) + whole[42:], whole[:12]):
        path.write_bytes(damaged)
        with pytest.raises(FormatError):
            list(read_records(path))


@pytest.mark.parametrize("form", ["acpc", "phh"])
def test_hands_before_the_damage_are_read(tmp_path, form):
    played = [record._replace(source="") for record in records("holdem-nolimit-2p", 300)]
    lines = [format_hand(record) for record in played]
    text = "\n".join(lines) if form == "acpc" else write_phhs(played)
    whole = gzip.compress(text.encode())
    path, tar = tmp_path / "log", tmp_path / "tar"
    path.write_bytes(whole[: len(whole) * 2 // 3])
    report = replay_file(path, load_game("holdem-nolimit-2p"))
    assert 100 < report.hands < 250
    assert report.differences == 1
    assert "damaged" in report.first[0].got
    tar.write_bytes(tar_of({"a": whole, "b": whole})[: len(whole) + 2000])
    report = replay_file(tar, load_game("holdem-nolimit-2p"))
    assert (report.hands, report.differences) == (300, 1)
    assert "damaged" in report.first[0].got
    cut, nothing = whole[: len(whole) * 2 // 3], whole[:12]
    members = {"a": cut, "b": text.encode(), "c": b"", "d": nothing, "e": lzma.compress(text.encode())}
    tar.write_bytes(tar_of(members))
    report = replay_file(tar, load_game("holdem-nolimit-2p"))
    assert 700 < report.hands < 850
    assert [each.got.split(": ")[0] for each in report.first] == [f"{tar}/a", f"{tar}/d"]


def test_a_line_that_was_cut_is_no_hand(tmp_path):
    played = records("holdem-nolimit-2p", 30)
    known = {(record.hand, record.history, record.returns, record.players) for record in played}
    text = "".join(format_hand(record) + "\n" for record in played).encode()
    whole = gzip.compress(text, compresslevel=0)  # so that every byte of the file is one of the text
    path, game = tmp_path / "log", load_game("holdem-nolimit-2p")
    for cut in range(len(whole) - 150, len(whole) - 20, 3):
        path.write_bytes(whole[:cut])
        events: list = []
        for source in open_sources(path):
            with pytest.raises(FormatError, match="damaged"):
                events.extend(read_events(source, game, strict=False))  # which keeps what came before the error
        assert len(events) > 20
        assert all((each.hand, each.history, each.returns, each.players) in known for each in events)


def damages(report: ReplayReport) -> list[str]:
    return [each.got.rsplit(": ", 1)[0] for each in report.first if "damaged" in each.got]


def test_a_bad_line_takes_nothing_from_the_hands_before_it(tmp_path):
    path = tmp_path / "log"
    for bad in ("STATE:bad\n", "# name/game/hands/seed m nowhere.game 4 0\nSTATE:0:f:Ks|Js:1|-1:a|b\n"):
        path.write_text(LOG + bad)
        seen = []
        with pytest.raises(KibitzError):
            seen.extend(read_records(path))
        assert len(seen) == 2


def test_a_file_cut_before_its_format_shows_is_damaged(tmp_path):
    (tmp_path / "a.log").write_text(LOG)
    (tmp_path / "b.log.gz").write_bytes(gzip.compress(LOG.encode(), compresslevel=0)[:25])  # ten letters
    (tmp_path / "c.log").write_text(LOG)
    with pytest.raises(FormatError, match=r"b.log.gz: the file is damaged"):
        list(read_records(tmp_path))
    report = replay_file(tmp_path)  # goes on
    assert (report.hands, damages(report)) == (4, [f"{tmp_path}/b.log.gz: the file is damaged"])
    tar = tmp_path / "all.tar"
    tar.write_bytes(tar_of({path.name: path.read_bytes() for path in sorted(tmp_path.iterdir())}))
    cut = (tmp_path / "b.log.gz").read_bytes()
    (tmp_path / "two.tar").write_bytes(tar_of({"x": cut, "y": cut}))
    with pytest.raises(FormatError, match=r"two.tar/x: the file is damaged: .* \(and 1 more\)"):
        replay_file(tmp_path / "two.tar")
    report = replay_file(tar)
    assert (report.hands, damages(report)) == (4, [f"{tar}/b.log.gz: the file is damaged"])


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_headers_within_an_archive_that_are_damaged_are_told(tmp_path, pack):
    whole = tar_of({name: LOG.encode() for name in "abc"})
    second = 512 * (1 + -(-len(LOG) // 512))
    assert whole[second : second + 1] == b"b"
    path = tmp_path / "all.tar"
    flipped = whole[: second + 150] + bytes([whole[second + 150] ^ 1]) + whole[second + 151 :]
    for damaged in (flipped, whole[: second + 100]):
        path.write_bytes(pack(damaged))
        report = replay_file(path)
        assert (report.hands, damages(report)) == (2, [f"{path}: the archive is damaged"])
    path.write_bytes(pack(whole[:second]))  # some writers leave the empty blocks at the end out
    assert damages(replay_file(path)) == []


def test_the_checksum_of_an_archive_is_looked_at(tmp_path):
    whole = bytearray(gzip.compress(tar_of({"a": LOG.encode()})))
    whole[-8] ^= 1
    path = tmp_path / "all.tar.gz"
    path.write_bytes(whole)
    with pytest.raises(FormatError, match="damaged: CRC"):
        list(read_records(path))


def test_little_is_lost_where_an_archive_is_cut(tmp_path):
    text = LOG.encode() * 600
    path = tmp_path / "all.tar"
    path.write_bytes(tar_of({"a": text})[: 512 + len(text) * 9 // 10])
    assert 1000 < replay_file(path).hands < 1080


def test_a_damaged_archive_is_refused(tmp_path):
    path = tmp_path / "all.tar"
    path.write_bytes(tar_of({"a.log": LOG.encode() * 40})[:900])
    with pytest.raises(FormatError):
        list(read_records(path))


def test_bytes_that_are_no_text_do_not_stop_the_reader(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(LOG.replace("a|b", "\xe9|b").encode("latin-1"))
    assert next(iter(read_records(path))).players == ("\ufffd", "b")


STARS = """PokerStars Hand #{number}: {game} ($0.50/$1.00 USD) - 2020/09/07 17:25:37 ET
Table 'Ada' 2-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Ann: raises $2 to $3
Bob: calls $2
*** FLOP *** [2c 7d Kh]
Bob: checks
Ann: bets $4
Bob: folds
Uncalled bet ($4) returned to Ann
Ann collected ${won} from pot
*** SUMMARY ***
Total pot $6 | Rake ${rake}
Board [2c 7d Kh]


"""


def stars(number: int, game: str = "Hold'em No Limit", won: str = "5.70", rake: str = "0.30") -> str:
    return STARS.format(number=number, game=game, won=won, rake=rake)


def test_hands_after_one_that_cannot_be_read_are_checked(tmp_path):
    path = tmp_path / "many.phhs"
    other, bad = PHH.replace("'NT'", "'PO'"), PHH.replace("p1 ", "p7 ")
    assert PHH not in (other, bad)
    path.write_text("".join(f"[{number}]\n{text}\n" for number, text in enumerate([PHH, other, bad, PHH], 1)))
    report = replay_file(path)
    assert (report.hands, report.differences) == (2, 1)
    assert "'PO' (pot-limit Omaha) is not played here" in report.notes[0]
    lines = PHH.count("\n") + 2
    assert report.first[0].source == f"{path}:{1 + 2 * lines}"
    assert "p7" in report.first[0].got
    assert report.first[0].hand == "3"
    with pytest.raises(FormatError, match=r"many.phhs:\d+: .*'PO'"):
        list(read_records(path))
    path.write_text(f"{PHH}hand = 1\n[2]\n{bad}hand = 'final table 12'\n")
    assert replay_file(path).first[0].hand == "final table 12"


def test_pokerstars_hands_are_checked_rake_and_all(tmp_path):
    pytest.importorskip("kibitz.io.pokerstars")
    path = tmp_path / "stars.txt"
    path.write_text(stars(1) + stars(2, game="Omaha Pot Limit") + stars(3, won="6", rake="0"))
    report = replay_file(path)
    assert (report.hands, report.differences) == (2, 0)
    assert "Omaha" in report.notes[0]
    told = []
    assert [record.hand for record in read_records(path, unplayed=told.append)] == ["1", "3"]
    assert len(told) == 1
    with pytest.raises(FormatError):
        list(read_records(path))
