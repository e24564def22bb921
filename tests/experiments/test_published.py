"""Verdicts, order and documents of tables computed again."""

from math import isnan, nan

import pytest

from kibitz.errors import KibitzError
from kibitz.experiments import PAPERS, find_experiments, load_paper
from kibitz.experiments.published import TIE_RULE, Experiment, Found, PublishedTable, compute, gather

TABLE = PublishedTable("Table 0: a table", "n", ("1", "2"), {"A": (0.5, 1.0), "B": (2.0, 3.0)}, 0.01, 2)


def reproduce(found):
    experiment = Experiment(TABLE, lambda: iter(found))
    return gather("paper", "table-0", experiment, compute(experiment))


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Found(0.51), "reproduced"),
        (Found(0.49, 0.1, 0.2), "reproduced"),
        (Found(0.52), "differs"),
        (Found(0.7, 0.4, 0.8), "in range"),
        (Found(0.7, 0.4, 0.8, TIE_RULE), "tie rule"),
        (Found(0.7, 0.6, 0.8), "differs"),
    ],
)
def test_verdict(found, verdict):
    (row,) = reproduce([("A", "1", found)]).rows["A"]
    assert row.verdict == verdict
    assert (row.printed, row.ours) == (0.5, found.ours)


def test_cells_come_in_the_order_of_the_print_whatever_order_they_were_computed_in():
    found = [("B", "2", Found(3)), ("A", "2", Found(9, reason="why")), ("B", "1", Found(2)), ("A", "1", Found(0.5))]
    result = reproduce(found)
    assert {row: [cell.column for cell in cells] for row, cells in result.rows.items()} == {
        "A": ["1", "2"],
        "B": ["1", "2"],
    }
    assert result.counts == {"reproduced": 3, "differs": 1}
    assert result.reasons == {"why": ["A 2"]}


def test_a_reproduced_cell_has_no_reason():
    assert reproduce([("A", "1", Found(0.5, reason="why"))]).reasons == {}


def test_a_declared_table_is_not_run():
    experiment = Experiment(TABLE, None)
    result = gather("paper", "table-0", experiment, compute(experiment))
    assert result.counts == {"not run": 4}
    assert [cell.printed for cell in result.rows["B"]] == [2.0, 3.0]
    assert isnan(result.rows["A"][0].ours)


def test_document():
    document = reproduce([("A", "1", Found(0.5, 0.4, nan))]).to_dict()
    assert document["table"] == "table-0"
    assert set(document["rows"]["A"][0]) == {"column", "printed", "ours", "low", "high", "verdict", "reason"}


def test_unknown_names_are_refused_with_what_there_is():
    with pytest.raises(KibitzError, match=r"no paper 'ganzfried': there are ganzfried2013, hawkin2014"):
        load_paper("ganzfried")
    with pytest.raises(KibitzError, match=r"no table 'table-9' of ganzfried2013: there are table-1, .*figure-2"):
        find_experiments("ganzfried2013", ("table-9",))


@pytest.mark.parametrize("paper", PAPERS)
def test_papers_keep_the_contract(paper):
    module = load_paper(paper)
    assert module.TITLE
    for experiment in module.EXPERIMENTS.values():
        published = experiment.published
        assert all(len(figures) == len(published.columns) for figures in published.rows.values())
        assert experiment.find is not None or experiment.notes
