"""Whole ACPC logs, line by line: header, hands, score.

A log without a header tells its game by `# GAMEDEF` comments (Kibitz writes those), by the caller, or by its look.
What lines that are nearly ACPC's add is taken off and kept in `HandRecord.extra`:

STATE:19:...:DeepStack|player.account # 1479132064.35509     DeepStack: the time the hand started
STATE:37:20150|19850:300|150:r750c/cc/r1500f:...             freeze-outs: stacks and blinds of this hand
STATE:0:...:LBR|DeepStack (-12.5)                            local best response: variance-reduced value
p1|p2:0:b50b100r300c300/...:cards:values                     before 2011: names first, blinds as actions
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from os.path import dirname, isdir, isfile, join  # which, unlike a Path, pass over what cannot be looked at
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple, TextIO

from kibitz.errors import FormatError, GameError, KibitzError
from kibitz.games import Game, format_gamedef, load_game, parse_gamedef
from kibitz.io.acpc.states import LINE_FORM, Score, format_hand, hand_of_match, match_hand, parse_hand
from kibitz.io.record import HandRecord, Note, Refusal

_TIME = re.compile(r"\s+#\s*([0-9]{1,12}(?:\.[0-9]{1,9})?)\s*$")
_VARIANCE_REDUCED = re.compile(r"([\s:]*)\(\s*(-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?:e[-+]?[0-9]{1,2})?)\s*\)\s*$")
_CHIPS = re.compile(r"[0-9]{1,10}(?:\|[0-9]{1,10})+")
_OLD_LINE = re.compile(r"([^:|#;][^:]*\|[^:]+):([0-9]{1,18}):([^:\s]*):([^:\s]*):([-0-9.|]+)")
_OLD_BLINDS = re.compile(r"(?:b[0-9]{1,10})+")
_OLD_CALL = re.compile(r"c[0-9]{1,10}")

is_old_line = _OLD_LINE.fullmatch
_TITLE = "# name/game/hands/seed "
_LIMIT = re.compile(r"#--(t_response|t_hand|t_per_hand) +([0-9]{1,18})")
_COUNT = re.compile(r"[0-9]{1,18}")
_HEAD = 300  # lines looked at to guess a game


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


class LogHeader(NamedTuple):
    """What the dealer writes before the first hand; times are milliseconds."""

    name: str
    game: str  # the path of the game definition on the dealer's machine
    hands: int
    seed: int
    response_limit: int | None = None
    hand_limit: int | None = None
    per_hand_limit: int | None = None

    @classmethod
    def parse(cls, line: str) -> LogHeader:
        """The header of its first line, `# name/game/hands/seed NAME GAME HANDS SEED`."""
        words = line.rstrip().removeprefix(_TITLE).rsplit(" ", 2)
        front = words[0].split(" ", 1)
        if len(words) != 3 or len(front) != 2 or not all(map(_COUNT.fullmatch, words[1:])):
            raise FormatError(f"{line!r}: {_TITLE}NAME GAMEFILE HANDS SEED is wanted")
        return cls(front[0], front[1], int(words[1]), int(words[2]))

    def with_limit(self, line: str) -> LogHeader:
        """This header with the time limit of a `#--t_...` line; other comments change nothing."""
        match = _LIMIT.fullmatch(line.rstrip())
        return LogHeader(**{**self._asdict(), f"{match[1][2:]}_limit": int(match[2])}) if match else self

    def load_game(self, source: str = "") -> Game:
        """The game of the file that is named, if that is here, or lies beside the log `source`.

        Otherwise by its name, whatever folder the dealer had it in.
        """
        base = PureWindowsPath(self.game).name if "\\" in self.game else PurePosixPath(self.game).name
        folder = _folder_of(source)
        for path in (self.game, *(join(folder, name) for name in (self.game, base) if folder)):
            if isfile(path):
                return load_game(path)
        try:
            return load_game(base)
        except GameError:
            where = f" nor in {folder}" if folder else ""
            raise GameError(
                f"the log is of {self.game!r}, which is not known here{where}; name the game", settings=("game",)
            ) from None

    def __str__(self) -> str:
        limits = (
            ("t_response", self.response_limit),
            ("t_hand", self.hand_limit),
            ("t_per_hand", self.per_hand_limit),
        )
        lines = [f"{_TITLE}{self.name} {self.game} {self.hands} {self.seed}"]
        return "\n".join([*lines, *(f"#--{word} {limit}" for word, limit in limits if limit is not None)])


def _folder_of(source: str) -> str:
    """The folder that a log lies in, or the archive that it is in; "" if there is none."""
    while source and source != (source := dirname(source)):
        if isdir(source):
            return source
    return ""


Event = HandRecord | LogHeader | Score | Refusal | Note


class Comments:
    """Collects the comment lines of a log: a match header, or a game definition that Kibitz has put there."""

    def __init__(self, game: Game | None, source: str = "") -> None:
        self.header: LogHeader | None = None
        self._source = source
        self.game = game
        self._fixed = game is not None
        self.pending = False
        self._definition: list[str] | None = None

    def feed(self, line: str) -> None:
        """Take one comment line."""
        if line.startswith(_TITLE):
            self.header, self.pending = LogHeader.parse(line), True
            if not self._fixed:
                self.game = self.header.load_game(self._source)
        elif self.header and line.startswith("#--"):
            self.header = self.header.with_limit(line)
        elif line.startswith("# GAMEDEF"):
            self._definition = [line]
        elif self._definition is not None:
            self._definition.append(line)
            if line.startswith("# END GAMEDEF"):
                if not self._fixed:
                    self.game = _parse_commented_game(self._definition)
                self._definition = None

    def take_header(self) -> LogHeader | None:
        """The header once it is complete, and only the first time it is asked for."""
        self.pending, pending = False, self.pending
        return self.header if pending else None


def read_log(
    lines: Iterable[str], source: str = "", game: Game | None = None, *, strict: bool = True
) -> Iterator[Event]:
    """The hands of a log in any ACPC dialect, with its headers and scores where they stand.

    game     the rules, when the header does not name them or names others
    strict   raise `FormatError` at a bad line; otherwise yield a `Refusal` and go on
    """
    lines = iter(lines)
    head = list(islice(lines, _HEAD))
    comments = Comments(game, source)
    guessed = None if game else guess_game(head)
    begun = False
    for number, line in enumerate(chain(head, lines), 1):
        where = f"{source}:{number}"
        try:
            match = match_hand(line.rstrip())
            if match and not comments.pending and comments.game is not None:  # the way of nearly every line
                begun = True
                yield hand_of_match(match, comments.game, where)
                continue
            line = line.strip("\ufeff \t\r\n")
            if not line:
                continue
            if line[0] in "#;":
                comments.feed(line)
                continue
            header = comments.take_header()
            if header:
                yield header
            if line.startswith("STATE:") or is_old_line(line):
                begun = True
                rules = comments.game or guessed
                if rules is None:
                    raise GameError(f"{where}: the log does not say which game was played; name it", settings=("game",))
                yield parse_dialect(line, rules, where, comments.header is not None)
            elif line.startswith("SCORE:"):
                yield Score.parse(line, where)
            elif begun or comments.header or _looks_like_a_hand(line):  # others may stand before the first hand
                raise FormatError(
                    f"{where}: {line!r} is no line of a log: {LINE_FORM}, SCORE:totals:names or a comment"
                )
        except GameError as error:
            text = str(error) if where in str(error) else f"{where}: {error}"
            raise GameError(text, settings=error.settings) from None
        except KibitzError as error:
            if strict:
                raise FormatError(str(error) if where in str(error) else f"{where}: {error}") from None
            yield Refusal(_hand_of(line), where, str(error).removeprefix(f"{where}: "))
    header = comments.take_header()
    if header:
        yield header


def read_hands_of_log(lines: Iterable[str], source: str = "", game: Game | None = None) -> Iterator[HandRecord]:
    """Only the hands of `read_log`."""
    return (event for event in read_log(lines, source, game) if type(event) is HandRecord)


def write_log(records: Iterable[HandRecord], out: TextIO) -> int:
    """Write `records` as log lines, the game as comments wherever it changes; the number of hands written."""
    game, count = None, 0
    for record in records:
        if record.game != game:
            game = record.game
            out.write(format_commented_game(game))
        out.write(format_hand(record) + "\n")
        count += 1
    return count


def format_commented_game(game: Game) -> str:
    """The definition of `game` as comment lines, which a log reader other than this one passes over."""
    first, *rest = format_gamedef(game).splitlines()
    return "".join(f"# {line}\n" for line in (f"{first} {game.name}".rstrip(), *rest))


def _parse_commented_game(lines: list[str]) -> Game:
    first, *rest = (line.removeprefix("#").strip() for line in lines)
    return parse_gamedef("\n".join(["GAMEDEF", *rest]), name=first.removeprefix("GAMEDEF").strip())


def _looks_like_a_hand(line: str) -> bool:
    return line.count(":") >= LINE_FORM.count(":") - 1 and "|" in line


def _hand_of(line: str) -> str:
    fields = line.split(":")
    return fields[1] if len(fields) > 1 else "?"
