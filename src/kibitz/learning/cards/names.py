"""The card features by name: Sweeney 2012, appendix 9, as printed, and what the profile `complete` adds.

A feature's number is its place in its list. Lists of `ADDED` follow those as printed, so that `listed` is a prefix of
`complete`. Names of private features are preceded by the class of board for which they are computed.
"""

from __future__ import annotations

STAGES = ("pre-flop", "flop", "turn", "river")
PROFILES = ("complete", "listed")


def _names(text: str) -> tuple[str, ...]:
    """Names separated by semicolons; `board: a; b` puts the class of board before each."""
    found = []
    for line in text.strip().splitlines():
        board, colon, rest = line.strip().partition(": ")
        for name in (rest if colon else board).split("; "):
            found.append(f"{board}: {name}" if colon else name)
    return tuple(found)


PUBLIC: tuple[tuple[str, ...], ...] = (
    (),
    _names("""
        trips flop; rank of trips; pair flop; rank of pair; rank of kicker; pair above kicker
        no-pair flop; highest rank; middle rank; lowest rank
        one suit; two of a suit; three suits
        2gaps; single draws possible; double draws possible
    """),
    _names("""
        quads board; rank of kicker; kicker above trips; turn matches flop pair; turn makes two pair
        rank of turn beside a pair; turn above pair; turn above kicker; turn matches flop card; flop card matched
        rank of turn; flop cards below turn
        fourth of the suit; other suit after one suit; third of the suit; matches single suit
        other suit after two of a suit; matches one of three suits; fourth suit
        1gaps; single draws completed; double draws completed; new single draws; new double draws
        double draws that were single
    """),
    _names("""
        rank of river beside quads; river matches trips; river matches kicker of trips
        river matches one of two pair; higher pair matched
        rank of river beside trips; river above trips; river above kicker; river matches pair
        rank of river beside two pair; second pair from the flop; second pair from the turn
        rank of river beside a pair; pair above river; kickers below river
        river pairs flop card; flop card paired; river pairs turn card; rank of river; board cards above river
        flush board; lowest rank of flush; river makes four of a suit
        front-door flush connects; back-door flush connects; river makes three of a suit
        straight board; 1gaps from single draws; 1gaps from double draws; single draws completed
        double draws completed; new single draws completed; new double draws completed
        double draws that were single completed
    """),
)
"""Public features of each stage, as printed."""

