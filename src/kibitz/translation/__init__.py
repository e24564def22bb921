"""Reading bets that are not on the menu: mappings, whole hands, and the way back."""

from kibitz.translation.bets import Reading, blurred, blurred_sizes, pot_fraction, raise_to, write
from kibitz.translation.lifting import lift_translated
from kibitz.translation.mappings import MAPPINGS, TranslationError, find_mapping, probabilities, translate
from kibitz.translation.places import MenuPlace, Place, TreePlace, menu_places
from kibitz.translation.tracker import Follower, Reader, Tracker

__all__ = [
    "MAPPINGS",
    "Follower",
    "MenuPlace",
    "Place",
    "Reader",
    "Reading",
    "Tracker",
    "TranslationError",
    "TreePlace",
    "blurred",
    "blurred_sizes",
    "find_mapping",
    "lift_translated",
    "menu_places",
    "pot_fraction",
    "probabilities",
    "raise_to",
    "translate",
    "write",
]
