"""The documentation is run: snippets, commands, links, help texts and tables of every page.

    python tests/test_docs.py      writes what is generated (help texts, the table of games, outputs that changed)

A page is read from top to bottom in a folder of its own, and its blocks mean what a reader takes them to mean:

- a block after "Save this as `name`:" is written to that file;
- a ```python block runs, all blocks of a page in one namespace; an ```output block right after it is what it prints;
- in a ```console block every `$ kibitz ...` runs (with `; echo $?` at its end it may fail), `$ cat name` shows a
  file, and the lines below are what appears; `...` stands for anything;
- a block after `<!-- not run -->` is only shown; its `$ kibitz ...` must still be commands that could be given.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import click
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games import GAMES, Game
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK
from kibitz.parallel import InProcess

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
COMMAND_PAGE = DOCS / "reference" / "command-line.md"
GAMES_PAGE = DOCS / "reference" / "games.md"
BENCHMARKS = ROOT / "bench" / "RESULTS.md"

WIDTH = 78  # of help texts on a terminal of 80 columns

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"[Ss]ave this as `([\w.-]+)`:$")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n?", re.MULTILINE)
_INLINE = re.compile(r"`kibitz\s+([^`]*)`")
_STATUS = "; echo $?"


class Block(NamedTuple):
    """A fenced block: its language, its text and where that stands, and the line above the fence."""

    language: str
    text: str
    start: int
    end: int
    above: str


class Claim(NamedTuple):
    """What a page says is printed, where it stands, and what is printed."""

    what: str
    want: str
    start: int
    end: int
    got: str

    @property
    def holds(self) -> bool:
        return doctest.OutputChecker().check_output(self.want, self.got, doctest.ELLIPSIS)


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a page in order."""
    blocks = []
    for match in _BLOCK.finditer(text):
        above = text[: match.start()].rstrip().rsplit("\n", 1)[-1]
        blocks.append(Block(match[1], match[2], match.start(2), match.end(2), above))
    return blocks


def run_page(text: str, page: str = "page") -> Iterator[Claim]:
    """Run the blocks of a page in the current folder; yields every output that the page states."""
    blocks = blocks_of(text)
    namespace: dict[str, object] = {"__name__": "__docs__"}
    for block, following in zip(blocks, [*blocks[1:], None], strict=False):
        if block.above == "<!-- not run -->":
            continue
        file_name = _FILE_NAME.search(block.above)
        if file_name:
            Path(file_name[1]).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            printed = io.StringIO()
            line = text.count("\n", 0, block.start)
            with contextlib.redirect_stdout(printed):
                # Blank lines first, so that a traceback names the line of the page.
                exec(compile("\n" * line + block.text, page, "exec", dont_inherit=True), namespace)
            if following and following.language == "output" and not text[block.end + 4 : following.start - 10].strip():
                yield Claim(block.text, following.text, following.start, following.end, printed.getvalue())
        elif block.language == "console":
            yield from _run_console(block)


def _run_console(block: Block) -> Iterator[Claim]:
    commands = list(_COMMAND.finditer(block.text))
    ends = [command.start() for command in commands[1:]] + [len(block.text)]
    for command, end in zip(commands, ends, strict=True):
        got = re.sub(r" +$", "", _run_command(command[1].replace("\\\n", " ")), flags=re.MULTILINE)
        want = block.text[command.end() : end]
        yield Claim(command[1], want, block.start + command.end(), block.start + end, got)


