"""Colours of the page that must be told apart, as people see them who lack one kind of cone.

The simulation is that of Machado, Oliveira and Fernandes 2009 ("A physiologically-based model for simulation of color
vision deficiency", IEEE Transactions on Visualization and Computer Graphics 15, 1291-1298): matrices of severity 1,
on linear RGB. Differences are Euclidean in CIELAB (CIE 1976, white D65), where about 2.3 is just noticeable.
"""

import re
from importlib.resources import files
from itertools import combinations, pairwise

import numpy as np
import pytest

from kibitz.arena.report import STRENGTHS

VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(  # of linear sRGB (IEC 61966-2-1)
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
APART = 12.0  # of colours that alone tell things apart
STEP = 5.0  # of neighbours on a scale, and of what a mark or a sign tells too
ACTIONS = ("act-fold", "act-call", "act-raise-1", "act-raise-2", "act-raise-3", "act-raise-4", "act-all-in")
LINES = tuple(f"line-{number}" for number in range(8))


def variables(scheme):
    """The colours that the style sheets name in `:root`, float[3] each; dark ones replace light ones."""
    found = {}
    for sheet in ("style.css", "grids.css", "matches.css"):
        text = (files("kibitz.web") / "static" / sheet).read_text()
        dark = re.findall(r"prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}", text, flags=re.DOTALL)
        light = re.findall(r"^:root \{(.*?)\}", text, flags=re.DOTALL | re.MULTILINE)
        for block in light + (dark if scheme == "dark" else []):
            found |= {name: rgb(value) for name, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)}
    return found


def rgb(text):
    return np.array([int(text[place : place + 2], 16) for place in (1, 3, 5)]) / 255


def mixed(one, other, share):
    """What `color-mix(in srgb, one share, other)` gives."""
    return share * one + (1 - share) * other


def seen(colour, vision):
    """The colour in CIELAB: float[3]."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(VISIONS[vision] @ linear, 0, 1) / XYZ.sum(axis=1)
    root = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def difference(one, other, vision):
    return float(np.linalg.norm(seen(one, vision) - seen(other, vision)))


def too_close(colours, vision, least):
    """Pairs of named colours that differ by less than `least`."""
    pairs = combinations(colours.items(), 2)
    found = {f"{a} {b}": round(difference(x, y, vision), 1) for (a, x), (b, y) in pairs}
    return {names: value for names, value in found.items() if value < least}


@pytest.fixture(params=["light", "dark"])
def palette(request):
    return variables(request.param)


@pytest.fixture(params=VISIONS)
def vision(request):
    return request.param


def test_actions_of_a_grid(palette, vision):
    shown = {name: palette[name] for name in ACTIONS}
    assert too_close(shown, vision, APART) == {}
    empty = {name: difference(colour, palette["cell"], vision) for name, colour in shown.items()}
    assert min(empty.values()) >= APART, empty


def test_actions_of_the_table(palette, vision):
    assert too_close({name: palette[name] for name in ("fold", "call", "raise")}, vision, APART) == {}


def test_lines_and_parts_of_charts(palette, vision):
    assert too_close({name: palette[name] for name in LINES}, vision, APART) == {}


def test_wins_and_losses_of_a_cross_table(palette, vision):
    """Any win differs from any loss and from what is in doubt; each strength from the next."""
    card, sheet = palette["card"], (files("kibitz.web") / "static" / "matches.css").read_text()
    shares = [int(each) / 100 for each in re.findall(r"\.strength-\d [^}]*var\(--tint\) (\d+)%", sheet)]
    assert len(shares) == STRENGTHS
    scale = {kind: [mixed(palette[kind], card, share) for share in shares] for kind in ("win", "loss")}
    for win in scale["win"]:
        assert min(difference(win, loss, vision) for loss in scale["loss"]) >= APART
    for shades in scale.values():
        ladder = [card, *shades]
        assert min(difference(*pair, vision) for pair in pairwise(ladder)) >= STEP


def test_verdicts_of_papers(palette, vision):
    bars = {"good": palette["win"], "between": palette["mid"], "bad": palette["loss"], "apart": palette["line"]}
    assert too_close(bars, vision, APART) == {}
    shares = {name: mixed(colour, palette["card"], 0.26) for name, colour in bars.items() if name != "apart"}
    assert too_close(shares, vision, STEP) == {}


def test_a_heat_map_grows_darker_in_steps(palette, vision):
    """Ten steps from the cold cell to the hottest one, each darker than the one before."""
    (cold,) = re.findall(r"\.heat \.base \{ fill: (#\w{6})", (files("kibitz.web") / "static" / "style.css").read_text())
    light = [seen(mixed(palette["hot"], rgb(cold), heat), vision)[0] for heat in np.linspace(0, 1, 11)]
    assert np.all(np.diff(light) < -1.5)
    assert difference(palette["hot"], rgb(cold), vision) >= 4 * APART


def test_the_simulation_merges_what_the_colour_blind_confuse():
    """Orange and olive of one lightness for the first two, blue and green for the third."""
    confused = {"protanopia": "#a07000 #7d7d00", "deuteranopia": "#a07000 #7d7d00", "tritanopia": "#0080b0 #008a8a"}
    for vision, pair in confused.items():
        one, other = map(rgb, pair.split())
        assert difference(one, other, vision) < 0.6 * difference(one, other, "normal")
        assert too_close({"one": one, "other": other}, vision, APART) != {}
    assert seen(rgb("#ffffff"), "normal") == pytest.approx([100, 0, 0], abs=0.1)
    assert seen(rgb("#0072b2"), "normal") == pytest.approx([46, -2, -43], abs=3)
