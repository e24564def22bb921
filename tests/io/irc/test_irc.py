"""The IRC database: hands in order of action from letters by player, and what is said of those that do not fit."""

from pathlib import Path

import pytest

from kibitz.cards import format_cards
from kibitz.errors import FormatError
from kibitz.io.files import open_sources, read_events, read_records
from kibitz.io.hand_check import check
from kibitz.io.record import HandRecord, Refusal
from kibitz.learning.histories import HIDDEN, MUCKED, SHOWN, read_hands

# At 10-20: a showdown with a hand mucked, a raise that all fold to, and two players with either order of blinds.
HDB = """\
900000001   1   101  4  3/65   3/125  2/165  2/205  2c 7d 9h Ks 3c
900000002   1   102  4  0/0    0/0    0/0    0/0
900000003   1   103  2  2/20   2/20   2/100  2/100  2c 7d 9h Ks 3c
900000004   1   104  2  2/20   2/40   2/40   2/40   2c 7d 9h Ks 3c
"""
ROSTER = """\
900000001  4 ann bob cy dee
900000002  4 bob cy dee ann
900000003  2 ann bob
900000004  2 bob ann
"""
PDB = {
    "ann": """\
ann  900000001  4  1 Bf    -     -     -      1000   5    0
ann  900000002  4  4 f     -     -     -       995   0    0
ann  900000003  2  1 Bc    k     bc    k       995  50    0
ann  900000004  2  1 Bc    c     k     k       945  20    0
""",
    "bob": """\
bob  900000001  4  2 Bc    kc    kc    kc     1000  80  205 Kc Kd
bob  900000002  4  1 Bf    -     -     -      1125   5    0
bob  900000003  2  2 Bk    k     r     k      1120  50  100 9c 9d
bob  900000004  2  2 Bk    b     k     k      1170  20   40 9c 9d
""",
    "cy": """\
cy   900000001  4  3 cc    bc    kf    -       800  40    0
cy   900000002  4  2 BfQ   -     -     -       760  10    0
""",
    "dee": """\
dee  900000001  4  4 r     r     b     b       900  80    0
dee  900000002  4  3 r     -     -     -       820  20   35
""",
}


def write(folder: Path, place: str = "pdb", **players: str) -> Path:
    """The files of a month, with other lines of some players."""
    (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / "hdb").write_text(HDB)
    (folder / "hroster").write_text(ROSTER)
    for name, text in (PDB | players).items():
        (folder / place / f"pdb.{name}").write_text(text)
    return folder / "hdb"


@pytest.mark.parametrize("place", ["pdb", "."])
def test_hands_are_put_in_order(tmp_path, place):
    path = write(tmp_path, place)
    (source,) = open_sources(tmp_path)  # players' files are no hand histories of their own
    assert source.format == "irc"
    records = list(read_records(path))
    assert [each.history for each in records] == ["crfcc/crrcc/ccrcf/crc", "rfff", "cc/cc/rrc/cc", "cc/rc/cc/cc"]
    assert [check(each) for each in records] == [[], [], [], []]
    assert [each.hand for each in records] == ["900000001", "900000002", "900000003", "900000004"]
    assert [each.players for each in records] == [
        ("ann", "bob", "cy", "dee"), ("bob", "cy", "dee", "ann"), ("ann", "bob"), ("bob", "ann"),
    ]  # fmt: skip
    first = records[0]
    assert (first.game.blinds, first.game.raise_sizes) == ((5, 10, 0, 0), (10, 10, 20, 20))
    assert first.returns == (-5, 125, -40, -80)
    assert format_cards(first.deal.hole[1]) == "KcKd"
    assert first.extra["mucked"] == (3,)
    assert first.source == f"{path}:1"


def test_cards_are_hidden_shown_or_mucked(tmp_path):
    hands, broken = read_hands([write(tmp_path)])
    assert not broken
    assert hands.seen[0, :4].tolist() == [HIDDEN, SHOWN, HIDDEN, MUCKED]
    assert hands.seen[1, :4].tolist() == [HIDDEN] * 4
    assert hands.players.tolist() == [4, 4, 2, 2]
    assert [hands.name_list[number] for number in hands.names[1, :4]] == ["bob", "cy", "dee", "ann"]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("cy", "cc    bc ", "cc    bb ", "cy acts 'b' in round 2"),
        ("cy", "cc    bc ", "cc    b  ", "cy acts nothing in round 2"),
        ("dee", "r     r     b     b ", "r     r     b     bb", "dee acts 'b' in round 4, which is over"),
        ("dee", "r     r     b     b ", "r     r     b     A ", "all-in"),
        ("dee", "r     r     b     b ", "r     r     b     x ", "actions 'x'"),
        ("dee", "900  80", "900  70", "dee bets 70 chips, 16 small blinds by the betting"),
        ("cy", "4  3 cc", "4  2 cc", "positions"),
        ("cy", "cc    bc", "Bcc   bc", "cy posts a blind at position 3"),
        ("ann", "900000001", "900000009", "no line of this hand in pdb.ann"),
        ("bob", "205 Kc Kd", "205 Kc Kx", "Kx"),
        ("bob", "205 Kc Kd", "205 Kc Kd Qd", "3 hole cards"),
        ("ann", "1000   5    0", "1000   5", "11 fields"),
    ],
)
def test_a_hand_that_does_not_fit_is_named_by_file_and_deal(tmp_path, name, old, new, said):
    assert old in PDB[name]
    path = write(tmp_path, **{name: PDB[name].replace(old, new, 1)})
    with pytest.raises(FormatError, match=f"{path}:1: hand 900000001: .*{said}"):
        list(read_records(path))
    refused, *others = (event for source in open_sources(path) for event in read_events(source, strict=False))
    assert isinstance(refused, Refusal)
    assert (refused.hand, refused.source) == ("900000001", f"{path}:1")
    assert [type(each) for each in others] == [HandRecord] * 3
    hands, broken = read_hands([path], skip_bad=True)
    assert len(hands) == 3
    assert said in str(broken[0])
    with pytest.raises(FormatError, match="hand 900000001"):
        read_hands([path])


def test_players_who_bet_more_than_they_win_are_broken_by_the_rules(tmp_path):
    path = write(tmp_path, bob=PDB["bob"].replace("80  205", "80  200", 1))
    with pytest.raises(FormatError, match="hand 900000001: returns"):
        read_hands([path])


def test_a_file_alone_is_refused_in_a_sentence(tmp_path):
    path = write(tmp_path)
    (tmp_path / "hroster").unlink()
    with pytest.raises(FormatError, match="no file hroster beside it"):
        list(read_records(path))
    write(tmp_path)
    (tmp_path / "pdb" / "pdb.cy").unlink()
    with pytest.raises(FormatError, match=r"hand 900000001: no file pdb\.cy"):
        list(read_records(path))
    (tmp_path / "hroster").write_text(ROSTER.replace("ann bob cy dee", "ann bob cy"))
    with pytest.raises(FormatError, match="4 players in hdb, 3 names"):
        list(read_records(path))


def test_two_who_are_left_may_raise_on(tmp_path):
    path = write(
        tmp_path,
        ann=PDB["ann"].replace("Bc    k     bc    k       995  50", "Bc    k     brrc  k       995 130"),
        bob=PDB["bob"].replace("Bk    k     r     k      1120  50  100", "Bk    k     rrr   k      1120 130  260"),
    )
    third = [*read_records(path)][2]
    assert third.history == "cc/cc/rrrrrrc/cc"
    assert third.game.uncapped_heads_up
    assert check(third) == []
