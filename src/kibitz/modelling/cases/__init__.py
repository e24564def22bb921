"""Case-based imitation of an expert from its hand histories (Rubin and Watson 2011, SartreNL)."""

from kibitz.modelling.cases.base import CaseBase
from kibitz.modelling.cases.betting import LIMIT, SARTRE, Alphabet, find_alphabet
from kibitz.modelling.cases.build import Built, build_cases
from kibitz.modelling.cases.features import FEATURES, Description, Features, texture
from kibitz.modelling.cases.files import load_cases, save_cases
from kibitz.modelling.cases.policy import CasePolicy
from kibitz.modelling.cases.retrieval import Case, CaseIndex, Retrieved, Solution
from kibitz.modelling.cases.reuse import POLICIES, Reuse, find_policy
from kibitz.modelling.cases.similarity import Similarity
from kibitz.modelling.cases.strength import Strength, load_strength

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
    "CasePolicy",
    "Description",
    "Features",
    "Retrieved",
    "Reuse",
    "Similarity",
    "Solution",
    "Strength",
    "build_cases",
    "find_alphabet",
    "find_policy",
    "load_cases",
    "load_strength",
    "save_cases",
    "texture",
]
