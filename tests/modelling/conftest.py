"""A log of a rule agent and the cases built from it, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.modelling.cases import Built, Description, build_cases
from modelling.expert_logs import play_log

EXPERT = "tight-aggressive"
QUICK = Description(strength="made-hand")


@pytest.fixture(scope="session")
def log(tmp_path_factory) -> Path:
    return play_log(tmp_path_factory.mktemp("logs") / "match.log", (EXPERT, "example-player"), 400)


@pytest.fixture(scope="session")
def built(log) -> Built:
    return build_cases([log], EXPERT, QUICK)
