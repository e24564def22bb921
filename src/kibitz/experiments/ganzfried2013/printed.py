"""The tables of Ganzfried and Sandholm (IJCAI 2013) as they were printed."""

from __future__ import annotations

from kibitz.experiments.published import PublishedTable

STACKS = (1, 3, 5, 10, 20, 50, 100)  # in pots
_STACKS = tuple(map(str, STACKS))

TABLE_1 = PublishedTable(
    source="Table 1: how a bet of 0.25 pots is read as A grows, B = 1",
    heading="A",
    columns=("0", "0.001", "0.01", "0.05", "0.1"),
    rows={
        "Rand-Arith": (0.75, 0.751, 0.758, 0.789, 0.833),
        "Rand-Geo-1": (0.0, 0.012, 0.111, 0.429, 0.667),
        "Rand-Geo-2": (0.0, 0.015, 0.131, 0.439, 0.641),
        "Rand-psHar": (0.6, 0.601, 0.612, 0.663, 0.733),
    },
    tolerance=0.0005,
    decimals=3,
)
TABLE_2 = PublishedTable(
    source="Table 2: exploitability of player 2 in the clairvoyance game, fold/check/pot/all-in",
    heading="stack, pots",
    columns=_STACKS,
    rows={
        "Det-Arith": (0.01, 0.24, 0.49, 1.12, 2.38, 6.12, 12.37),
        "Rand-Arith": (0.00, 0.02, 0.09, 0.36, 0.96, 2.82, 5.94),
        "Det-Geo": (0.23, 0.28, 0.36, 0.63, 0.99, 1.68, 2.43),
        "Rand-Geo-1": (0.23, 0.23, 0.23, 0.24, 0.36, 0.66, 1.01),
        "Rand-Geo-2": (0.23, 0.23, 0.23, 0.25, 0.36, 0.65, 1.00),
        "Det-psHar": (0.15, 0.19, 0.33, 0.47, 0.59, 0.67, 0.71),
        "Rand-psHar": (0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
    },
    tolerance=0.006,
    decimals=2,
)
TABLE_3 = PublishedTable(
    source="Table 3: exploitability of player 2 in no-limit Kuhn poker, fold/check/pot/all-in",
    heading="stack, pots",
    columns=_STACKS,
    rows={
        "Det-Arith": (0.205, 0.205, 0.244, 0.271, 0.287, 0.298, 0.301),
        "Rand-Arith": (0.055,) * 7,
        "Det-Geo": (0.121, 0.121, 0.121, 0.217, 0.297, 0.366, 0.399),
        "Rand-Geo-1": (0.121,) * 7,
        "Rand-Geo-2": (0.121,) * 7,
        "Det-psHar": (0.171, 0.171, 0.233, 0.365, 0.454, 0.520, 0.545),
        "Rand-psHar": (0.029,) * 7,
    },
    tolerance=0.001,
    decimals=3,
)
TABLE_4 = PublishedTable(
    source="Table 4: exploitability of player 2 in no-limit Kuhn poker, fold/check/0.4 pot/all-in",
    heading="stack, pots",
    columns=_STACKS,
    rows={
        "Det-Arith": (0.088, 0.110, 0.285, 0.485, 0.848, 1.926, 3.714),
        "Rand-Arith": (0.012, 0.033, 0.068, 0.157, 0.336, 0.871, 1.764),
        "Det-Geo": (0.086, 0.114, 0.294, 0.425, 0.548, 0.714, 0.873),
        "Rand-Geo-1": (0.071, 0.085, 0.095, 0.116, 0.145, 0.203, 0.269),
        "Rand-Geo-2": (0.071, 0.083, 0.094, 0.114, 0.144, 0.203, 0.269),
        "Det-psHar": (0.064, 0.090, 0.302, 0.420, 0.500, 0.556, 0.574),
        "Rand-psHar": (0.008, 0.010, 0.017, 0.027, 0.037, 0.047, 0.054),
    },
    tolerance=0.001,
    decimals=3,
)
TABLE_5 = PublishedTable(
    source="Table 5: the one bet size beside the all-in that exploits player 2 least, no-limit Kuhn poker",
    heading="stack, pots",
    columns=_STACKS,
    rows={
        "Det-Arith": (0.3, 0.4, 0.7, 0.9, 0.9, 1.0, 1.0),
        "Rand-Arith": (0.3, 0.5, 0.6, 0.8, 0.9, 1.0, 1.0),
        "Det-Geo": (0.3, 0.2, 1.0, 2.6, 2.5, 14.6, 29.8),
        "Rand-Geo-1": (0.2, 0.1, 0.3, 0.4, 1.0, 1.0, 1.0),
        "Rand-Geo-2": (0.2, 0.1, 0.3, 0.3, 1.0, 1.0, 1.0),
        "Det-psHar": (0.4, 0.3, 2.3, 7.9, 4.5, 49.9, 71.5),
        "Rand-psHar": (0.1, 0.4, 0.5, 0.6, 0.6, 0.7, 0.7),
    },
    tolerance=0.0,
    decimals=1,
)
TABLE_6 = PublishedTable(
    source="Table 6: exploitability in no-limit Leduc hold'em, fold/check/pot/all-in",
    heading="whose, chips a hand",
    columns=("P1", "P2", "average"),
    rows={
        "Det-Arith": (0.427, 0.904, 0.666),
        "Rand-Arith": (0.431, 0.853, 0.642),
        "Det-Geo": (0.341, 0.922, 0.632),
        "Rand-Geo-1": (0.295, 0.853, 0.574),
        "Rand-Geo-2": (0.296, 0.853, 0.575),
        "Det-psHar": (0.359, 0.826, 0.593),
        "Rand-psHar": (0.323, 0.603, 0.463),
    },
    tolerance=0.01,
    decimals=3,
)
TABLE_7 = PublishedTable(
    source="Table 7: Tartanian5 against the field of the 2012 competition, no-limit Texas hold'em",
    heading="mapping; mbb/hand",
    columns=tuple(TABLE_6.rows),
    rows={
        "azure.sky": (3135, 3457, 2051, 2082, 2057, 2954, 3041),
        "dcubot": (880, 752, 169, 156, 141, 754, 622),
        "hugh": (137, 122, -103, -98, -117, -102, 42),
        "hyperborean": (-189, -272, -216, -203, -161, -161, -276),
        "little.rock": (-115, -107, -48, -22, -85, 165, 93),
        "lucky7.12": (772, 510, 465, 471, 462, 536, 565),
        "neo.poker.lab": (6, -37, 11, 24, 31, 8, -9),
        "sartre": (94, -3, 51, 86, 26, 56, 50),
        "spewy.louie": (457, 421, 572, 530, 475, 614, 484),
        "uni.mb.poker": (856, 900, 1588, 1567, 1657, 1148, 1103),
        "Avg.": (609, 571, 454, 459, 449, 597, 568),
    },
    tolerance=0.0,
    decimals=0,
)
# Half-widths of the 95 % intervals of table 7, row by row.
TABLE_7_INTERVALS: dict[str, tuple[int, ...]] = {
    "azure.sky": (106, 90, 96, 97, 97, 96, 109),
    "dcubot": (52, 51, 47, 47, 46, 36, 47),
    "hugh": (84, 86, 50, 52, 52, 30, 72),
    "hyperborean": (79, 77, 78, 77, 75, 36, 77),
    "little.rock": (100, 95, 92, 91, 89, 63, 87),
    "lucky7.12": (104, 105, 82, 78, 78, 94, 74),
    "neo.poker.lab": (97, 106, 101, 98, 100, 31, 103),
    "sartre": (65, 65, 64, 64, 64, 38, 65),
    "spewy.louie": (118, 116, 102, 106, 103, 60, 109),
    "uni.mb.poker": (84, 87, 102, 101, 104, 61, 90),
}
FIGURE_1 = PublishedTable(
    source="Figure 1: the randomised mappings for A = 0.01, B = 1; their medians as section 7 gives them",
    heading="",
    columns=("median",),
    rows={"Rand-Arith": (0.5,), "Rand-Geo-1": (0.1,), "Rand-Geo-2": (0.1,), "Rand-psHar": (0.34,)},
    tolerance=0.006,
    decimals=2,
)
FIGURE_2 = PublishedTable(
    source="Figure 2: the randomised mappings for A = 1, B = 4; medians by the formulas of sections 5 and 6",
    heading="",
    columns=("median",),
    rows={"Rand-Arith": (2.5,), "Rand-Geo-1": (2.0,), "Rand-Geo-2": (2.0,), "Rand-psHar": (13 / 7,)},
    tolerance=0.0005,
    decimals=3,
)
