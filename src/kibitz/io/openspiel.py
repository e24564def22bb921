"""OpenSpiel's names for our things: policies of Kuhn and Leduc both ways, game strings for `universal_poker`.

A policy is a plain dictionary, information state string -> {action: probability}; the package itself is not needed.
OpenSpiel keeps the suits of Leduc apart (936 information sets), card = 2 * rank + suit. A strategy whose suits are
merged is written out for all of them; a policy is read into merged suits only where it treats them alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np

from kibitz.cards import RANKS, SUITS
from kibitz.deals import MatrixDeal
from kibitz.errors import FormatError
from kibitz.games import Game, split_actions
from kibitz.games.game import UNLIMITED_RAISES
from kibitz.games.named import kuhn, leduc
from kibitz.strategy import Layout, Strategy
from kibitz.tree import Tree

Policy = dict[str, dict[int, float]]
Cards = tuple[int, ...]  # as OpenSpiel numbers them: the hole card, then the board

LEDUC_STACK = 100  # what OpenSpiel's Leduc gives each player to start with; it is only ever printed
ABSTRACTIONS = ("fullgame", "fc", "fcpa", "fchpa")
_CLOSE = 1e-9  # how far apart the probabilities of suits that are merged may lie


@dataclass(frozen=True)
class _Dialect:
    """How OpenSpiel writes the information states and the actions of one game."""

    game: Game
    key: Callable[[Tree, int, Cards], str]
    action: Callable[[str, bool], int]  # (our action, whether a bet is faced) -> its number


def _kuhn_action(action: str, facing_bet: bool) -> int:
    """0 to pass, 1 to bet; calling is betting, folding is passing."""
    return int(action == "r" or (action == "c" and facing_bet))


def _kuhn_key(tree: Tree, node: int, cards: Cards) -> str:
    """Such as "0pb": the card, then every action."""
    return str(cards[0]) + "".join("pb"[_kuhn_action(*step)] for step in _steps(tree.history(node)))


def _leduc_action(action: str, facing_bet: bool) -> int:
    return "fcr".index(action)


def _leduc_key(tree: Tree, node: int, cards: Cards) -> str:
    player, spent = int(tree.player[node]), [int(chips) for chips in tree.spent[node]]
    money = " ".join(str(LEDUC_STACK - chips) for chips in spent)
    rounds = [" ".join(str("fcr".index(action)) for action in part) for part in tree.history(node).split("/")]
    return (
        f"[Observer: {player}][Private: {cards[0]}][Round {len(rounds)}][Player: {player}][Pot: {sum(spent)}]"
        f"[Money: {money}]{f'[Public: {cards[1]}]' if len(cards) > 1 else ''}"
        f"[Round1: {rounds[0]}][Round2: {rounds[1] if len(rounds) > 1 else ''}]"
    )


DIALECTS: dict[str, _Dialect] = {
    "kuhn_poker": _Dialect(kuhn(), _kuhn_key, _kuhn_action),
    "leduc_poker": _Dialect(leduc(), _leduc_key, _leduc_action),
}


def openspiel_name(game: Game) -> str:
    """What OpenSpiel calls a game whose policies can be exchanged; an error for others."""
    for name, dialect in DIALECTS.items():
        if replace(game, name=dialect.game.name, deck_ranks=dialect.game.deck_ranks) == dialect.game:
            return name
    raise FormatError(f"{game.name or 'this game'}: policies of {', '.join(DIALECTS)} can be exchanged with OpenSpiel")


def to_openspiel(strategy: Strategy, deal: MatrixDeal) -> Policy:
    """`strategy` as OpenSpiel writes it: information state string -> {action: probability}, for all its states."""
    tree = strategy.layout.tree
    strategy.layout.check_same(Layout(tree, deal.counts, deal.fingerprint))
    policy: Policy = {}
    for node, state, keys, actions in _information_sets(tree, deal):
        probabilities = strategy.at(node)[:, state].tolist()
        for key in keys:
            policy[key] = dict(zip(actions, probabilities, strict=True))
    return policy


def from_openspiel(
    policy: Mapping[str, Mapping[int, float] | Iterable[tuple[int, float]]], tree: Tree, deal: MatrixDeal
) -> Strategy:
    """The strategy of an OpenSpiel policy; probabilities of actions it does not list are 0.

    policy   also as `pyspiel.TabularPolicy.policy_table()` gives it, with a list of pairs for each information state
    """
    layout = Layout(tree, deal.counts, deal.fingerprint)
    values = np.empty(layout.size)
    strategy = Strategy(layout, values, {"algorithm": "read from OpenSpiel"})
    for node, state, keys, actions in _information_sets(tree, deal):
        rows = [_probabilities(policy, key, actions) for key in keys]
        if np.ptp(rows, axis=0).max() > _CLOSE:
            raise FormatError(
                f"{keys[0]!r} and {keys[-1]!r} differ in suits alone, but the policy plays them differently: "
                "read it with a deal that keeps suits apart"
            )
        strategy.at(node)[:, state] = np.mean(rows, axis=0)
    return strategy


def _probabilities(
    policy: Mapping[str, Mapping[int, float] | Iterable[tuple[int, float]]], key: str, actions: list[int]
) -> list[float]:
    if key not in policy:
        raise FormatError(f"the policy has nothing for {key!r}: it needs every information state of the game")
    given = dict(policy[key])
    probabilities = [float(given.pop(action, 0.0)) for action in actions]
    if any(given.values()) or min(probabilities) < 0 or abs(sum(probabilities) - 1) > 1e-6:
        raise FormatError(
            f"{dict(policy[key])} for {key!r}: probabilities of the actions {', '.join(map(str, actions))} add up to 1"
        )
    return probabilities


def _information_sets(tree: Tree, deal: MatrixDeal) -> Iterator[tuple[int, int, list[str], list[int]]]:
    """(node, state, the strings OpenSpiel has for it, the numbers of its actions), for every information set."""
    dialect = DIALECTS[openspiel_name(tree.game)]
    for node in map(int, tree.decisions):
        player = int(tree.player[node])
        facing_bet = bool(tree.spent[node, player] < tree.spent[node].max())
        actions = [dialect.action(text, facing_bet) for text in tree.offered(node)]
        for state, label in enumerate(deal.rounds[tree.round[node]].labels[player]):
            yield node, state, [dialect.key(tree, node, cards) for cards in _cards(tree.game, label)], actions


def _cards(game: Game, label: str) -> Iterator[Cards]:
    """All cards that the state of that label stands for, numbered rank by rank."""
    choices = []
    lowest = min(game.deck)
    for part in label.split("|"):
        rank = game.suits * (RANKS.index(part[0]) - (lowest >> 2))
        suits = [SUITS.index(part[1]) - (lowest & 3)] if len(part) > 1 else range(game.suits)
        choices.append([rank + suit for suit in suits])
    return (cards for cards in product(*choices) if len(set(cards)) == len(cards))


def _steps(history: str) -> Iterator[tuple[str, bool]]:
    """The actions of a history, each with whether it answers a bet."""
    facing_bet = False
    for action in split_actions(history):
        yield action, facing_bet
        facing_bet = action == "r"


def tabular_policy(policy: Policy) -> Any:
    """The policy as a `pyspiel.TabularPolicy`, which OpenSpiel's own algorithms take; needs the package."""
    pyspiel = import_module("pyspiel")
    return pyspiel.TabularPolicy({key: list(actions.items()) for key, actions in policy.items()})


