"""Card abstractions of hold'em: features of hands, and buckets.

>>> abstraction = load_abstraction("one-bucket")  # doctest: +SKIP
>>> abstraction.bucket((51, 50), ())  # doctest: +SKIP
0
"""

from kibitz.abstraction.build import build_abstraction
from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.cache import cache_folder
from kibitz.abstraction.files import load_abstraction, read_abstraction, save_abstraction
from kibitz.abstraction.notation import Notation, parse_notation

__all__ = [
    "CardAbstraction",
    "Notation",
    "build_abstraction",
    "cache_folder",
    "load_abstraction",
    "parse_notation",
    "read_abstraction",
    "save_abstraction",
]
