"""Figures of the thesis as they were printed: tables, and the value curves of appendix A."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

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


class Series(NamedTuple):
    """A printed curve."""

    values: tuple[float, ...]
    bounds: tuple[float, ...]


_TEXT = """
RE [0.8,1] T=10M, P1
51.14±2.4 42.8±2.59 36.04±2.98 32.25±3.32 30.54±3.26 31.51±3.31 30.68±3.3 29.48±3.32 30.36±3.52 30.36±3.51
RE [0.4,0.6], P1
39.6±5.6 34.75±5.75 30.25±6.25 29.75±6.25 29.69±6.26 29.22±6.41 29.73±6.07 29.82±5.71 29.12±4.94 29.38±4.84
RE [0.8,1], P1
51.8±2.2 43.35±2.65 36.5±2.9 30.25±3.25 29.47±3.15 28.73±3.2 28.32±3.15 27.6±3.56 27.83±3.73 28.16±3.57
RE [1.2,1.4], P1
60.84±2.39 56.08±2.74 51.16±3.05 47.02±2.73 42.97±2.17 39.42±2.58 36.08±2.67 32.59±2.8 30.16±2.73 29.43±3.15
RED 1 range, P1
47.26±2.18 36.55±2.44 31±2.24 28.83±2 28.44±1.9 28.09±1.9 27.58±1.93 27.07±1.96 26.74±1.97 25.8±1.97
REDM 2 ranges, P1
27.22±2.41 25.13±2.34 24.51±2.3 24.15±2.29 23.19±2.23 21.96±2.16 20.78±2.23 20.92±2.14 21.19±2.15 20.34±2.25
REDM 3 ranges, P1
26.25±2.44 24.31±2.41 23.44±2.24 23.28±2.52 22.23±2.68 21.03±2.6 19.72±2.45 19.6±2.36 19.89±2.41 19.69±2.44
REFINED 2 ranges e=1, P1
29.05±2.25 27.66±2.11 26.75±2.09 26.11±2.02 25.49±1.96 24.18±1.91 23.48±1.95 23.16±1.93 23.25±1.99 23.49±2.03
REFINED 2 ranges e=25, P1
27.24±2.28 25.22±2.12 24.45±2.12 23.65±2.05 22.86±2.13 22.09±2.11 21.26±2.12 20.73±2.1 21.28±2.21 21.36±2.19
RED 1 range self-play, P1
45.73±0.98 36.05±0.98 31.63±0.98 28.5±0.98 28.04±0.98 26.2±0.98 27.16±0.98 26.08±0.98 24.61±0.98 27.21±0.98
IR-100 REDM 1 range, P1
152.02±0.94 141.47±0.93 137.12±0.94 132.34±0.95 130.24±0.97 128.27±0.98 127.63±0.97 127.25±0.97 126.7±0.98 128.9±0.98
IR-100 REDM 2 ranges, P1
123.78±0.98 118.94±0.98 113.21±0.98 113.45±0.97 112.34±0.97 113.46±0.97 112.39±0.97 112.42±0.96 113.35±0.96 112.71±1.01
IR-100 REDM 3 ranges, P1
115.52±0.96 113.18±0.96 111±0.96 109.79±0.96 107.65±0.95 106.97±0.98 108.53±0.98 108.06±0.98 108.39±0.98 108.03±1
IR-100 REFINED 3 ranges e=1, P1
129.2±0.98 121.93±0.98 119.51±0.98 119.54±0.98 119.89±0.98 119.53±0.98 121.58±0.98 121.55±0.98 121.74±0.98 121.16±0.98
IR-100 REFINED 3 ranges e=25, P1
118.47±0.98 116.74±0.98 114.26±0.98 114.78±0.98 112.38±0.98 112.55±0.98 114.33±0.98 114.76±0.98 116.34±0.98 115.33±0.98
IR-100 REFINED 3 ranges e=50, P1
116.13±0.98 113.64±0.98 112.13±0.98 110.99±0.98 110.97±0.98 111.61±0.98 111.9±0.98 111.27±0.98 113.45±0.98 114.28±0.98
IR-100 REFINED 3 ranges e=100, P1
115.7±0.98 113.08±0.98 111.36±0.98 111.31±0.98 110.69±0.98 111.59±0.98 111.95±0.98 111.83±0.98 112.31±0.98 114.07±0.98
IR-570 REDM 1 range, P1
152.63±0.96 144.37±0.96 136.52±0.96 135.08±0.97 132.66±0.97 131.42±0.98 132.16±0.98 130.57±0.98 130.84±0.98 130.41±0.97
IR-570 REDM 2 ranges, P1
125.88±0.97 121.32±0.98 117.24±0.97 115.45±0.97 117.97±0.97 115.79±0.96 115.9±0.96 116.53±0.96 115.71±0.96 115.72±0.98
IR-570 REDM 3 ranges, P1
119.63±0.98 116.24±0.98 113.19±0.98 113.54±0.98 113.63±0.98 111.6±0.98 113.05±0.98 112.6±0.98 113.05±0.98 112.8±0.98
RE [0.8,1] T=10M, P2
77.88±2.49 92.98±1.41 101.84±1.85 107.82±1.68 110.99±1.81 115.79±1.87 115.38±1.82 113.07±2.11 111.64±2.8 111.74±2.8
RE [0.4,0.6], P2
104.88±2.81 110.58±2.98 113±2.65 114.01±3.12 112.77±2.67 113.35±2.79 113.36±2.86 111.18±3.23 111.96±3.24 110.32±3.14
RE [0.8,1], P2
85.5±2 95.25±1.75 102±1.5 108.15±1.65 113.6±1.73 115.81±1.69 115.89±1.87 116.99±1.62 116.85±1.89 117.78±1.99
RE [1.2,1.4], P2
45.88±2.78 54.31±2.76 61.39±3 67.02±2.86 76.15±2.43 90.87±1.64 102.46±1.55 109.11±1.87 115.63±1.71 117.06±1.54
RED 1 range, P2
93.81±1.89 103.96±1.35 108±1.38 114.91±1.28 118.16±1.31 118.43±1.26 118.23±1.18 118.44±1.2 117.02±1.29 118.15±1.22
REDM 2 ranges, P2
116.33±2.41 122.51±2.34 122.72±2.15 122.99±2.11 122.73±2 123.35±1.83 122.95±1.82 123.91±2.03 123.4±1.77 124.38±2.19
REDM 3 ranges, P2
116.69±2.56 123.16±2.49 125.02±2.53 125.08±2.63 124.96±2.68 124.88±2.66 124.66±2.41 124.92±2.59 124.93±2.61 124.91±2.26
REFINED 2 ranges e=1, P2
110.28±1.98 117.24±1.53 118.26±1.61 118.9±1.46 118.79±1.44 118.74±1.48 118.99±1.44 118.53±1.3 118.39±1.5 118.25±1.51
REFINED 2 ranges e=25, P2
116.05±2.29 121.77±2.05 122.62±1.96 123.24±2.02 122.61±1.87 122.61±1.96 123.06±1.98 123.08±1.98 123.13±2.03 122.73±1.9
RED 1 range self-play, P2
95.53±0.98 103.64±0.98 108.33±0.98 115.56±0.98 117.61±0.98 117.92±0.98 119.12±0.98 117.22±0.98 117.39±0.98 117.08±0.98
IR-100 REDM 1 range, P2
165.78±0.94 173.36±0.94 177.63±0.94 180.58±0.94 180.76±0.94 181.04±0.94 180.22±0.95 178.69±0.94 180.72±0.95 180.32±0.95
IR-100 REDM 2 ranges, P2
188.28±0.98 193.67±0.98 192.96±0.98 193.3±0.98 193.06±0.98 193.17±0.98 192.98±0.98 193.39±0.98 192.63±0.98 191.29±0.98
IR-100 REDM 3 ranges, P2
189.05±0.93 192.44±0.94 194.54±0.94 195.06±0.94 195.47±0.94 195.54±0.94 195.6±0.94 194.53±0.94 194.54±0.94 193.6±0.94
IR-100 REFINED 3 ranges e=1, P2
172.77±0.98 176.93±0.98 180.15±0.98 182.94±0.98 184.46±0.98 185.79±0.98 184.46±0.98 185.29±0.98 185.69±0.98 185.09±0.98
IR-100 REFINED 3 ranges e=25, P2
186.3±0.98 188.33±0.98 188.55±0.98 188.98±0.98 190.66±0.98 189.62±0.98 188.27±0.98 188.29±0.98 187.99±0.98 188.8±0.98
IR-100 REFINED 3 ranges e=50, P2
186.83±0.98 191.71±0.98 191.8±0.98 193.42±0.98 190.44±0.98 190.04±0.98 191.82±0.98 191.58±0.98 191.95±0.98 191.37±0.98
IR-100 REFINED 3 ranges e=100, P2
187.95±0.98 190.89±0.98 192.74±0.98 192.3±0.98 192.92±0.98 192.52±0.98 193.32±0.98 192.92±0.98 193.12±0.98 193.02±0.98
IR-570 REDM 1 range, P2
171.81±0.96 177.29±0.97 177.29±0.97 179.63±0.97 180.98±0.96 180.91±0.96 180.97±0.96 180.12±0.96 179.75±0.96 179.76±0.97
IR-570 REDM 2 ranges, P2
191.44±0.98 194.71±0.98 194.7±0.98 193.66±0.98 193.32±0.98 193.18±0.98 192.27±0.98 191.1±0.98 191.84±0.98 192±0.98
IR-570 REDM 3 ranges, P2
190.94±0.98 193.72±0.98 191.64±0.98 193.36±0.98 195.25±0.98 195.69±0.98 195.24±0.98 195.35±0.88 195.59±1.08 195.44±0.78
"""


def _parse(text: str) -> dict[str, Series]:
    lines = text.strip().split("\n")
    found = {}
    for name, figures in zip(lines[::2], lines[1::2], strict=True):
        values, bounds = zip(*(map(float, each.split("±")) for each in figures.split()), strict=True)
        found[name] = Series(values, bounds)
    return found


SERIES: dict[str, Series] = _parse(_TEXT)
