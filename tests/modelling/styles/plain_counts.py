"""Style statistics counted from the text of logs, without a line of Kibitz: what its counts must be equal to.

A hand is told as (names, blinds, stack, [(player, kind, chips it adds, street)], net chips). Rates with at most one
chance per hand are counted slowly, looking back from every decision over all that came before.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from math import inf, nan
from pathlib import Path

LIMIT_SIZES = (10, 10, 20, 20)
CAPS = (3, 4, 4, 4)  # raises per street of limit games
POSITIONS = {2: ("BB", "BTN"), 3: ("SB", "BB", "BTN"), 6: ("SB", "BB", "UTG", "HJ", "CO", "BTN")}


def acpc_hands(path: Path, blinds, first, sizes=None, stack=20_000):
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
                events.append((player, kind, to - spent[player], number))
                spent[player] = to
                if kind == "f":
                    folded.add(player)
                at += 1
        yield names.split("|"), blinds, 10**9 if sizes else stack, events, [float(value) for value in values.split("|")]


def phh_hands(texts):
    """The hands of PHH files of no-limit hold'em with equal stacks."""
    for text in texts:
        table = {
            key: ast.literal_eval(value)
            for key, _, value in (line.partition(" = ") for line in text.splitlines())
            if key in ("players", "blinds_or_straddles", "actions", "starting_stacks", "finishing_stacks")
        }
        blinds = table["blinds_or_straddles"]
        in_round, events, street = list(blinds), [], 0
        for action in table["actions"]:
            who, kind, *rest = action.split()
            if who == "d":
                if kind == "db":
                    in_round, street = [0] * len(blinds), street + 1
                continue
            player, top = int(who[1:]) - 1, max(in_round)
            if kind == "sm":
                continue
            to = {"f": in_round[player], "cc": top}.get(kind) if kind != "cbr" else int(rest[0])
            events.append((player, {"f": "f", "cc": "c", "cbr": "r"}[kind], to - in_round[player], street))
            in_round[player] = to
        stacks = zip(table["starting_stacks"], table["finishing_stacks"], strict=True)
        (stack,) = set(table["starting_stacks"])
        yield table["players"], blinds, stack, events, [after - before for before, after in stacks]


def count_hands(hands, by_position=False, limit=False):
    """The statistics of every player of `hands`, by name, or by name and position."""
    sums = defaultdict(lambda: defaultdict(float))
    for names, blinds, stack, events, net in hands:
        gone = {player for player, kind, *_ in events if kind == "f"}
        put = list(blinds)
        for player, _, chips, _ in events:
            put[player] += chips
        alone = len(gone) == len(names) - 1
        uncalled = max(put) - sorted(put)[-2]
        moves = first_streets(blinds, stack, events, CAPS if limit else (255,) * 4)
        for player, name in enumerate(names):
            own = [(kind, chips) for who, kind, chips, _ in events if who == player]
            tally = sums[(name, POSITIONS[len(names)][player]) if by_position else name]
            is_in = any(chips > 0 for _, chips in own)
            tally["hands"] += 1
            tally["vpip"] += is_in
            tally["fold"] += is_in and player in gone
            tally["won"] += is_in and alone and player not in gone
            bets = sum(kind == "r" for kind, _ in own)
            decisions = sum(kind != "c" or chips > 0 for kind, chips in own)
            tally["bets"] += bets
            tally["calls"] += sum(kind == "c" and chips > 0 for kind, chips in own)
            tally["decisions"] += decisions
            tally["xx"], tally["xy"] = tally["xx"] + bets**2, tally["xy"] + bets * decisions
            tally["yy"] += decisions**2
            tally["net"] += net[player]
            tally["square"] += net[player] ** 2
            for rate, made in moves[player]:
                tally[rate, "given"] += 1
                tally[rate, "taken"] += made
            if not alone and player not in gone:
                tally["showdowns"] += 1
                returned = uncalled if put[player] == max(put) else 0
                tally["shares"] += (net[player] + put[player] - returned) / (sum(put) - uncalled)
    return {name: rates(tally) for name, tally in sums.items()}


def first_streets(blinds, stack, events, caps):
    """What each player could do before and on the flop, as (rate, whether it was done), and who saw a showdown."""
    players = range(len(blinds))
    moves = [[("pfr", any(event[0] == each and event[1::2] == ("r", 0) for event in events))] for each in players]
    for now, (player, kind, _, street) in enumerate(events):
        past = events[:now]
        raisers = [who for who, what, _, when in past if (what, when) == ("r", street)]
        openers = [who for who, what, _, when in past if (what, when) == ("r", 0)]
        put = [blinds[each] + sum(chips for who, _, chips, _ in past if who == each) for each in players]
        out = {who for who, what, *_ in past if what == "f"}
        others_can = any(stack > put[each] for each in players if each != player and each not in out)
        can_raise = len(raisers) < caps[street] and stack > max(put) and others_can
        if street == 0 and len(raisers) == 1 and can_raise:
            moves[player].append(("three_bet", kind == "r"))
        if street == 0 and len(raisers) == 2 and raisers[0] == player:
            moves[player].append(("fold_to_three_bet", kind == "f"))
        if street == 1 and not raisers and openers[-1:] == [player] and can_raise:
            moves[player].append(("continuation_bet", kind == "r"))
        if street == 1 and len(raisers) == 1 and openers[-1:] == raisers:
            moves[player].append(("fold_to_continuation_bet", kind == "f"))
    early = {who for who, what, _, when in events if (what, when) == ("f", 0)}
    gone = {who for who, what, *_ in events if what == "f"}
    for each in players:
        if each not in early and len(early) < len(players) - 1:
            moves[each].append(("went_to_showdown", each not in gone and len(gone) < len(players) - 1))
    return moves


MOVES = ("pfr", "three_bet", "fold_to_three_bet", "continuation_bet", "fold_to_continuation_bet", "went_to_showdown")


def part(of, whole):
    return of / whole if whole else nan


def rates(tally):
    hands, own, bets, decisions = tally["hands"], tally["vpip"], tally["bets"], tally["decisions"]
    mean = tally["net"] / hands
    ratio = part(bets, decisions)
    spread = part(abs(tally["xx"] - 2 * ratio * tally["xy"] + ratio**2 * tally["yy"]) ** 0.5, decisions)
    return {
        "hands": hands,
        "vpip": own / hands,
        "fold": part(tally["fold"], own),
        "won_without_showdown": part(tally["won"], own),
        "won_at_showdown": part(tally["shares"], tally["showdowns"]),
        "aggression": inf if bets and not tally["calls"] else part(bets, tally["calls"]),
        "mean": mean,
        "sd": ((tally["square"] - hands * mean**2) / (hands - 1)) ** 0.5,
        "exact": {
            "vpip": (own, hands),
            "fold": (tally["fold"], own),
            "won_without_showdown": (tally["won"], own),
            "aggression_frequency": (bets, decisions),
            **{rate: (tally[rate, "taken"], tally[rate, "given"]) for rate in MOVES},
        },
        "spread": spread,
    }
