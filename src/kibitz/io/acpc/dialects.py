"""Log lines that are nearly ACPC's: what they add is taken off and kept in `HandRecord.extra`.

STATE:19:...:DeepStack|player.account # 1479132064.35509     DeepStack: the time the hand started
STATE:37:20150|19850:300|150:r750c/cc/r1500f:...             freeze-outs: stacks and blinds of this hand
STATE:0:...:LBR|DeepStack (-12.5)                            local best response: variance-reduced value
p1|p2:0:b50b100r300c300/...:cards:values                     before 2011: names first, blinds as actions
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from kibitz.errors import FormatError, GameError
from kibitz.games import Game, load_game
from kibitz.io.acpc.states import hand_of_match, match_hand, parse_hand
from kibitz.io.record import HandRecord

_TIME = re.compile(r"\s+#\s*([0-9]{1,12}(?:\.[0-9]{1,9})?)\s*$")
_VARIANCE_REDUCED = re.compile(r"([\s:]*)\(\s*(-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?:e[-+]?[0-9]{1,2})?)\s*\)\s*$")
_CHIPS = re.compile(r"[0-9]{1,10}(?:\|[0-9]{1,10})+")
_OLD_LINE = re.compile(r"([^:|#;][^:]*\|[^:]+):([0-9]{1,18}):([^:\s]*):([^:\s]*):([-0-9.|]+)")
_OLD_BLINDS = re.compile(r"(?:b[0-9]{1,10})+")
_OLD_CALL = re.compile(r"c[0-9]{1,10}")

is_old_line = _OLD_LINE.fullmatch


def parse_dialect(line: str, game: Game, source: str, in_match: bool) -> HandRecord:
    """The hand of a log line in any dialect.

    in_match: the line belongs to a match of the ACPC dealer, so brackets at its end are part of a name.
    """
    line, extra = _take_remarks(line, in_match)
    match = match_hand(line)
    if match:
        record = hand_of_match(match, game, source)
    elif is_old_line(line):
        record = _parse_old(line, game, source)
        extra["betting"] = line.split(":")[2]  # its call amounts are not in the history
    elif line.count(":") == 7:
        record = _parse_freeze_out(line, game, source)
    else:
        record = parse_hand(line, game, source)
    return record._replace(extra=extra) if extra else record


def _take_remarks(line: str, in_match: bool) -> tuple[str, dict[str, object]]:
    """The line without what stands behind its names, and that."""
    extra: dict[str, object] = {}
    time = _TIME.search(line)
    if time:
        line = line[: time.start()]
        extra["time"] = float(time[1])
    value = _VARIANCE_REDUCED.search(line)
    if value and (":" in value[1] or not in_match):
        line = line[: value.start()]
        extra["variance_reduced"] = float(value[2])
    return line, extra


def _parse_freeze_out(line: str, game: Game, source: str) -> HandRecord:
    """`STATE:hand:stacks:blinds:betting:cards:values:names`, a game of its own every hand."""
    word, hand, stacks, blinds, *rest = line.split(":")
    for name, chips in (("stacks", stacks), ("blinds", blinds)):
        if not _CHIPS.fullmatch(chips) or chips.count("|") != game.players - 1:
            raise FormatError(f"{source}: {name} {chips!r}: {game.players} whole numbers separated by '|'")
    return parse_hand(":".join([word, hand, *rest]), _game_with(game, stacks, blinds), source)


def _parse_old(line: str, game: Game, source: str) -> HandRecord:
    """`names:hand:actions:cards:values`; `b` at the start posts a blind, amounts behind `c` repeat what is known."""
    names, hand, actions, cards, values = line.split(":")
    posted = _OLD_BLINDS.match(actions)
    if posted:
        actions = actions[posted.end() :]
        blinds = posted[0][1:].split("b")
        if len(blinds) > game.players:
            raise FormatError(f"{source}: {len(blinds)} blinds in {posted[0]!r} for {game.players} players")
        if game.players == 2:  # the small blind posts first and is position 1
            blinds = [blinds[1] if len(blinds) == 2 else "0", blinds[0]]
        blinds += ["0"] * (game.players - len(blinds))
        game = _game_with(game, "|".join(map(str, game.stacks)), "|".join(blinds))
    return parse_hand(f"STATE:{hand}:{_OLD_CALL.sub('c', actions)}:{cards}:{values}:{names}", game, source)


@lru_cache(maxsize=1 << 10)
def _game_with(game: Game, stacks: str, blinds: str) -> Game:
    """`game` with other stacks and blinds; the same value again for the same text."""
    try:
        return replace(game, stacks=tuple(map(int, stacks.split("|"))), blinds=tuple(map(int, blinds.split("|"))))
    except GameError as error:
        raise FormatError(str(error)) from None


PLURIBUS_STACK = 10_000
PLURIBUS_PLAYERS = 6


def guess_game(lines: list[str]) -> Game | None:
    """The hold'em game of log lines that come without a header, or None when they leave it open.

    Logs of DeepStack, Pluribus and the local best response name no game: two cards each is hold'em, a number behind
    a raise is no-limit, six players one of whom is called Pluribus sat down with 10,000 chips.
    """
    for text in lines:
        line = _take_remarks(text.rstrip(), in_match=False)[0]
        fields = line.split(":")
        if fields[0] == "STATE" and len(fields) in (6, 8):
            betting, cards, _values, names = fields[-4:]
        elif is_old_line(line):
            names, _hand, betting, cards, _values = fields
        else:
            continue
        hole = cards.split("/")[0].split("|")
        raised = re.search(r"r[0-9]*", betting)
        if raised and {len(group) for group in hole} == {4}:
            kind = "nolimit" if len(raised[0]) > 1 else "limit"
            return _holdem(kind, len(hole), "Pluribus" in names.split("|"))
    return None


def _holdem(kind: str, players: int, pluribus: bool) -> Game | None:
    try:
        game = load_game(f"holdem-{kind}-{players}p")
    except GameError:
        return None
    if pluribus and kind == "nolimit" and players == PLURIBUS_PLAYERS:
        return replace(game, stacks=(PLURIBUS_STACK,) * players, name="")
    return game
