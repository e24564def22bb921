"""Case-based imitation of an expert from its hand histories (Rubin and Watson 2011, SartreNL)."""

from kibitz.modelling.cases.alphabet import LIMIT, SARTRE, Alphabet, find_alphabet
from kibitz.modelling.cases.base import CaseBase
from kibitz.modelling.cases.build import Built, build_cases
from kibitz.modelling.cases.features import FEATURES, Description, Features
from kibitz.modelling.cases.files import is_case_base, load_cases, save_cases
from kibitz.modelling.cases.retrieval import Case, CaseIndex, Retrieved, Solution
from kibitz.modelling.cases.reuse import POLICIES, find_policy
from kibitz.modelling.cases.similarity import Similarity
from kibitz.modelling.cases.strength import Strength, load_strength
from kibitz.modelling.cases.texture import texture

__all__ = [
    "FEATURES",
    "LIMIT",
    "POLICIES",
    "SARTRE",
    "Alphabet",
    "Built",
    "Case",
    "CaseBase",
    "CaseIndex",
    "Description",
    "Features",
    "Retrieved",
    "Similarity",
    "Solution",
    "Strength",
    "build_cases",
    "find_alphabet",
    "find_policy",
    "is_case_base",
    "load_cases",
    "load_strength",
    "save_cases",
    "texture",
]
