"""The card features by name: Sweeney 2012, appendix 9, as printed, and what the profile `complete` adds.

A feature's number is its place in its list. Those that `complete` adds follow those as printed, so that `listed` is a
prefix of `complete`. Names of private features are preceded by the class of board for which they are computed. A
letter after a name says what its value is: a rank (/r), a count (/c), a count of rank pairs (/p) or a place among cards
(/w), each divided by its scale; features without one are on or off.
"""

from __future__ import annotations

import numpy as np

STAGES = ("pre-flop", "flop", "turn", "river")
PROFILES = ("complete", "listed")
UNIT, FLAG = ("r", "c", "p", "w", ""), 4  # what a value is; the place of nothing
MOST = 92  # features of a list

_PAIR_BOARD = """
    pair board: quads; full house, pocket pair; full house, unpaired
    pair board: higher full houses, pocket pair/c; higher full houses, unpaired/c
    pair board: trips; kicker above pair; board kickers below/c
    pair board: pocket pair; rank of pocket pair/r; pocket pair above pair; kickers below pocket pair/c
    pair board: paired kicker; board pair below; kickers below it/c; rank of side card/r; side card above pair
    pair board: kickers below side card/c; high rank/r; low rank/r; hole cards above pair/c
"""
_NO_PAIR = """
    no-pair {0}: pocket pair; rank of pocket pair/r; board cards above/c; pair; rank of matched card/r
    no-pair {0}: board cards above it/c; rank of kicker/r; board cards above kicker/c
    no-pair {0}: no pair; high rank/r; board cards above high/c; low rank/r; board cards above low/c
"""
_TWO_PAIR = """
    no-pair board: two pair; higher rank/r; lower rank/r; board cards below higher/c; board cards below lower/c
"""
_PRE_FLOP = "pocket pair; rank of pair/r; high rank/r; low rank/r; suited; straights with both/c"
_FLOP = f"""
    trips flop: quads; pocket pair; rank of pair/r; high rank/r; low rank/r
    pair flop: quads; full house, pocket pair; full house, unpaired
    pair flop: trips; kicker above pair; kicker above board kicker
    pair flop: pocket pair; rank of pocket pair/r; pocket pair above pair; pocket pair above kicker
    pair flop: paired kicker; rank of side card/r; side card above pair; side card above kicker
    pair flop: high rank/r; low rank/r; hole cards above pair/c; hole cards above kicker/c
    no-pair flop: set; rank of set/r; flop card matched/w
    no-pair flop: two pair; higher rank/r; lower rank/r; flop card missing/w
    {_NO_PAIR.format("flop")}
    one suit: flush; higher ranks/c; draw with one card; higher ranks of draw/c
    two of a suit: flush draw; higher ranks/c; back door with one card; higher ranks of it/c
    two of a suit: back door with two cards; higher ranks of those/c
    three suits: back-door flush draw; higher ranks/c
    straight; higher straights/c; 1gap draw; single draw; double draw; higher 1gaps if completed/p
    higher 2gaps if completed/p; shared with 1gap draw/c; shared with single draw/p; shared with double draw/p
    back-door straight draws/c; higher if they connect/p; back door shared with 1gap/c
    back door shared with single/p; back door shared with double/p; single draws if I pair/p; double draws if I pair/p
"""
_TURN = f"""
    quads board: high rank/r
    trips board: quads; full house; hand kicker above board kicker; rank of hand kicker/r; pocket pair
    trips board: higher full house; rank of pocket pair/r; high rank/r; low rank/r; hole cards above kicker/c
    two-pair board: quads; higher quads/c; full house; higher full houses/c
    two-pair board: pocket pair in play; rank of pocket pair/r; board pairs below/c; pocket pair out of play
    two-pair board: high rank/r; board pairs below high/c; board pairs below low/c
    {_PAIR_BOARD}
    pair board: hole cards above kickers/c
    no-pair board: set; rank of set/r; board card matched/w
    {_TWO_PAIR}{_NO_PAIR.format("board")}
    four of a suit: flush; higher ranks/c
    three of a suit: flush; higher ranks/c; draw with one card; higher ranks of draw/c
    two and two of a suit: front-door draw; higher ranks/c; back-door draw; higher ranks of it/c
    two of a suit: flush draw; higher ranks/c
    single draw; double draw; higher 1gaps if completed/p; higher 2gaps if completed/p; shared with 1gap draw/c
    shared with flop single draw/p; shared with new single draw/p; shared with flop double draw/p
    shared with double draw that was single/p; shared with new double draw/p
"""
_RIVER = f"""
    quads board: highest kicker/r
    full-house board: quads; higher quads/c; higher full house
    trips board: quads; full house; higher full houses/c; high rank/r; low rank/r
    two-pair board: quads; higher quads/c; full house; higher full houses/c; pocket pair in play
    two-pair board: rank of pocket pair/r; pocket pair above kicker; paired kicker; high rank/r
    {_PAIR_BOARD}
    pair board: board cards below high/c; board cards below low/c
    no-pair board: set; rank of set/r; board cards above set/c
    {_TWO_PAIR}{_NO_PAIR.format("board")}
    flush board: hole card in play; higher ranks/c
    four of a suit: flush; higher ranks/c
    three of a suit: flush; higher ranks/c
    1gap straight; 2gap straight; higher 1gap straights/c
"""
_FLOP_BOARD = """
    trips flop; rank of trips/r; pair flop; rank of pair/r; rank of kicker/r; pair above kicker
    no-pair flop; highest rank/r; middle rank/r; lowest rank/r; one suit; two of a suit; three suits
    2gaps/c; single draws possible/p; double draws possible/p
"""
_TURN_BOARD = """
    quads board; rank of kicker/r; kicker above trips; turn matches flop pair; turn makes two pair
    rank of turn beside a pair/r; turn above pair; turn above kicker; turn matches flop card; flop card matched/w
    rank of turn/r; flop cards below turn/c; fourth of the suit; other suit after one suit; third of the suit
    matches single suit; other suit after two of a suit; matches one of three suits; fourth suit
    1gaps/c; single draws completed/p; double draws completed/p; new single draws/p; new double draws/p
    double draws that were single/p
"""
_RIVER_BOARD = """
    rank of river beside quads/r; river matches trips; river matches kicker of trips
    river matches one of two pair; higher pair matched
    rank of river beside trips/r; river above trips; river above kicker; river matches pair
    rank of river beside two pair/r; second pair from the flop; second pair from the turn
    rank of river beside a pair/r; pair above river; kickers below river/c
    river pairs flop card; flop card paired/w; river pairs turn card; rank of river/r; board cards above river/c
    flush board; lowest rank of flush/r; river makes four of a suit
    front-door flush connects; back-door flush connects; river makes three of a suit
    straight board; 1gaps from single draws/p; 1gaps from double draws/p; single draws completed/p
    double draws completed/p; new single draws completed/p; new double draws completed/p
    double draws that were single completed/p
"""
_SHORT = """
    quads board; rank of kicker/r; full-house board; trips above pair
    trips board; rank of trips/r; higher kicker/r; lower kicker/r
    two-pair board; higher pair/r; lower pair/r; kicker of two pair/r
    pair board; rank of pair/r; first kicker/r; second kicker/r; third kicker/r
    no-pair board; first rank/r; second rank/r; third rank/r; fourth rank/r; fifth rank/r
    flush board; lowest rank of flush/r; four of a suit; three of a suit
    straight board; 1gaps/c; 2gaps/c
"""
_ADDED = (
    "",
    "pair flop: rank of trips kicker/r",
    "pair board: rank of trips kicker/r\n 1gap straight; 2gap straight; higher straights/c; 1gap draw",
    "pair board: rank of trips kicker/r\n full-house board: rank of higher full house/r\n higher 2gap straights/c",
)
Features = tuple[tuple[str, int], ...]  # the name of each, and what its value is: its place in UNIT


