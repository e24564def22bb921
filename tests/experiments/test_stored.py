"""What comes with the package is shown as it is: nothing is computed anew because a setting has changed since."""

import pytest

from kibitz.experiments import find_experiments
from kibitz.experiments.ledger import Ledger
from kibitz.experiments.published import Effort, compute

SWEENEY = ("table-5.1", "figure-5.1", "table-5.2", "statements", "table-6.2", "table-6.3", "table-6.4", "figure-6.4",
           "figure-6.6", "figure-6.7", "figure-6.7-power", "chapter-6-statements")  # fmt: skip


@pytest.fixture
def closed(monkeypatch):
    """Ledgers refuse to compute."""

    def get(ledger, name, _):
        assert name in ledger.found, f"{name} is not stored for these settings"
        return ledger.found[name]

    def has(ledger, names):
        assert set(names) <= set(ledger.found), f"{names} are not stored for these settings"
        return True

    monkeypatch.setattr(Ledger, "get", get)
    monkeypatch.setattr(Ledger, "has", has)


@pytest.mark.parametrize("preset", ["short", "full"])
@pytest.mark.parametrize("table", SWEENEY)
def test_stored_results_of_sweeney_are_shown(table, preset, closed):
    (experiment,) = find_experiments("sweeney2012", (table,)).values()
    assert len(list(compute(experiment.at(Effort(preset))))) > 1
