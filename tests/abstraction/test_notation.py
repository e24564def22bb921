"""Names of abstractions, read, printed and counted."""

import pytest

from kibitz.abstraction import parse_notation
from kibitz.abstraction.build import build_abstraction
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.tree.size import size_report

# Bard (2016), digest table 2.3: name, states per round, information sets of heads-up limit hold'em.
TABLE = [
    ("5-bucket", (5, 25, 125, 625), 3_624_290),
    ("8-bucket", (8, 64, 512, 4096), 23_551_424),
    ("12-bucket", (12, 144, 1728, 20736), 118_671_936),
    ("IR KE-KO 169-9000-9000-9000", (169, 9000, 9000, 9000), 57_331_352),
    ("IR KE-KO 169-3700-3700-3700", (169, 3700, 3700, 3700), 23_570_352),
    ("IR KE-KO 169-18630-18630-18630", (169, 18630, 18630, 18630), 118_674_452),
    ("IR KE-KO 169-1348620-34470-34470", (169, 1348620, 34470, 34470), 311_565_752),
    ("IR PUB×KE-KO 169-1348620-60×9000-60×1308", (169, 1348620, 540_000, 78_480), 879_586_352),
    ("lossless", (169, 1_286_792, 55_190_538, 2_428_287_420), 13_803_249_787_132),
    ("one-bucket", (1, 1, 1, 1), 6_378),
]


@pytest.mark.parametrize(("name", "counts", "infosets"), TABLE)
def test_published_sizes(name, counts, infosets):
    notation = parse_notation(name)
    assert notation.counts == counts
    assert size_report(load_game("holdem-limit-2p"), states=notation.counts).infosets == infosets


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("5-bucket", "5-bucket"),
        ("5-bucket EHS", "PR EHS 5-5-5-5"),
        ("PR EHS2 8-8-8-8", "8-bucket"),
        ("PR EHS2/EHS 6/2-6/2-6/2-6/2", "12-bucket"),
        ("PR EHS2 12-12-12-12", "PR EHS2 12-12-12-12"),
        ("PR EHS2-PHS 5-5-4-3", "PR EHS2-PHS 5-5-4-3"),
        ("IR KE-KO 169-100-100-100", "IR-100"),
        ("IR  KE-KO  169-9000-9000-3700", "IR KE-KO 169-9000-9000-3700"),
        ("IR KE-PHS 169-900-100-25", "IR KE-PHS 169-900-100-25"),
        ("1-bucket", "one-bucket"),
        ("IR EHS 10-20-30-40", "IR EHS 10-20-30-40"),
        ("IR PUB×KE-KO 169-9×20000-18630-875", "IR PUBxKE-KO 169-9x20000-18630-875"),
        ("PR PUBxEHS2 5-5-5-5", "PR PUBxEHS2 5-5-5-5"),
        ("PR PUBxEHS2 12-12-12-12", "PR PUBxEHS2 12-12-12-12"),
        ("PR PUBxEHS2 1-1-1-1", "PR PUBxEHS2 1-1-1-1"),
        ("PR PUBxEHS2 2x5-2x5-2x5-2x5", "PR PUBxEHS2 2x5-2x5-2x5-2x5"),
        ("PR PUBxEHS2/EHS 6/2-6/2-6/2-6/2", "PR PUBxEHS2/EHS 6/2-6/2-6/2-6/2"),
        ("lossless", "lossless"),
        ("IR lossless", "IR lossless"),
    ],
)
def test_printing_is_the_inverse_of_parsing(text, printed):
    notation = parse_notation(text)
    assert str(notation) == printed
    assert parse_notation(printed) == notation


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a card abstraction: names are like 5-bucket"),
        ("0-bucket", "is not a card abstraction"),
        ("KE-KO 169-9-9-9", "is not a card abstraction"),
        ("5-bucket XYZ", "no feature of hands is called 'XYZ'"),
        ("IR KE-KX 169-9-9-9", "no feature of hands is called 'KX'"),
        ("IR KE-KO-KO 169-9-9-9", "names 3 features"),
        ("IR KE-KO 169-9-9", "3 numbers of buckets"),
        ("IR KE-KO 169-9-9-x", "'x' in .* is no number of buckets"),
        ("IR KE-KO 169-9-9-0", "'0' in .* is no number of buckets"),
        ("IR KE-KO 169-9-9x9-9", "buckets boards in 9x9"),
        ("PR EHS2/EHS 6/2/2-6/2-6/2-6/2", "6/2/2 nests 3 features"),
        ("IR KE/EHS 169-9-9-9", "only percentiles"),
    ],
)
def test_what_is_no_name(text, message):
    with pytest.raises(KibitzError, match=message):
        parse_notation(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("IR PUB×KE-KO 169-1348620-60×9000-60×1308", "counts such abstractions but cannot build them"),
        ("PR KE-KO 5-5-5-5", "imperfect recall"),
        ("IR KE 169-9-9-9", "KE is not for boards of 5 cards"),
        ("IR KO 169-9-9-9", "KO is not for boards of 3 cards"),
        ("IR PHS 9-9-9-9", "PHS is not for boards of 0 cards"),
        ("PR PUBxEHS2 5-5-5-5", "^PR PUBxEHS2 5-5-5-5 has public buckets"),
        ("PR EHS2 5-5-5-5000000", "5,000,000 buckets with 5 cards on the board, where EHS2 tells at most 1,981"),
        ("PR EHS2 170-5-5-5", "tells at most 169 hands apart"),
        ("IR-200000000", "KE tells at most 1,286,792 hands apart"),
        ("PR EHS2 5-5-500000-5", "GiB of memory, and at most 64 are taken"),
    ],
)
def test_what_is_not_built(text, message):
    with pytest.raises(KibitzError, match=message):
        build_abstraction(text)


def test_lossless_streets():
    assert parse_notation("IR KE-KO 169-1348620-34470-34470").lossless == (True, True, False, False)
    assert parse_notation("IR-100").lossless == (True, False, False, False)
    assert parse_notation("PR EHS2 169-1-1-1").lossless == (False,) * 4  # the best 169th of hands is not a class