def _run_command(line: str) -> str:
    """What a command prints, in this process; blanks at the ends of lines are dropped."""
    wants_status = line.endswith(_STATUS)
    program, *arguments = shlex.split(line.removesuffix(_STATUS))
    if program == "cat":
        return "".join(Path(name).read_text(encoding="utf-8") for name in arguments)
    assert program == "kibitz", f"{line!r}: a console block holds kibitz and cat; `<!-- not run -->` is for others"
    # Worker processes give the same results and take seconds to start.
    # What a system lacks to confine agents is another sentence on another system.
    with mock.patch("kibitz.arena.playing.Processes", InProcess), mock.patch("kibitz.cli.match.missing", str):
        result = CliRunner().invoke(main, arguments, prog_name="kibitz", terminal_width=WIDTH)
    if wants_status:
        return f"{result.output}{result.exit_code}\n"
    assert result.exit_code == 0, f"{line}: exit status {result.exit_code}\n{result.output}\n{result.exception!r}"
    return result.output


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """The current folder is `folder`, and the installed `kibitz` is found by its name."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with contextlib.chdir(folder), mock.patch.dict(os.environ, PATH=path, COLUMNS="80"):
        yield


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_page_prints_what_it_says(page, tmp_path):
    with working_in(tmp_path):
        for claim in run_page(_runnable(page), str(page)):
            assert claim.holds, f"{claim.what}\nthe page says:\n{claim.want}\nbut it prints:\n{claim.got}"


def test_a_wrong_page_is_noticed(tmp_path):
    right = "```python\nprint(6 * 7)\n```\n\n```output\n42\n```\n\n```console\n$ kibitz acpc deal kuhn\nAs|Ks\n```\n"
    with working_in(tmp_path):
        assert [claim.holds for claim in run_page(right)] == [True, True]
        assert [claim.holds for claim in run_page(right.replace("42", "43").replace("Ks", "Qs"))] == [False, False]
        with pytest.raises(AssertionError, match="exit status 2"):
            list(run_page(right.replace("deal kuhn", "deal omaha")))


def _runnable(page: Path) -> str:
    """The page; in the README, commands that need make or the files of the repository are only shown."""
    text = page.read_text(encoding="utf-8")
    if page.parent == ROOT:
        for block in reversed(blocks_of(text)):
            if block.language == "console" and ("$ make" in block.text or "examples/" in block.text):
                fence = text.rindex("```", 0, block.start)
                text = f"{text[:fence]}<!-- not run -->\n{text[fence:]}"
    return text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_could_be_given(page):
    text = page.read_text(encoding="utf-8")
    for block in blocks_of(text):
        if block.language == "console":
            for command in _COMMAND.finditer(block.text):
                check_command(command[1].replace("\\\n", " "))
    for words in _INLINE.findall(_BLOCK.sub("", text)):
        check_options(words.split())


def test_a_command_that_cannot_be_given_is_noticed():
    check_command("kibitz acpc connect agents/mine 127.0.0.1 18791")
    check_options(["solve", "...", "--boards", "0"])
    for wrong in ("connect mine --port 1", "connect mine 127.0.0.1", "solve leduc --updates never", "deel kuhn"):
        with pytest.raises((click.UsageError, AssertionError)):
            check_command(f"kibitz {wrong}")
    with pytest.raises(AssertionError, match="no option --port"):
        check_options(["acpc", "connect", "--port"])


def find_command(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command, or the command of a group, that `words` begin with, and the rest of them."""
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, *words = words
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"no command {name!r}"
        command = found
    return command, words


def check_command(line: str) -> None:
    """Refuse a line whose arguments or options `kibitz` would; whether its files are there does not matter."""
    program, *words = shlex.split(line.removesuffix(_STATUS))
    if program == "kibitz":
        command, rest = find_command(words)
        with mock.patch.object(click.Path, "convert", lambda _type, value, _param, _context: value):
            command.make_context(line, rest, click.Context(main, **main.context_settings))


def check_options(words: list[str]) -> None:
    """Refuse options that do not exist, in the text of a page: there `...` and less may stand for the rest."""
    command, rest = find_command(words)
    known = {"--help", *(name for each in command.params for name in each.opts)}
    for word in rest:
        if word.startswith("--"):
            assert word.rstrip(".,") in known, f"kibitz {' '.join(words)}: no option {word}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in _LINK.findall(_BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        if linked == BENCHMARKS and not linked.exists():
            pytest.skip("no benchmarks yet: `python -m bench --write` writes them")
        assert linked.exists(), f"{name_of(page)} links to {target}, which is not there"
        if anchor:
            assert anchor in anchors_of(linked), f"{name_of(page)} links to {target}: no such heading"


