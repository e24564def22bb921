"""What Bard 2016 prints in chapters 3 and 4. Of figures only their captions and the text are left; see `statements`."""

from __future__ import annotations

from math import nan

from kibitz.experiments.published import PublishedTable

TABLE_4_1 = PublishedTable(
    "Bard 2016, table 4.1: sizes of percentile abstractions of limit hold'em",
    "abstraction",
    ("information sets", "CFR memory, MB"),
    {
        "5-bucket": (3_624_290, 140),
        "8-bucket": (23_551_424, 934),
        "12-bucket": (118_671_936, 4_708),
    },
    0.5,
    0,
)
TABLE_4_2 = PublishedTable(
    "Bard 2016, table 4.2: equilibria of asymmetric abstractions of limit hold'em, mbb/hand",
    "ours-response",
    ("mean", "exploitability"),
    {
        "12-5": (18.970, 435.757),
        "12-8": (18.890, 378.919),
        "12-12": (15.842, 289.227),
        "8-5": (0.662, 379.659),
        "8-8": (0.276, 312.762),
        "8-12": (-1.985, 255.845),
        "5-5": (-16.189, 317.1),
        "5-8": (-16.751, 283.37),
        "5-12": (-19.714, 234.351),
        "12-FULL": (-11.526, 87.2765),
        "8-FULL": (-23.093, 101.256),
        "5-FULL": (-37.585, 122.385),
    },
    0.0,
    3,
    bounds={
        "12-5": (0.128, nan),
        "12-8": (0.143, nan),
        "12-12": (0.175, nan),
        "8-5": (0.121, nan),
        "8-8": (0.144, nan),
        "8-12": (0.099, nan),
        "5-5": (0.112, nan),
        "5-8": (0.153, nan),
        "5-12": (0.190, nan),
        "12-FULL": (0.221, nan),
        "8-FULL": (0.070, nan),
        "5-FULL": (0.150, nan),
    },
)
SHARES = ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.99", "1")
FIGURE_3_2 = PublishedTable(
    "Bard 2016, figure 3.2: restricted Nash responses by p, in Leduc against uniform random, milli-antes/hand",
    "p",
    ("objective", "exploitation", "exploitability"),
    dict.fromkeys(SHARES, (nan, nan, nan)),
    0.0,
    2,
)
HANDS = ("10", "100", "1000", "10000", "100000")
FIGURE_4_2 = PublishedTable(
    "Bard 2016, figure 4.2: observations and the model's cards, in Leduc against a tilted opponent, milli-antes/hand",
    "model",
    HANDS,
    {model: (nan,) * len(HANDS) for model in ("one-bucket", "2-bucket", "all cards")},
    0.0,
    1,
)
STATEMENTS_4_3 = {
    "larger R dominates, small U": "RNR-U-R with a finer opponent dominates that with a coarser one (our cards coarse)",
    "larger R dominates, large U": "the same with our cards fine",
    "larger U wins more": "finer cards of ours raise what is won at p = 1",
    "larger U is more exploitable": "and raise the exploitability at p = 0",
    "some p > 0 is safer than p = 0": "a response that believes the model a little is less exploitable than none",
}
FIGURE_4_3 = PublishedTable(
    "Bard 2016, figure 4.3: cards of the response and of its opponent, statements (1 holds, 0 does not)",
    "statement",
    ("holds",),
    dict.fromkeys(STATEMENTS_4_3, (1.0,)),
    0.0,
    0,
)
