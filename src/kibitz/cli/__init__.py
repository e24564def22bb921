"""The command line: each command is a thin shell around one library call, in a module of its own.

Commands are imported only when they run or are asked for help, so that `kibitz --help` and `kibitz replay` start
without waiting for a compiler.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from kibitz import __version__
from kibitz.cli._errors import in_one_sentence, interrupts_kept, leave_unread
from kibitz.cli._guests import without_guests
from kibitz.cli._streams import check_streams, tell
from kibitz.compiling import tell_with

# Command -> (module, one line for the list of commands).
COMMANDS: dict[str, tuple[str, str]] = {
    "deal": ("kibitz.cli.deal", "Print the cards that a dealer seed gives."),
    "equity": ("kibitz.cli.equity", "Compute the equity of hold'em hands and ranges."),
    "size": ("kibitz.cli.size", "Count the tree of a game without building it."),
    "replay": ("kibitz.cli.replay", "Check hand histories against the rules."),
    "convert": ("kibitz.cli.convert", "Convert hand histories to another format."),
    "hands": ("kibitz.cli.hands", "Write hand histories to Parquet tables."),
    "solve": ("kibitz.cli.solve", "Compute an equilibrium of a game."),
    "abstract": ("kibitz.cli.abstract", "Build card abstractions and learn bet sizes."),
    "train": ("kibitz.cli.train", "Train hold'em agents from scratch."),
    "learn": ("kibitz.cli.learn", "Train limit agents from self-play or recorded hands."),
    "exploit": ("kibitz.cli.exploit", "Compute the exploitability of a strategy or agent."),
    "respond": ("kibitz.cli.respond", "Compute what beats an opponent, and how safely."),
    "lbr": ("kibitz.cli.lbr", "Estimate a lower bound on an agent's exploitability."),
    "solve-spot": ("kibitz.cli.solve_spot", "Solve a flop, turn or river of hold'em."),
    "cases": ("kibitz.cli.cases", "Imitate an expert from its hand histories."),
    "model": ("kibitz.cli.model", "Build models of players from their hand histories."),
    "cluster": ("kibitz.cli.cluster", "Group opponents that one response beats."),
    "pool": ("kibitz.cli.pool", "Make pools of opponents to practise on."),
    "population": ("kibitz.cli.population", "Make and play populations of limit hold'em bots."),
    "portfolio": ("kibitz.cli.portfolio", "Make agents that adapt to their opponent."),
    "translate": ("kibitz.cli.translate", "Show how off-tree bets are translated."),
    "style": ("kibitz.cli.style", "Search for the rule-based style that beats an opponent."),
    "sweep": ("kibitz.cli.sweep", "Carry out a command for many values of its settings."),
    "show": ("kibitz.cli.show", "Print a saved strategy at one decision."),
    "reproduce": ("kibitz.cli.reproduce", "Recompute published tables and compare."),
    "match": ("kibitz.cli.match", "Play a duplicate match between agents."),
    "tournament": ("kibitz.cli.tournament", "Play a round-robin and rank the agents."),
    "competition": ("kibitz.cli.competition", "Rank the agents of a cross table, a tournament or logs."),
    "rollout-error": ("kibitz.cli.rollout_error", "Estimate what rollouts would improve in a policy."),
    "stats": ("kibitz.cli.stats", "Print how players play: VP$IP, folds, showdowns, aggression."),
    "evaluate": ("kibitz.cli.evaluate", "Estimate win rates from logs with variance reduction (AIVAT)."),
    "dealer": ("kibitz.cli.dealer", "Run an ACPC match for agents that connect over TCP."),
    "connect": ("kibitz.cli.connect", "Play an agent on an ACPC dealer over TCP."),
    "play": ("kibitz.cli.play", "Play against agents at this terminal."),
    "web": ("kibitz.cli.web", "Play, watch, solve and explore in the browser."),
}


CONTEXT = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "token_normalize_func": str.lower,  # papers write CFR+
}


class _LazyGroup(click.Group):
    """A group that knows its commands by name and imports each one when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_module, line) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in COMMANDS:
            parts = [name for name in COMMANDS if word in name] if len(word) > 2 else []
            if near := sorted(parts, key=len) or get_close_matches(word, COMMANDS, n=1):
                ctx.fail(f"No such command {word!r}. Did you mean {near[0]}?")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            tell_with(tell)
            with without_guests(), interrupts_kept():
                return super().main(*args, **extra)
        except BrokenPipeError:  # while an error was told
            sys.exit(leave_unread())

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with in_one_sentence():
            check_streams()
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with in_one_sentence():
            return super().invoke(ctx)


@click.group(cls=_LazyGroup, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="kibitz")
def main() -> None:
    """Kibitz: a laboratory for computer poker.

    GAME is a built-in name (kuhn, leduc, holdem-nolimit-2p, ...) or the path of an ACPC game definition.
    """