def _read(text: str) -> Features:
    """Features separated by semicolons; `board: a; b` puts the class of board before each."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        board, colon, rest = line.partition(": ")
        for each in (rest if colon else board).split("; "):
            name, _slash, unit = each.partition("/")
            found.append((f"{board}: {name}" if colon else name, UNIT.index(unit)))
    return tuple(found)


def _names(features: Features, more: Features = ()) -> tuple[str, ...]:
    return tuple(name for name, _unit in features + more)


_PRIVATE = [*zip(map(_read, (_PRE_FLOP, _FLOP, _TURN, _RIVER)), map(_read, _ADDED), strict=True)]
_BOARDS = [_read(each) for each in ("", _FLOP_BOARD, _TURN_BOARD, _RIVER_BOARD)]
_PUBLIC = [*zip(_BOARDS, [(), (), (), _read("1gaps/c; 2gaps/c")], strict=True)]
_LISTS = [*(listed + added for listed, added in [*_PRIVATE, *_PUBLIC[1:]]), _read(_SHORT)]
UNITS = np.array([[unit for _name, unit in each] + [FLAG] * (MOST - len(each)) for each in _LISTS], dtype=np.uint8)
"""What values are, by list and number: of the private lists by stage, the public ones from the flop on, the short."""
SHORT_RIVER = _names(_LISTS[-1])
"""What the action function sees of the board on the river, without the order in which the cards came."""
ADDED_PRIVATE = tuple(_names(added) for _listed, added in _PRIVATE)
"""Private features of each stage that only the profile `complete` has."""


def public_names(profile: str, stage: int) -> tuple[str, ...]:
    """The public features of a stage, by number."""
    return _names(*_PUBLIC[stage][: 1 + (profile == "complete")])


def private_names(profile: str, stage: int) -> tuple[str, ...]:
    """The private features of a stage, by number."""
    return _names(*_PRIVATE[stage][: 1 + (profile == "complete")])
