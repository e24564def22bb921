"""The tables of Rubin and Watson 2011 as printed: what the 2010 competition said."""

from __future__ import annotations

from math import nan

from kibitz.experiments.published import PublishedTable

_NAMES = (
    "c4tw.iro",
    "c4tw.tbr",
    "Hyperborean.iro",
    "Hyperborean.tbr",
    "PokerBotSLO",
    "SartreNL",
    "Tartanian4.iro",
    "Tartanian4.tbr",
)

TABLE_5 = PublishedTable(
    source="Rubin and Watson 2011, Table 5: 2010 heads-up no-limit, row player's mbb/hand",
    heading="agent",
    columns=_NAMES,
    rows={
        "c4tw.iro": (nan, nan, -4181, nan, -7557, -2289, -5534, nan),
        "c4tw.tbr": (nan, nan, nan, -3562, -6977, -2241, nan, -8669),
        "Hyperborean.iro": (4181, nan, nan, -83, 775, 200, 248, 122),
        "Hyperborean.tbr": (nan, 3562, 83, nan, 795, 272, 364, 220),
        "PokerBotSLO": (7557, 6977, -775, -795, nan, -193, -108, -159),
        "SartreNL": (2289, 2241, -200, -272, 193, nan, 42, -13),
        "Tartanian4.iro": (5534, nan, -248, -364, 108, -42, nan, -80),
        "Tartanian4.tbr": (nan, 8669, -122, -220, 159, 13, 80, nan),
    },
    tolerance=0.5,
    decimals=0,
)

TABLE_6 = PublishedTable(
    source="Rubin and Watson 2011, Table 6: bankroll instant run-off of 2010, mbb/hand",
    heading="agent",
    columns=("round 0", "round 1", "round 2", "round 3"),
    rows={
        "Hyperborean.iro": (1351, 408, 224, 200),
        "SartreNL": (581, 12, -79, -200),
        "Tartanian4.iro": (1338, -60, -145, nan),
        "PokerBotSLO": (1620, -359, nan, nan),
        "c4tw.iro": (-4891, nan, nan, nan),
    },
    tolerance=1.0,  # means of rates that were rounded themselves
    decimals=0,
)
TABLE_6_INTERVALS: dict[str, tuple[int, ...]] = {
    "Hyperborean.iro": (44, 27, 31, 39),
    "SartreNL": (34, 23, 27, 39),
    "Tartanian4.iro": (33, 27, 34),
    "PokerBotSLO": (187, 32),
    "c4tw.iro": (213,),
}