PRIVATE: tuple[tuple[str, ...], ...] = (
    ("pocket pair", "rank of pair", "high rank", "low rank", "suited", "straights with both"),
    _names("""
        trips flop: quads; pocket pair; rank of pair; high rank; low rank
        pair flop: quads; full house, pocket pair; full house, unpaired
        pair flop: trips; kicker above pair; kicker above board kicker
        pair flop: pocket pair; rank of pocket pair; pocket pair above pair; pocket pair above kicker
        pair flop: paired kicker; rank of side card; side card above pair; side card above kicker
        pair flop: high rank; low rank; hole cards above pair; hole cards above kicker
        no-pair flop: set; rank of set; flop card matched
        no-pair flop: two pair; higher rank; lower rank; flop card missing
        no-pair flop: pocket pair; rank of pocket pair; board cards above
        no-pair flop: pair; rank of matched card; board cards above it; rank of kicker; board cards above kicker
        no-pair flop: no pair; high rank; board cards above high; low rank; board cards above low
        one suit: flush; higher ranks; draw with one card; higher ranks of draw
        two of a suit: flush draw; higher ranks; back door with one card; higher ranks of it
        two of a suit: back door with two cards; higher ranks of those
        three suits: back-door flush draw; higher ranks
        straight; higher straights; 1gap draw; single draw; double draw; higher 1gaps if completed
        higher 2gaps if completed; shared with 1gap draw; shared with single draw; shared with double draw
        back-door straight draws; higher if they connect; back door shared with 1gap; back door shared with single
        back door shared with double; single draws if I pair; double draws if I pair
    """),
    _names("""
        quads board: high rank
        trips board: quads; full house; hand kicker above board kicker; rank of hand kicker
        trips board: pocket pair; higher full house; rank of pocket pair; high rank; low rank; hole cards above kicker
        two-pair board: quads; higher quads; full house; higher full houses
        two-pair board: pocket pair in play; rank of pocket pair; board pairs below; pocket pair out of play
        two-pair board: high rank; board pairs below high; board pairs below low
        pair board: quads; full house, pocket pair; full house, unpaired
        pair board: higher full houses, pocket pair; higher full houses, unpaired
        pair board: trips; kicker above pair; board kickers below
        pair board: pocket pair; rank of pocket pair; pocket pair above pair; kickers below pocket pair
        pair board: paired kicker; board pair below; kickers below it; rank of side card; side card above pair
        pair board: kickers below side card
        pair board: high rank; low rank; hole cards above pair; hole cards above kickers
        no-pair board: set; rank of set; board card matched
        no-pair board: two pair; higher rank; lower rank; board cards below higher; board cards below lower
        no-pair board: pocket pair; rank of pocket pair; board cards above
        no-pair board: pair; rank of matched card; board cards above it; rank of kicker; board cards above kicker
        no-pair board: no pair; high rank; board cards above high; low rank; board cards above low
        four of a suit: flush; higher ranks
        three of a suit: flush; higher ranks; draw with one card; higher ranks of draw
        two and two of a suit: front-door draw; higher ranks; back-door draw; higher ranks of it
        two of a suit: flush draw; higher ranks
        single draw; double draw; higher 1gaps if completed; higher 2gaps if completed; shared with 1gap draw
        shared with flop single draw; shared with new single draw; shared with flop double draw
        shared with double draw that was single; shared with new double draw
    """),
    _names("""
        quads board: highest kicker
        full-house board: quads; higher quads; higher full house
        trips board: quads; full house; higher full houses; high rank; low rank
        two-pair board: quads; higher quads; full house; higher full houses
        two-pair board: pocket pair in play; rank of pocket pair; pocket pair above kicker; paired kicker; high rank
        pair board: quads; full house, pocket pair; full house, unpaired
        pair board: higher full houses, pocket pair; higher full houses, unpaired
        pair board: trips; kicker above pair; board kickers below
        pair board: pocket pair; rank of pocket pair; pocket pair above pair; kickers below pocket pair
        pair board: paired kicker; board pair below; kickers below it; rank of side card; side card above pair
        pair board: kickers below side card
        pair board: high rank; low rank; hole cards above pair; board cards below high; board cards below low
        no-pair board: set; rank of set; board cards above set
        no-pair board: two pair; higher rank; lower rank; board cards below higher; board cards below lower
        no-pair board: pocket pair; rank of pocket pair; board cards above
        no-pair board: pair; rank of matched card; board cards above it; rank of kicker; board cards above kicker
        no-pair board: no pair; high rank; board cards above high; low rank; board cards above low
        flush board: hole card in play; higher ranks
        four of a suit: flush; higher ranks
        three of a suit: flush; higher ranks
        1gap straight; 2gap straight; higher 1gap straights
    """),
)
"""Private features of each stage, as printed."""

ADDED_PUBLIC: tuple[tuple[str, ...], ...] = ((), (), (), ("1gaps", "2gaps"))
ADDED_PRIVATE: tuple[tuple[str, ...], ...] = (
    (),
    ("pair flop: rank of trips kicker",),
    ("pair board: rank of trips kicker", "1gap straight", "2gap straight", "higher straights", "1gap draw"),
    ("pair board: rank of trips kicker", "full-house board: rank of higher full house", "higher 2gap straights"),
)
SHORT_RIVER: tuple[str, ...] = _names("""
    quads board; rank of kicker; full-house board; trips above pair
    trips board; rank of trips; higher kicker; lower kicker
    two-pair board; higher pair; lower pair; kicker of two pair
    pair board; rank of pair; first kicker; second kicker; third kicker
    no-pair board; first rank; second rank; third rank; fourth rank; fifth rank
    flush board; lowest rank of flush; four of a suit; three of a suit
    straight board; 1gaps; 2gaps
""")
"""What the action function sees of the board on the river, without the order in which the cards came."""


def public_names(profile: str, stage: int) -> tuple[str, ...]:
    """The public features of a stage, by number."""
    return PUBLIC[stage] + (ADDED_PUBLIC[stage] if profile == "complete" else ())


def private_names(profile: str, stage: int) -> tuple[str, ...]:
    """The private features of a stage, by number."""
    return PRIVATE[stage] + (ADDED_PRIVATE[stage] if profile == "complete" else ())
