"""The command line: each command is a thin shell around one library call, in a module of its own.

Commands are imported only when they run or are asked for help, so that `kibitz --help` and `kibitz equity` start
without waiting for a compiler.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import click

from kibitz import __version__
from kibitz.cli._errors import in_one_sentence, interrupts_kept, leave_unread
from kibitz.cli._groups import Entries, LazyGroup, group
from kibitz.cli._streams import check_streams, tell
from kibitz.compiling import tell_with

# Under each heading its commands: where one is (a module of this package, and its name there), or what a group consists
# of; and one line for the list.
HEADINGS: dict[str, Entries] = {
    "Play": {
        "play": ("play:play", "Play against agents at this terminal."),
        "web": ("web:web", "Play, watch, solve and explore in the browser."),
        "match": ("match:match", "Play a duplicate match between agents."),
        "tournament": ("match:tournament", "Play a round-robin and rank the agents."),
        "rank": ("rank:competition", "Rank the agents of a cross table, results or logs."),
    },
    "Solve": {
        "solve": ("solve:solve", "Compute an equilibrium of a game."),
        "spot": ("spot:solve_spot", "Solve a flop, turn or river of hold'em."),
        "show": ("show:show", "Print anything that Kibitz has made, and how it was made."),
        "size": ("games:size", "Count the tree of a game without building it."),
        "equity": ("equity:equity", "Compute the equity of hold'em hands and ranges."),
        "translate": ("translate:translate", "Show how off-tree bets are translated."),
        "games": ("games:games", "List the built-in games."),
    },
    "Train": {
        "train": (
            group(
                "Train agents: blueprints by solving, limit agents for 2 to 10 players from self-play or records\n"
                "(Sweeney 2012), rule-based styles by search. The folder of a run is an agent; player types are not:\n"
                "train an exploiter of them.",
                {
                    "blueprint": ("train:train", "Train a heads-up hold'em agent from scratch."),
                    "self-play": ("learn:self_play", "Train a limit agent by playing it against itself."),
                    "best-response": (
                        "learn_best_response:best_response",
                        "Train a best response to frozen opponents.",
                    ),
                    "exploiter": (
                        "learn_exploiter:exploiter",
                        "Train an agent to beat the players of a fitted model.",
                    ),
                    "opponent": ("learn_opponent:opponent", "Fit a model to recorded hands."),
                    "types": ("learn_opponent:types", "Fit player types to recorded matches."),
                    "small-game": (
                        "learn_small_game:small_game",
                        "Follow self-play in Kuhn, Leduc or U[0,1].",
                    ),
                    "style": ("train:style", "Search for the rule-based style that beats an opponent."),
                    "explain": ("learn:explain", "Show why a learned agent acts as it does."),
                },
            ),
            "Train agents: blueprint, self-play, exploiter, ...",
        ),
        "abstract": ("abstract:abstract", "Build card abstractions and learn bet sizes."),
    },
    "Measure and exploit": {
        "measure": (
            group(
                "Measure how exploitable an agent is.",
                {
                    "exploitability": (
                        "exploitability:exploit",
                        "Compute the exploitability of a strategy or agent.",
                    ),
                    "lbr": ("lbr:lbr", "Estimate a lower bound on an agent's exploitability."),
                    "rollouts": (
                        "rollout_error:rollout_error",
                        "Estimate what rollouts would improve in a policy.",
                    ),
                },
            ),
            "Measure how exploitable an agent is.",
        ),
        "exploit": ("exploit:respond", "Compute what beats an opponent, and how safely."),
        "adapt": ("adapt:portfolio", "Make agents that adapt to their opponent."),
        "imitate": ("imitate:cases", "Imitate an expert from its hand histories."),
    },
    "Hands": {
        "hands": (
            group(
                "Read hand histories: statistics, checks, conversion, luck, models of players.",
                {
                    "stats": ("stats:stats", "Print how players play: VP$IP, PFR, showdowns, aggression."),
                    "check": ("check:replay", "Check hand histories against the rules."),
                    "convert": ("convert:convert", "Convert hand histories to another format."),
                    "export": ("convert:hands", "Write hand histories to Parquet tables."),
                    "luck": ("luck:evaluate", "Estimate win rates with variance reduction (AIVAT)."),
                    "model": ("model:model", "Build models of players."),
                },
            ),
            "Statistics, checks, conversion, luck and models from hand histories.",
        ),
    },
    "Opponents": {
        "opponents": (
            group(
                "Make opponents to practise on, and group those that one response beats.",
                {
                    "pool": ("pool:pool", "Make pools of opponents."),
                    "population": (
                        "population:population",
                        "Make and play populations of limit hold'em bots.",
                    ),
                    "cluster": ("cluster:cluster", "Group opponents that one response beats."),
                },
            ),
            "Pools, populations and clusters of opponents.",
        ),
    },
    "Network": {
        "acpc": (
            group(
                "Play over TCP by the protocol of the Annual Computer Poker Competition.",
                {
                    "dealer": ("acpc:dealer", "Run a match for agents that connect over TCP."),
                    "connect": ("acpc:connect", "Play an agent on a dealer over TCP."),
                    "deal": ("acpc:deal", "Print the cards that a dealer seed gives."),
                },
            ),
            "Play over TCP by the protocol of the ACPC.",
        ),
    },
    "Papers": {
        "reproduce": ("reproduce:reproduce", "Recompute published tables and compare."),
        "sweep": ("sweep:sweep", "Carry out a command for many values of its settings."),
    },
}
COMMANDS: Entries = {name: entry for entries in HEADINGS.values() for name, entry in entries.items()}

# Names of the version before; they go with the next.
FORMER: dict[str, str] = {
    "competition": "rank",
    "solve-spot": "spot",
    "lbr": "measure lbr",
    "rollout-error": "measure rollouts",
    "respond": "exploit",
    "portfolio": "adapt",
    "cases": "imitate",
    "learn": "train",
    "stats": "hands stats",
    "replay": "hands check",
    "convert": "hands convert",
    "evaluate": "hands luck",
    "model": "hands model",
    "pool": "opponents pool",
    "population": "opponents population",
    "cluster": "opponents cluster",
    "dealer": "acpc dealer",
    "connect": "acpc connect",
    "deal": "acpc deal",
}
# Words after a name that means something else now, and the command that is meant.
MEANT: dict[str, dict[str, str]] = {
    "train": dict.fromkeys(("quick", "standard", "big"), "train blueprint"),
    "exploit": dict.fromkeys(("--real", "--flops"), "measure exploitability"),
}

CONTEXT = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "token_normalize_func": str.lower,  # papers write CFR+
}


class _Program(LazyGroup):
    """The commands under their headings, and those of the version before."""

    former = FORMER

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, entries in HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, line) for name, (_where, line) in entries.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word, *rest = args
        for sign, meant in MEANT.get(word, {}).items():
            if sign in (rest if sign.startswith("-") else rest[:1]):
                ctx.fail(f"{word!r} means something else now. Did you mean kibitz {meant}?")
        if word == "hands" and rest and not rest[0].startswith("-") and rest[0] not in self.entries_of("hands"):
            ctx.fail("'hands' is a group now. Did you mean kibitz hands export?")
        if word in FORMER and not ctx.resilient_parsing:
            now = FORMER[word].split()
            tell(f"Note: `kibitz {word}` is now `kibitz {FORMER[word]}`; the old name goes with the next version.")
            return super().resolve_command(ctx, [*now, *rest])
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        before = set(threading.enumerate())
        try:
            tell_with(tell)
            with interrupts_kept():
                return super().main(*args, **extra)
        except SystemExit as ending:
            if "kibitz.agents" in sys.modules:
                from kibitz.cli._guests import dismiss

                dismiss(ending, before)
            raise
        except BrokenPipeError:  # while an error was told
            sys.exit(leave_unread())

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with in_one_sentence():
            check_streams()
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with in_one_sentence():
            return super().invoke(ctx)


@click.group(cls=_Program, entries=COMMANDS, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="kibitz")
def main() -> None:
    """Kibitz: a laboratory for computer poker.

    GAME is a built-in name (kuhn, leduc, holdem-nolimit-2p, ...) or the path of an ACPC game definition.
    """
