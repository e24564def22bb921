"""Figures of the thesis that are no value curves, as they were printed."""

from __future__ import annotations

from math import nan

from kibitz.experiments.published import PublishedTable

PLAYERS = ("player one", "player two")
PAIRS_SHARE = 0.15  # sizes of learnt trees depend on the sizes learnt

TABLE_4_1 = PublishedTable(
    "Hawkin 2014, table 4.1: sizes in Kuhn poker, in pots",
    "game and bet",
    ("size",),
    {
        "half street, player one": (0.414,),
        "one bet, player one": (0.414,),
        "one bet, player two": (0.509,),
        "raises, player one": (0.252,),
        "raises, player two": (0.542,),
    },
    0.01,
    3,
)
LEDUC_VALUES = PublishedTable(
    "Hawkin 2014, section 5.2: Leduc with two raises a round, value to player two in antes",
    "sizes",
    ("value",),
    {"FCPA": (0.072,), "BETS, player one": (0.060,), "BETS, player two": (0.078,)},
    0.0005,
    3,
)
LEDUC_GAINS = PublishedTable(
    "Hawkin 2014, sections 5.2 and 5.8: gains over FCPA in Leduc, per cent",
    "game and algorithm",
    PLAYERS,
    {"two raises, BETS": (16.7, 8.3), "two raises, RE-BETS": (21.0, 9.0), "unlimited, RE-BETS": (30.0, 43.0)},
    2.0,
    1,
)

VECTOR = "all deals"  # the row of the full-width solver
_PARTS = ("0.80-0.82", "0.82-0.98", "0.98-1.00")
TABLE_5_1 = PublishedTable(
    "Hawkin 2014, table 5.1: sizes of player one by the length of a run of BETS from [0.8, 1]",
    "deals",
    _PARTS,
    {
        "1m": (152, 8, 0),
        "4m": (151, 9, 0),
        "6m": (150, 9, 1),
        "8m": (145, 13, 2),
        "10m": (142, 16, 2),
        "20m": (138, 20, 2),
        "100m": (126, 31, 3),
        "200m": (126, 28, 6),
        VECTOR: (nan,) * 3,
    },
    5,
    0,
)
TABLE_5_2 = PublishedTable(
    "Hawkin 2014, table 5.2: the ten most important of them",
    "deals",
    _PARTS,
    {
        "1m": (8, 2, 0),
        "4m": (8, 2, 0),
        "6m": (8, 1, 1),
        "8m": (8, 0, 2),
        "10m": (8, 0, 2),
        "20m": (8, 0, 2),
        "100m": (9, 0, 1),
        "200m": (9, 0, 1),
        VECTOR: (nan,) * 3,
    },
    1,
    0,
)
TABLE_5_3 = PublishedTable(
    "Hawkin 2014, table 5.3: (information set, action) pairs against FCPA, five buckets",
    "abstraction",
    ("pairs",),
    {
        "fcpa": (1_781_890,),
        "h-pf": (3_867_090,),
        "h-f": (3_820_140,),
        "h-t": (3_646_890,),
        "h-r": (3_143_140,),
        "h-ftr": (9_115_390,),
        "acpc-2011": (31_135_210,),
    },
    0,
    0,
)
TABLE_5_3_LEARNT = PublishedTable(
    "Hawkin 2014, table 5.3: pairs of the trees that RE-BETS made from [0.8, 1]",
    "player and run",
    ("pairs",),
    {"player one, run 8": (2_930_050,), "player two, run 6": (3_121_775,)},
    0,
    0,
    {"pairs": PAIRS_SHARE},
)
TABLE_6_1 = PublishedTable(
    "Hawkin 2014, table 6.1: default ranges for 200 big blinds",
    "ranges",
    ("low 1", "high 1", "low 2", "high 2", "low 3", "high 3"),
    {"three": (0.5, 0.69, 1.08, 1.38, 1.95, 2.42)},
    0,
    2,
)


def _sizes(number: str, player: str, rows: dict[str, tuple[float, ...]]) -> PublishedTable:
    return PublishedTable(
        f"Hawkin 2014, table {number}: size of the trees of {player} after five runs, five buckets against FCPA",
        "abstraction",
        ("extras", "pairs"),
        rows,
        0,
        0,
        {"extras": PAIRS_SHARE, "pairs": PAIRS_SHARE},
    )


TABLE_6_2 = _sizes(
    "6.2",
    "player one",
    {
        "one range": (0, 3_217_970),
        "two ranges, e=1": (1, 4_678_670),
        "two ranges, e=25": (25, 7_104_940),
        "two ranges": (585, 14_585_790),
        "three ranges": (1470, 28_734_090),
    },
)
TABLE_6_3 = _sizes(
    "6.3",
    "player two",
    {
        "one range": (0, 3_614_400),
        "two ranges, e=1": (1, 5_223_850),
        "two ranges, e=25": (25, 7_591_300),
        "two ranges": (706, 17_906_500),
        "three ranges": (1585, 30_797_090),
    },
)


