"""Style statistics counted from the text of logs, without a line of Kibitz: what its counts must be equal to.

A hand is told as (names, blinds, [(player, kind, chips it adds)], net chips), and counted by the words of Sweeney 2012.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

LIMIT_SIZES = (10, 10, 20, 20)


def acpc_hands(path: Path, blinds, first, sizes=None):
    """The hands of an ACPC log; `first` is who acts first in round 0 and later, `sizes` those of limit raises."""
    for line in path.read_text().splitlines():
        if not line.startswith("STATE:"):
            continue
        _, _, betting, _, values, names = line.split(":")
        players = len(blinds)
        spent, folded, events = list(blinds), set(), []
        for number, text in enumerate(betting.split("/")):
            at = first[0] if number == 0 else first[1]
            for kind, size in re.findall(r"([fcr])(\d*)", text):
                while at % players in folded:
                    at += 1
                player = at % players
                top = max(spent)
                if kind == "r":
                    to = int(size) if size else top + sizes[number]
                else:
                    to = top if kind == "c" else spent[player]
                events.append((player, kind, to - spent[player]))
                spent[player] = to
                if kind == "f":
                    folded.add(player)
                at += 1
        yield names.split("|"), blinds, events, [float(value) for value in values.split("|")]


def phh_hands(texts):
    """The hands of PHH files of no-limit hold'em."""
    for text in texts:
        table = {
            key: ast.literal_eval(value)
            for key, _, value in (line.partition(" = ") for line in text.splitlines())
            if key in ("players", "blinds_or_straddles", "actions", "starting_stacks", "finishing_stacks")
        }
        blinds = table["blinds_or_straddles"]
        in_round, events = list(blinds), []
        for action in table["actions"]:
            who, kind, *rest = action.split()
            if who == "d":
                in_round = [0] * len(blinds) if kind == "db" else in_round
                continue
            player, top = int(who[1:]) - 1, max(in_round)
            if kind == "sm":
                continue
            to = {"f": in_round[player], "cc": top}.get(kind) if kind != "cbr" else int(rest[0])
            events.append((player, {"f": "f", "cc": "c", "cbr": "r"}[kind], to - in_round[player]))
            in_round[player] = to
        stacks = zip(table["starting_stacks"], table["finishing_stacks"], strict=True)
        net = [after - before for before, after in stacks]
        yield table["players"], blinds, events, net


def count_hands(hands):
    """The statistics of every player of `hands`, by name."""
    sums = defaultdict(lambda: defaultdict(float))
    for names, blinds, events, net in hands:
        gone = {player for player, kind, _ in events if kind == "f"}
        put = list(blinds)
        for player, _, chips in events:
            put[player] += chips
        alone = len(gone) == len(names) - 1
        uncalled = max(put) - sorted(put)[-2]
        for player, name in enumerate(names):
            own = [(kind, chips) for who, kind, chips in events if who == player]
            tally = sums[name]
            is_in = any(chips > 0 for _, chips in own)
            tally["hands"] += 1
            tally["vpip"] += is_in
            tally["fold"] += is_in and player in gone
            tally["won"] += is_in and alone and player not in gone
            tally["bets"] += sum(kind == "r" for kind, _ in own)
            tally["calls"] += sum(kind == "c" and chips > 0 for kind, chips in own)
            tally["net"] += net[player]
            tally["square"] += net[player] ** 2
            if not alone and player not in gone:
                tally["showdowns"] += 1
                returned = uncalled if put[player] == max(put) else 0
                tally["shares"] += (net[player] + put[player] - returned) / (sum(put) - uncalled)
    return {name: rates(tally) for name, tally in sums.items()}


def rates(tally):
    hands, own = tally["hands"], tally["vpip"]
    mean = tally["net"] / hands
    return {
        "hands": hands,
        "vpip": own / hands,
        "fold": tally["fold"] / own,
        "won_without_showdown": tally["won"] / own,
        "won_at_showdown": tally["shares"] / tally["showdowns"],
        "aggression": tally["bets"] / tally["calls"],
        "mean": mean,
        "sd": ((tally["square"] - hands * mean**2) / (hands - 1)) ** 0.5,
    }
