"""Whole ACPC logs, line by line: header, hands, score.

A log without a header tells its game by `# GAMEDEF` comments (Kibitz writes those), by the caller, or by its look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from os.path import dirname, isdir, isfile, join  # which, unlike a Path, pass over what cannot be looked at
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple, TextIO

from kibitz.errors import FormatError, GameError, KibitzError
from kibitz.games import Game, format_gamedef, load_game, parse_gamedef
from kibitz.io.acpc.dialects import guess_game, is_old_line, parse_dialect
from kibitz.io.acpc.states import LINE_FORM, Score, format_hand, hand_of_match, match_hand
from kibitz.io.record import HandRecord, Note, Refusal

_TITLE = "# name/game/hands/seed "
_LIMIT = re.compile(r"#--(t_response|t_hand|t_per_hand) +([0-9]{1,18})")
_COUNT = re.compile(r"[0-9]{1,18}")
_HEAD = 300  # lines looked at to guess a game


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