def anchors_of(page: Path) -> set[str]:
    """The anchors that headings make."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_reachable():
    linked = {DOCS / "index.md"}
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        for target in _LINK.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / target.partition("#")[0]).resolve()
            if path.suffix == ".md" and path.is_file() and path not in linked:
                linked.add(path)
                waiting.append(path)
    assert sorted(map(name_of, set(PAGES[1:]) - linked)) == []


def commands(command: click.Command = main, name: str = "") -> Iterator[str]:
    """The empty name, for the whole program, then every command; after a group, those in it: `imitate build`."""
    yield name
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from commands(found, f"{name} {inner}".strip())


def help_of(command: str) -> str:
    """What `kibitz COMMAND --help` prints on 80 columns."""
    return CliRunner().invoke(main, [*command.split(), "--help"], prog_name="kibitz", terminal_width=WIDTH).output


@pytest.mark.parametrize("command", list(commands()))
def test_help_is_current(command):
    shown = [block.text for block in blocks_of(COMMAND_PAGE.read_text(encoding="utf-8"))]
    assert help_of(command) in shown, "run `python tests/test_docs.py` to write the help texts anew"


def table_of_games() -> str:
    """The named games as a table in Markdown, from the games themselves."""
    lines = [
        "| name | players | deck | cards: own, then public by round | stacks | blinds | bets | raises a round |",
        "|---|--:|---|---|--:|---|---|---|",
    ]
    return "\n".join([*lines, *(_row_of(name, make()) for name, make in GAMES.items())]) + "\n"


def _row_of(name: str, game: Game) -> str:
    def joined(values: tuple[int, ...]) -> str:
        return "/".join(map(str, values))

    stack = "unlimited" if game.stacks[0] == UNLIMITED_STACK else f"{game.stacks[0]:,}"
    bets = joined(game.raise_sizes) if game.betting == "limit" else f"no-limit, from {game.smallest_bet}"
    raises = "any" if game.max_raises[0] == UNLIMITED_RAISES else joined(game.max_raises)
    cells = (
        f"`{name}`",
        game.players,
        f"{len(game.deck)} ({game.suits} × {game.ranks})",
        f"{game.hole_cards}, then {joined(game.board_cards)}",
        stack,
        joined(game.blinds),
        bets,
        raises,
    )
    return f"| {' | '.join(map(str, cells))} |"


def test_table_of_games_is_current():
    text = GAMES_PAGE.read_text(encoding="utf-8")
    assert table_of_games() in text, "run `python tests/test_docs.py` to write the table anew"


def write_generated() -> None:
    """Bring the help texts and the table of games up to date."""
    above = COMMAND_PAGE.read_text(encoding="utf-8").partition("## kibitz\n")[0]
    sections = [f"## kibitz {command}".rstrip() + f"\n\n```text\n{help_of(command)}```\n" for command in commands()]
    COMMAND_PAGE.write_text(above + "\n".join(sections), encoding="utf-8")
    text = GAMES_PAGE.read_text(encoding="utf-8")
    table = re.compile(r"^\| name .*\n(?:\|.*\n)+", re.MULTILINE)
    GAMES_PAGE.write_text(table.sub(lambda _: table_of_games(), text), encoding="utf-8")


def write_outputs(page: Path) -> int:
    """Put in what the page prints wherever it states something else; the number of changes."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, working_in(Path(folder)):
        wrong = [claim for claim in run_page(text, str(page)) if not claim.holds]
    for claim in reversed(wrong):
        text = text[: claim.start] + claim.got + text[claim.end :]
    page.write_text(text, encoding="utf-8")
    return len(wrong)


if __name__ == "__main__":
    write_generated()
    for docs_page in PAGES[1:]:
        print(f"{name_of(docs_page)}: {write_outputs(docs_page)} outputs written")
