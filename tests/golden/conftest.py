"""The option with which sums are recorded."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-sums", action="store_true", help="record the sums of small fits on this machine")