def _values(number: str, player: str, rows: dict[str, tuple[float, float, int, int]]) -> PublishedTable:
    return PublishedTable(
        f"Hawkin 2014, table {number}: {player} after five runs, IR-100 against FCPA, value to player two in mbb/hand",
        "abstraction",
        ("value", "extras", "pairs"),
        {row: (value, extras, pairs) for row, (value, _bound, extras, pairs) in rows.items()},
        0,
        2,
        {"extras": PAIRS_SHARE, "pairs": PAIRS_SHARE},
        {row: (bound, nan, nan) for row, (_value, bound, _extras, _pairs) in rows.items()},
    )


TABLE_7_1 = _values(
    "7.1",
    "player one",
    {
        "one range": (130.2, 1.01, 0, 610_016),
        "three ranges, e=1": (119.9, 1.05, 1, 779_458),
        "three ranges, e=25": (112.2, 0.99, 25, 1_681_840),
        "three ranges, e=50": (111.3, 1.03, 50, 1_938_254),
        "three ranges, e=100": (110.7, 1.03, 100, 2_388_896),
        "two ranges": (112.3, 1.11, 547, 2_701_068),
        "three ranges": (107.7, 0.97, 1203, 4_726_748),
    },
)
TABLE_7_2 = _values(
    "7.2",
    "player two",
    {
        "one range": (180.8, 0.98, 0, 636_016),
        "three ranges, e=1": (184.5, 1.0, 1, 1_001_686),
        "three ranges, e=25": (190.7, 0.98, 25, 1_988_482),
        "three ranges, e=50": (190.4, 1.06, 50, 2_264_124),
        "three ranges, e=100": (192.9, 0.96, 100, 2_616_552),
        "two ranges": (193.1, 0.97, 576, 3_199_296),
        "three ranges": (195.5, 1.02, 1516, 6_086_776),
    },
)

RANKED = ("rank", "size", "larger: rank", "larger: size")
_TOP_ONE = """
dd 1 0.831 4 0.879, dg 2 2.547 3 2.457, de 3 0.808 2 0.891, cg 4 1.680 5 1.709, ce 5 1.539 6 1.455,
cd 6 1.097 7 0.977, dc/d 7 0.191 1 0.190, ddc/d 8 0.210 8 0.236, dec/d 9 0.230 9 0.210, dc/cc/e 10 1.073 15 0.839,
dc/cc/d 11 0.359 11 0.298, cgc/d 12 0.251 12 0.265, cdc/d 13 0.246 13 0.224, dgc/d 14 0.589 14 0.447,
cec/d 15 0.276 10 0.226, dc/cdd 16 0.340 21 0.340, dc/cc/cc/d 17 0.409 24 0.230, dc/cc/g 18 1.408 16 1.210,
cc/cc/d 19 0.510 26 0.510, dc/dc/d 20 0.250 18 0.240, ddc/dc/d 21 0.500 37 0.526, dc/e 22 0.610 17 0.600,
dc/cdc/cc/d 23 0.287 34 0.190, dc/cc/ec/d 24 0.381 61 0.403, ddc/e 25 0.660 25 0.600
"""
_TOP_TWO = """
e 1 0.830 2 0.843, d 2 0.724 1 0.794, g 3 1.210 3 1.210, ec/cd 4 0.393 5 0.441, dc/cd 5 0.400 4 0.397,
gc/cd 6 0.440 8 0.439, dc/ce 7 0.600 6 0.600, ec/ce 8 0.600 7 0.600, ec/cdc/cd 9 0.493 15 0.710,
cc/cd 10 0.510 10 0.510, dc/cdc/cd 11 0.506 16 0.757, ec/cc/cd 12 0.430 20 0.444, ec/cg 13 1.350 12 1.210,
gc/ce 14 0.720 9 0.600, dc/cc/cd 15 0.440 19 0.400, edc/cd 16 0.495 32 0.580, ddc/cd 17 0.545 23 0.541,
gc/cg 18 1.358 14 1.210, cc/ce 19 0.600 13 0.611, edd 20 0.994 46 0.973, dc/cg 21 1.420 11 1.210,
edc/ce 22 0.600 22 0.600, dde 23 1.199 28 1.137, ec/cdc/ce 24 1.289 37 1.278, dc/cdc/ce 25 1.243 45 1.308
"""


def _ranking(number: str, player: str, text: str) -> PublishedTable:
    rows = {}
    for each in text.split(","):
        sequence, *figures = each.split()
        rows[sequence] = tuple(map(float, figures))
    title = f"the 25 most important bets of {player} in IR-100, and what they are in IR-570"
    shares = {"rank": 0.5, "larger: rank": 0.5}
    return PublishedTable(f"Hawkin 2014, table {number}: {title}", "sequence", RANKED, rows, 0.1, 3, shares)


TABLE_7_3 = _ranking("7.3", "player one", _TOP_ONE)
TABLE_7_4 = _ranking("7.4", "player two", _TOP_TWO)
SECTION_7_3 = PublishedTable(
    "Hawkin 2014, section 7.3: how the 25 most important bets differ on more cards",
    "player",
    ("mean difference", "left the 25"),
    {"player one": (0.065, 4), "player two": (0.061, 5)},
    0.02,
    3,
)
FIGURE_5_6 = PublishedTable(
    "Hawkin 2014, figure 5.6: sizes of the most important tenth of all bets, in pots",
    "size",
    PLAYERS,
    {f"{tenth / 10:.1f}": (nan, nan) for tenth in range(1, 19)},
    0,
    0,
)
