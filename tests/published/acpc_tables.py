"""Tables that the ACPC and its students printed, as values: cross tables, bankrolls, run-offs.

Rates are the row player's, in mbb/hand, rounded to whole numbers as printed. Cells that the source text lost
are marked in `remarks`: filled from their transpose (a heads-up table is antisymmetric) or inferred from the
printed average. None marks a table that was not played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class PublishedTable:
    """A printed table: where it stands, what its columns are, and its rows by name."""

    source: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    remarks: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, row in self.rows.items():
            assert len(row) == len(self.columns), f"{self.source}: row {name} has {len(row)} cells"

    @property
    def names(self) -> list[str]:
        return list(self.rows)

    def array(self) -> npt.NDArray[np.float64]:
        """float64[rows, columns], nan for None."""
        return np.array(list(self.rows.values()), dtype=np.float64)

    def column(self, name: str) -> dict[str, float]:
        """One column by row name, without its empty cells."""
        at = self.columns.index(name)
        return {row: cells[at] for row, cells in self.rows.items() if cells[at] is not None}


def crosstable(
    source: str,
    rows: Mapping[str, tuple[float | None, ...]],
    remarks: Mapping[tuple[str, str], str] | None = None,
) -> PublishedTable:
    """A table whose columns are its rows, in the same order."""
    return PublishedTable(source, tuple(rows), rows, remarks or {})


# --- Bard 2016, appendix A: cross tables of the total bankroll events -------------------------------------

LIMIT_2012 = crosstable(
    source="Bard 2016, Table A.1: 2012 heads-up limit, uncapped",
    rows={
        "slumbot": (None, 18, 21, 32, 26, 22, 22, 19, 26, 47, 55),
        "little.rock": (-18, None, -3, 8, 7, 7, 10, 17, 22, 45, 40),
        "zbot": (-21, 3, None, 18, 11, 11, 3, 7, 18, 36, 44),
        "hyperborean.tbr": (-32, -8, -18, None, -3, -2, 1, 6, 17, 56, 52),
        "patience": (-26, -7, -11, 3, None, -1, 7, 7, 16, 38, 41),
        "neo.poker.lab": (-22, -7, -11, 2, 1, None, 6, 7, 10, 32, 30),
        "entropy": (-22, -10, -3, -1, -7, -6, None, 6, 8, 35, 41),
        "sartre": (-19, -17, -7, -6, -7, -7, -6, None, 7, 34, 50),
        "huhuers": (-26, -22, -18, -17, -16, -10, -8, -7, None, 20, 22),
        "feste.tbr": (-47, -45, -36, -56, -38, -32, -35, -34, -20, None, 1),
        "little.ace": (-55, -40, -44, -52, -41, -30, -41, -50, -22, -1, None),
    },
    remarks={("huhuers", "entropy"): "illegible, from its transpose"},
)

LIMIT_2013 = crosstable(
    source="Bard 2016, Tables A.2 and A.4: 2013 heads-up limit, uncapped",
    rows={
        "marv": (None, 70, 37, -2, 9, 17, -11, 231, 218, 212, 523, 417, 678),
        "feste_tbr": (-70, None, -39, -64, -57, -58, -62, 141, 118, 198, 802, 540, 1064),
        "hyperborean_tbr": (-37, 39, None, -26, -11, -8, -32, 159, 139, 182, 527, 548, 617),
        "zbot": (2, 64, 26, None, 13, 9, -7, 169, 152, 187, 385, 365, 449),
        "littlerock": (-9, 57, 11, -13, None, 6, -21, 151, 155, 169, 393, 367, 469),
        "propokertools": (-17, 58, 8, -9, -6, None, -20, 160, 152, 171, 402, 353, 466),
        "neo_poker_lab": (11, 62, 32, 7, 21, 20, None, 151, 158, 184, 314, 352, 405),
        "HITSZ_CS_13": (-231, -141, -159, -169, -151, -160, -151, None, 127, 213, 609, 543, 1031),
        "chump12": (-218, -118, -139, -152, -155, -152, -158, -127, None, 93, 68, 677, 671),
        "unamur_tbr": (-212, -198, -182, -187, -169, -171, -184, -213, -93, None, 132, 321, 437),
        "liacc": (-523, -802, -527, -385, -393, -402, -314, -609, -68, -132, None, 602, 1564),
        "chump1": (-417, -540, -548, -365, -367, -353, -352, -543, -677, -321, -602, None, 390),
        "slugathorus": (-678, -1064, -617, -449, -469, -466, -405, -1031, -671, -437, -1564, -390, None),
    },
)

LIMIT_2014 = crosstable(
    source="Bard 2016, Tables A.6 and A.8: 2014 heads-up limit, uncapped",
    rows={
        "Escabeche": (None, 47, 118, 33, 7, 0, -1, -8, 166, 158, 188, 266, 520, 769),
        "Feste": (-47, None, 61, -26, -34, -41, -41, -52, 130, 110, 165, 242, 614, 1099),
        "Slugathorus": (-118, -61, None, -88, -72, -80, -71, -82, 29, 35, 240, 369, 984, 1050),
        "SmooCT": (-33, 26, 88, None, -29, -28, -32, -26, 152, 144, 167, 334, 461, 815),
        "Hyperborean": (-7, 34, 72, 29, None, -21, -6, -27, 148, 104, 190, 321, 272, 877),
        "Cleverpiggy": (0, 41, 80, 28, 21, None, 0, -10, 129, 119, 209, 308, 291, 513),
        "ProPokerTools": (1, 41, 71, 32, 6, 0, None, -25, 138, 102, 203, 320, 283, 501),
        "652": (8, 52, 82, 26, 27, 10, 25, None, 119, 92, 202, 304, 268, 408),
        "Lucifer": (-166, -130, -29, -152, -148, -129, -138, -119, None, 6, 104, 252, 233, 516),
        "TerribleTerrance": (-158, -110, -35, -144, -104, -119, -102, -92, -6, None, 103, 200, 186, 428),
        "PokerStar": (-188, -165, -240, -167, -190, -209, -203, -202, -104, -103, None, -43, -17, 667),
        "HITSZ_CS_14": (-266, -242, -369, -334, -321, -308, -320, -304, -252, -200, 43, None, 189, 73),
        "chump9": (-520, -614, -984, -461, -272, -291, -283, -268, -233, -186, 17, -189, None, -166),
        "chump4": (-769, -1099, -1050, -815, -877, -513, -501, -408, -516, -428, -667, -73, 166, None),
    },
)

NOLIMIT_2013 = crosstable(
    source="Bard 2016, Table A.16: 2013 heads-up no-limit, uncapped",
    rows={
        "hyperborean_tbr": (None, 62, -123, -105, -179, -184, 1157, 974, 452, -111, 1112, 5709, 8927),
        "neo_poker_lab": (-62, None, -279, -103, -121, -104, 206, 145, 118, -67, 1073, 6111, 2081),
        "koypetition": (123, 279, None, -122, -73, -64, 307, 73, 558, 13, 1186, 3803, 253),
        "tartanian6": (105, 103, 122, None, -190, 85, 175, 340, 309, 86, 734, 2815, 1030),
        "slumbot": (179, 121, 73, 190, None, 16, 192, 311, 378, 156, 726, 2701, 656),
        "nyx": (184, 104, 64, -85, -16, None, 129, 179, 370, 169, 541, 2735, 574),
        "entropy": (-1157, -206, -307, -175, -192, -129, None, -65, 193, -78, 1166, 2661, 2180),
        "Sartre": (-974, -145, -73, -340, -311, -179, 65, None, 143, -160, 893, 2387, 2467),
        "hugh": (-452, -118, -558, -309, -378, -370, -193, -143, None, -427, 1952, 3033, 1075),
        "littlerock": (111, 67, -13, -86, -156, -169, 78, 160, 427, None, 384, 1689, 251),
        "kempfer": (-1112, -1073, -1186, -734, -726, -541, -1166, -893, -1952, -384, None, 1767, 2547),
        "liacc": (-5709, -6111, -3803, -2815, -2701, -2735, -2661, -2387, -3033, -1689, -1767, None, 19784),
        "HITSZ_CS_13": (-8927, -2081, -253, -1030, -656, -574, -2180, -2467, -1075, -251, -2547, -19784, None),
    },
)

NOLIMIT_2013_HALF_WIDTHS = crosstable(
    source="Bard 2016, Table A.16: half-widths of the 95 % intervals",
    rows={
        "hyperborean_tbr": (None, 99, 90, 91, 95, 81, 132, 179, 57, 84, 165, 384, 565),
        "neo_poker_lab": (99, None, 77, 74, 71, 62, 76, 48, 121, 68, 88, 282, 40),
        "koypetition": (90, 77, None, 67, 78, 88, 100, 85, 115, 81, 118, 299, 32),
        "tartanian6": (91, 74, 67, None, 51, 69, 89, 58, 88, 54, 106, 196, 66),
        "slumbot": (95, 71, 78, 51, None, 31, 48, 35, 48, 41, 59, 161, 39),
        "nyx": (81, 62, 88, 69, 31, None, 62, 48, 45, 41, 62, 160, 37),
        "entropy": (132, 76, 100, 89, 48, 62, None, 58, 69, 55, 88, 196, 74),
        "Sartre": (179, 48, 85, 58, 35, 48, 58, None, 60, 46, 73, 228, 512),
        "hugh": (57, 121, 115, 88, 48, 45, 69, 60, None, 77, 111, 339, 34),
        "littlerock": (84, 68, 81, 54, 41, 41, 55, 46, 77, None, 51, 163, 55),
        "kempfer": (165, 88, 118, 106, 59, 62, 88, 73, 111, 51, None, 277, 55),
        "liacc": (384, 282, 299, 196, 161, 160, 196, 228, 339, 163, 277, None, 260),
        "HITSZ_CS_13": (565, 40, 32, 66, 39, 37, 74, 512, 34, 55, 55, 260, None),
    },
)

NOLIMIT_2014 = crosstable(
    source="Bard 2016, Table A.20: 2014 heads-up no-limit, uncapped",
    rows={
        "Hyperborean_tbr": (None, -117, -194, -212, -199, -229, -112, -77, 181, 61, 2142, 1268, 4883, 4877),
        "SartreNLExp": (117, None, -146, -261, -199, -116, -42, -58, 103, -60, 1235, 102, 4250, 4085),
        "Nyx": (194, 146, None, -121, -64, -59, 21, 56, 687, 310, 770, 596, 2156, 3063),
        "Tartanian7": (212, 261, 121, None, 33, 20, 125, 201, 499, 214, 516, 980, 1474, 1819),
        "Slumbot": (199, 199, 64, -33, None, 6, 94, 143, 298, 109, 627, 868, 1570, 1967),
        "Prelude": (229, 116, 59, -20, -6, None, 109, 174, 205, 272, 597, 845, 1361, 2164),
        "HibiscusBiscuit": (112, 42, -21, -125, -94, -109, None, 33, 427, 139, 540, 685, 1127, 1988),
        "Feste_tbr": (77, 58, -56, -201, -143, -174, -33, None, 275, 22, 493, 875, 1089, 2382),
        "PijaiBot": (-181, -103, -687, -499, -298, -205, -427, -275, None, -238, 1026, 1400, 1785, 2942),
        "LittleRock": (-61, 60, -310, -214, -109, -272, -139, -22, 238, None, 506, 853, 676, 1415),
        "KEmpfer": (-2142, -1235, -770, -516, -627, -597, -540, -493, -1026, -506, None, 374, -1018, 5827),
        "Rembrant3": (-1268, -102, -596, -980, -868, -845, -685, -875, -1400, -853, -374, None, 1646, 1790),
        "HITSZ_CS_14": (-4883, -4250, -2156, -1474, -1570, -1361, -1127, -1089, -1785, -676, 1018, -1646, None, -2412),
        "Lucifer": (-4877, -4085, -3063, -1819, -1967, -2164, -1988, -2382, -2942, -1415, -5827, -1790, 2412, None),
    },
    remarks={("*", "*"): "many signs are lost in the text, restored by antisymmetry and from Table A.18"},
)

# --- Bard 2016, chapter 6: the bankrolls printed from those tables ----------------------------------------

BANKROLLS_LIMIT_2012 = PublishedTable(
    source="Bard 2016, Table 6.2: 2012 heads-up limit",
    columns=("uncapped", "±"),
    rows={
        "slumbot": (29, 3),
        "little.rock": (14, 3),
        "zbot": (13, 3),
        "hyperborean.tbr": (7, 2),
        "patience": (7, 3),
        "neo.poker.lab": (5, 3),
        "entropy": (4, 3),
        "sartre": (2, 3),
        "huhuers": (-8, 2),
        "feste.tbr": (-34, 4),
        "little.ace": (-38, 3),
    },
)

BANKROLLS_LIMIT_2013 = PublishedTable(
    source="Bard 2016, Table 6.3: 2013 heads-up limit",
    columns=("capped", "uncapped"),
    rows={
        "marv": (200, 200),
        "feste_tbr": (179, 210),
        "hyperborean_tbr": (175, 175),
        "zbot": (151, 151),
        "littlerock": (144, 144),
        "propokertools": (143, 143),
        "neo_poker_lab": (143, 143),
        "HITSZ_CS_13": (90, 114),
        "chump12": (24, 24),
        "unamur_tbr": (-60, -60),
        "liacc": (-229, -166),
        "chump1": (-391, -391),
        "slugathorus": (-569, -687),
    },
)

BANKROLLS_LIMIT_2014 = PublishedTable(
    source="Bard 2016, Table 6.5: 2014 heads-up limit",
    columns=("capped", "uncapped"),
    rows={
        "Escabeche": (173, 174),
        "SmooCT": (152, 157),
        "Hyperborean": (143, 153),
        "Feste": (141, 168),
        "Cleverpiggy": (133, 133),
        "ProPokerTools": (129, 129),
        "652": (125, 125),
        "Slugathorus": (123, 164),
        "Lucifer": (8, 8),
        "TerribleTerrance": (4, 4),
        "PokerStar": (-89, -89),
        "HITSZ_CS_14": (-201, -201),
        "chump9": (-324, -342),
        "chump4": (-515, -581),
    },
)

BANKROLLS_NOLIMIT_2013 = PublishedTable(
    source="Bard 2016, Table 6.10: 2013 heads-up no-limit",
    columns=("capped", "uncapped"),
    rows={
        "slumbot": (312, 475),
        "hyperborean_tbr": (297, 1474),
        "tartanian6": (281, 476),
        "nyx": (247, 412),
        "koypetition": (237, 528),
        "neo_poker_lab": (165, 750),
        "littlerock": (150, 229),
        "entropy": (45, 324),
        "Sartre": (42, 315),
        "hugh": (-58, 259),
        "kempfer": (-449, -454),
        "liacc": (-625, -1302),
        "HITSZ_CS_13": (-645, -3486),
    },
)

BANKROLLS_NOLIMIT_2014 = PublishedTable(
    source="Bard 2016, Table 6.12: 2014 heads-up no-limit",
    columns=("capped", "uncapped"),
    rows={
        "Tartanian7": (342, 498),
        "Nyx": (309, 597),
        "Prelude": (306, 470),
        "Slumbot": (304, 470),
        "HibiscusBiscuit": (241, 365),
        "Feste_tbr": (198, 359),
        "Hyperborean_tbr": (162, 944),
        "LittleRock": (143, 202),
        "SartreNLExp": (130, 693),
        "PijaiBot": (7, 326),
        "Rembrant3": (-424, -416),
        "KEmpfer": (-454, -252),
        "HITSZ_CS_14": (-629, -1801),
        "Lucifer": (-635, -2455),
    },
)

# --- Bard 2016, tables 6.4, 6.11, 6.13: the entry to the run-off, against the same opponents --------------

IRO_ENTRY_LIMIT_2013 = PublishedTable(
    source="Bard 2016, Table 6.4: 2013 heads-up limit, hyperborean_tbr and hyperborean_iro",
    columns=("tbr", "iro"),
    rows={
        "marv": (-37, 15),
        "zbot": (-26, 10),
        "neo_poker_lab": (-32, -11),
        "littlerock": (-11, 22),
        "propokertools": (-8, 27),
        "HITSZ_CS_13": (159, 157),
        "liacc": (527, 390),
        "slugathorus": (617, 441),
    },
)

IRO_ENTRY_NOLIMIT_2013 = PublishedTable(
    source="Bard 2016, Table 6.11: 2013 heads-up no-limit, hyperborean_tbr and hyperborean_iro",
    columns=("tbr", "iro"),
    rows={
        "neo_poker_lab": (62, 210),
        "koypetition": (-123, 100),
        "slumbot": (-179, 20),
        "tartanian6": (-105, 38),
        "nyx": (-184, 67),
        "entropy": (1157, 196),
        "Sartre": (974, 177),
        "hugh": (452, 461),
        "littlerock": (-111, 133),
        "kempfer": (1112, 519),
        "liacc": (5709, 3204),
        "HITSZ_CS_13": (8927, 542),
    },
    remarks={("littlerock", "iro"): "the text has 33 ± 52; 133 restores both printed averages"},
)

IRO_ENTRY_NOLIMIT_2014 = PublishedTable(
    source="Bard 2016, Table 6.13: 2014 heads-up no-limit, Hyperborean_tbr and Hyperborean_iro",
    columns=("tbr", "iro"),
    rows={
        "SartreNLExp": (-117, 110),
        "Nyx": (-194, 54),
        "Tartanian7": (-212, -21),
        "Prelude": (-229, -10),
        "Slumbot": (-199, 16),
        "HibiscusBiscuit": (-112, 40),
        "PijaiBot": (181, 545),
        "LittleRock": (61, 297),
        "KEmpfer": (2142, 661),
        "Rembrant3": (1268, 926),
        "HITSZ_CS_14": (4883, 1293),
        "Lucifer": (4877, 2311),
    },
    remarks={("PijaiBot", "iro"): "lost in the text; 545 follows from the printed averages"},
)

# --- Bard 2016, three-player limit: each agent's rate against each pair of opponents ----------------------

Pairs = dict[str, dict[tuple[str, str], float]]


def _pairs(rates: str) -> dict[tuple[str, str], float]:
    """Read 'SK 76, SZ 151': two letters are the pair of opponents."""
    cells = (cell.split() for cell in rates.split(", "))
    return {(pair[0], pair[1]): float(rate) for pair, rate in cells}


# Table A.12. H Hyperborean_tbr, S SmooCT, K KEmpfer, Z HITSZ_CS_14, L Lucifer. Z against HK and HL has lost
# its leading digit and sign in the text; the zero-sum property gives -189 and -129 (up to the rounding).
LIMIT_3P_2014: Pairs = {
    "H": _pairs("SK 76, SZ 151, SL 214, KZ 176, KL 240, ZL 305"),
    "S": _pairs("HK 6, HZ 66, HL 142, KZ 127, KL 219, ZL 268"),
    "K": _pairs("HS -82, HZ 13, HL 147, SZ 44, SL 170, ZL 262"),
    "Z": _pairs("HS -218, HK -189, HL -129, SK -171, SL -120, KL -74"),
    "L": _pairs("HS -356, HK -388, HZ -176, SK -389, SZ -149, KZ -188"),
}
BANKROLLS_3P_2014 = {"H": 194, "S": 138, "K": 92, "Z": -150, "L": -274}  # Table 6.8

# Tables 6.7 and A.10. H hyperborean_tbr, R littlerock, N neo_poker_lab, Z HITSZ_CS_13, K kempfer, L liacc.
# The text has lost the tables with R, other than HR, for N, Z, K and L; N, Z, K and L there are incomplete.
LIMIT_3P_2013: Pairs = {
    "H": _pairs("RN 49, RZ 282, RK 157, RL 338, NZ 278, NK 176, NL 391, ZK 385, ZL 452, KL 455"),
    "R": _pairs("HN -4, HZ 142, HK 94, HL 160, NZ 157, NK 103, NL 247, ZK 228, ZL 216, KL 264"),
    "N": _pairs("HR -45, HZ 187, HK 63, HL -13, ZK 316, ZL 211, KL 101"),
    "Z": _pairs("HR -425, HN -465, HK -202, HL 108, NK -216, NL 192, KL 381"),
    "K": _pairs("HR -251, HN -239, HZ -182, HL -246, NZ -100, NL -156, ZL -88"),
    "L": _pairs("HR -498, HN -379, HZ -560, HK -208, NZ -403, NK 55, ZK -293"),
}
BANKROLLS_3P_2013 = {"H": 296, "R": 161, "N": 117, "Z": -95, "K": -177, "L": -302}  # Table 6.6

# hyperborean_iro in the place of H, Table 6.7
IRO_ENTRY_3P_2013 = _pairs("RN 49, RZ 218, RK 143, RL 218, NZ 234, NK 150, NL 260, ZK 316, ZL 302, KL 323")

# --- Rubin and Watson 2011 --------------------------------------------------------------------------------

NOLIMIT_2010 = crosstable(
    source="Rubin and Watson 2011, Table 5: 2010 heads-up no-limit",
    rows={
        "c4tw.iro": (None, None, -4181, None, -7557, -2289, -5534, None),
        "c4tw.tbr": (None, None, None, -3562, -6977, -2241, None, -8669),
        "Hyperborean.iro": (4181, None, None, -83, 775, 200, 248, 122),
        "Hyperborean.tbr": (None, 3562, 83, None, 795, 272, 364, 220),
        "PokerBotSLO": (7557, 6977, -775, -795, None, -193, -108, -159),
        "SartreNL": (2289, 2241, -200, -272, 193, None, 42, -13),
        "Tartanian4.iro": (5534, None, -248, -364, 108, -42, None, -80),
        "Tartanian4.tbr": (None, 8669, -122, -220, 159, 13, 80, None),
    },
)

RUNOFF_2010 = PublishedTable(
    source="Rubin and Watson 2011, Table 6: 2010 heads-up no-limit, bankroll instant run-off",
    columns=("0", "1", "2", "3"),
    rows={
        "Hyperborean.iro": (1351, 408, 224, 200),
        "SartreNL": (581, 12, -79, -200),
        "Tartanian4.iro": (1338, -60, -145, None),
        "PokerBotSLO": (1620, -359, None, None),
        "c4tw.iro": (-4891, None, None, None),
    },
)

# --- Hawkin 2014 ------------------------------------------------------------------------------------------

RUNOFF_2012 = PublishedTable(
    source="Hawkin 2014, Figure 5.7: 2012 heads-up no-limit, bankroll instant run-off",
    columns=tuple("0123456789"),
    rows={
        "hyperborean": (586, 527, 530, 273, 223, 167, 167, 181, 174, 161),
        "tartanian5": (597, 536, 509, 159, 97, -7, 17, 4, -76, -161),
        "neo.poker.lab": (534, 456, 424, 198, 86, 16, -58, -78, -97, None),
        "little.rock": (1116, 929, 907, 298, 128, 37, -24, -107, None, None),
        "sartre": (112, 19, -21, 56, -57, -97, -101, None, None, None),
        "hugh": (483, 459, 422, 71, -49, -117, None, None, None, None),
        "spewy.louie": (355, 257, 204, -230, -427, None, None, None, None, None),
        "lucky7.12": (-809, -719, -1009, -826, None, None, None, None, None, None),
        "azure.sky": (-196, -1209, -1966, None, None, None, None, None, None, None),
        "dcubot": (-1097, -1254, None, None, None, None, None, None, None, None),
        "uni.mb.poker": (-1681, None, None, None, None, None, None, None, None, None),
    },
)

HAWKIN_CROSSTABLE = crosstable(
    source="Hawkin 2014, Table 7.9: 40 duplicate matches of 100,000 hands per pair",
    rows={
        "2011+": (None, -26, -57, -35, -47, -53),
        "Hawkin_1": (26, None, -45, -23, -27, -27),
        "Hawkin_2": (57, 45, None, 14, 1, 2),
        "big2011": (35, 23, -14, None, -7, -2),
        "minBet_C": (47, 27, -1, 7, None, 1),
        "minBet_B": (53, 27, -2, 2, -1, None),
    },
)
# The averages printed beside it do not follow from its cells.
HAWKIN_PRINTED_AVERAGES = {
    "2011+": -42,
    "Hawkin_1": -20,
    "Hawkin_2": 10,
    "big2011": -3,
    "minBet_C": 5,
    "minBet_B": 7,
}
