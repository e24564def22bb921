"""Betting trees: rules and bet-size menus compiled to flat arrays."""

from kibitz.tree.build import Tree, action_words, build_tree
from kibitz.tree.columns import DECISION, FOLD, SHOWDOWN
from kibitz.tree.menus import MENUS, Menu, parse_menu
from kibitz.tree.size import SizeReport, check_fits, size_report

__all__ = [
    "DECISION",
    "FOLD",
    "MENUS",
    "SHOWDOWN",
    "Menu",
    "SizeReport",
    "Tree",
    "action_words",
    "build_tree",
    "check_fits",
    "parse_menu",
    "size_report",
]
