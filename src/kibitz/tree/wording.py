"""The actions of a betting tree as players say them."""

from __future__ import annotations

from kibitz.tree.build import Tree


def action_words(tree: Tree, node: int, action: str) -> str:
    """An action at a node, in chips of its round: those that a bet puts in, or that are in after a raise.

    >>> from kibitz.games import load_game
    >>> from kibitz.tree import build_tree
    >>> tree = build_tree(load_game("holdem-nolimit-2p"), "pot")
    >>> [action_words(tree, tree.find(history), action) for history, action in (("", "r300"), ("r300c/", "r900"))]
    ['raise to 300', 'bet 600']
    """
    player, spent = int(tree.player[node]), tree.spent[node]
    most = int(spent.max())
    if action == "f":
        return "fold"
    if action == "c":
        facing = most - int(spent[player])
        return f"call {facing:,}" if facing else "check"
    first = node
    while first > 0 and tree.round[tree.parent[first]] == tree.round[node]:
        first = int(tree.parent[first])
    blinds = tree.game.blinds
    # Blinds that are the same for all are antes; others are the first bet of their round.
    before = int(tree.spent[first].max()) if tree.round[node] > 0 or len(set(blinds)) == 1 else 0
    chips = int(tree.spent[tree.child(node, action), player])
    verb = "all-in" if chips >= tree.game.limits[player] else "raise to" if most > before else "bet"
    return f"{verb} {chips - before:,}"
