from __future__ import annotations

import pytest

from learning.dealing import Table


@pytest.fixture
def bench():
    return Table