def game_string(game: Game, betting_abstraction: str | None = None) -> str:
    """What `pyspiel.load_game` takes to load `game`.

    betting_abstraction   OpenSpiel's own menus for no-limit games: "fullgame" (the default), "fc", "fcpa" or "fchpa"
    """
    if game.betting == "limit":
        betting_abstraction = "fcpa"  # its "pot" is the limit raise; in a limit game "fullgame" offers no raise at all
    betting_abstraction = betting_abstraction or "fullgame"
    if betting_abstraction not in ABSTRACTIONS:
        raise FormatError(f"betting abstraction {betting_abstraction!r}: OpenSpiel has {', '.join(ABSTRACTIONS)}")
    _refuse_unsayable(game)
    limited = any(count < UNLIMITED_RAISES for count in game.max_raises)
    fields: dict[str, object] = {
        "betting": game.betting,
        "numPlayers": game.players,
        "numRounds": game.rounds,
        "blind": _spaced(game.blinds),
        "firstPlayer": _spaced(player + 1 for player in game.first_players),
        "numSuits": game.suits,
        "numRanks": game.ranks,
        "numHoleCards": game.hole_cards,
        "numBoardCards": _spaced(game.board_cards),
        **({"raiseSize": _spaced(game.raise_sizes)} if game.betting == "limit" else {"stack": _spaced(game.stacks)}),
        **({"maxRaises": _spaced(game.max_raises)} if limited else {}),
        "bettingAbstraction": betting_abstraction,
    }
    return f"universal_poker({','.join(f'{name}={value}' for name, value in fields.items())})"


def _spaced(numbers: Iterable[int]) -> str:
    """A list of numbers; the blank behind a single one keeps it from being taken for a number, which is an error."""
    text = " ".join(map(str, numbers))
    return text if " " in text else f"{text} "


def _refuse_unsayable(game: Game) -> None:
    """`universal_poker` has the ACPC's rules and no others."""
    unsayable = {
        "antes": any(game.antes),
        "players who may not bet": not all(game.bettors),
        "players who do not see their cards": not all(game.sighted),
        "table rules other than the ACPC's": game.rules != "acpc",
        f"a {game.hand_ranking} ranking": game.hand_ranking != "standard",
        "rules of its own for caps and folds": game.has_table_rules,
        f"a smallest bet of {game.min_bet}": game.min_bet not in (None, max(1, *game.blinds)),
    }
    for what, there in unsayable.items():
        if there:
            raise FormatError(f"{game.name or 'the game'} has {what}, which universal_poker cannot express")
