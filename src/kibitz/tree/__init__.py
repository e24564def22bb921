"""Betting trees: rules and bet-size menus compiled to flat arrays."""

from kibitz.tree.build import DECISION, FOLD, SHOWDOWN, Tree, build_tree
from kibitz.tree.menus import MENUS, Menu, parse_menu

__all__ = ["DECISION", "FOLD", "MENUS", "SHOWDOWN", "Menu", "Tree", "build_tree", "parse_menu"]
