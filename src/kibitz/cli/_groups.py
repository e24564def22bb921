"""Groups of commands that are imported when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

Entries = Mapping[
    str, tuple[Any, str]
]  # name -> (module:name within kibitz.cli, or a `Contents`; one line for the list)


class Contents:
    """What a group consists of."""

    def __init__(self, help: str, entries: Entries) -> None:
        self.help, self.entries = help, entries


def group(help: str, entries: Entries) -> Contents:
    """A group with its help and its commands."""
    return Contents(help, entries)


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports each one when it is used."""

    former: Mapping[str, str] = {}  # names that commands had, and what they are called now

    def __init__(self, *args: Any, entries: Entries, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.entries = entries

    def entries_of(self, name: str) -> Entries:
        """The commands of a group within this one."""
        contents = self.entries[name][0]
        assert isinstance(contents, Contents)
        return contents.entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.entries:
            return None
        where, _line = self.entries[cmd_name]
        if isinstance(where, Contents):
            return LazyGroup(cmd_name, entries=where.entries, help=where.help, short_help=_line)
        module, _colon, attribute = where.partition(":")
        command: click.Command = getattr(import_module(f"kibitz.cli.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_where, line) in self.entries.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in self.entries:
            known = {name: name for name in self.entries} | dict(self.former)
            parts = [name for name in known if word in name] if len(word) > 2 else []
            if near := sorted(parts, key=len) or get_close_matches(word, known, n=1):
                ctx.fail(f"No such command {word!r}. Did you mean {known[near[0]]}?")
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, rest
