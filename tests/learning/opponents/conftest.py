from __future__ import annotations

import numpy as np
import pytest

from kibitz.learning import Model, Structure, TableRules
from learning.opponents.recording import record_hands


def playing_model(seed=1, structure=None):
    """A model whose cards matter."""
    model = Model.random(structure or Structure(), seed, 0.4)
    noise = np.random.default_rng(seed)
    model.weights.initial[:] = noise.dirichlet(np.full(8, 4.0))
    model.weights.values[:] *= 5
    model.weights.cards[:] *= 4
    model.weights.costs[:] = 0.8
    return model


@pytest.fixture(scope="module")
def model():
    return playing_model()


@pytest.fixture(scope="module")
def hands(model):
    return record_hands(model, 3, 10, 30, seed=2, rules=TableRules(decision_cap=20))
