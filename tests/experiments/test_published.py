"""Verdicts, order and documents of tables computed again."""

from dataclasses import replace
from math import isnan, nan

import pytest

from kibitz.errors import KibitzError
from kibitz.experiments import PAPERS, find_experiments, load_paper
from kibitz.experiments.published import (
    OVERLAP,
    QUOTE,
    TIE_RULE,
    Effort,
    Experiment,
    Found,
    PublishedTable,
    compute,
    format_figure,
    format_printed,
    gather,
    load_printed,
)

TABLE = PublishedTable("Table 0: a table", "n", ("1", "2"), {"A": (0.5, 1.0), "B": (2.0, 3.0)}, 0.01, 2)


def reproduce(found, table=TABLE):
    experiment = Experiment(table, lambda: iter(found))
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
    cell, other = reproduce([("A", "1", found)]).rows["A"]
    assert cell.verdict == verdict
    assert (cell.printed, cell.ours) == (0.5, found.ours)
    assert other.verdict == "not run"


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Found(0.6), "reproduced"),
        (Found(0.71, 0.69, 0.73, OVERLAP), "bounds overlap"),
        (Found(0.75, 0.71, 0.79, OVERLAP), "differs"),
    ],
)
def test_printed_bounds_are_a_tolerance(found, verdict):
    bounded = replace(TABLE, bounds={"A": (0.2, nan)})
    cell, _other = reproduce([("A", "1", found)], bounded).rows["A"]
    assert (cell.verdict, cell.bound) == (verdict, 0.2)
    plain, _other = reproduce([("B", "1", Found(2.3))], bounded).rows["B"]
    assert plain.verdict == "differs"
    assert isnan(plain.bound)


def test_a_column_may_have_a_share_as_its_tolerance():
    shared = replace(TABLE, shares={"1": 0.2})
    found = reproduce([("A", "1", Found(0.59)), ("A", "2", Found(1.1)), ("B", "1", Found(2.5))], shared)
    assert [cell.verdict for cell in found.rows["A"]] == ["reproduced", "differs"]
    assert found.rows["B"][0].verdict == "differs"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "0.01"),
        ({"tolerance": 0.0}, "0"),
        ({"tolerance": 0.0, "shares": {"1": 0.15, "2": 0.15}}, "15 % of the figure (1, 2)"),
        ({"tolerance": 0.0, "bounds": {"A": (0.2, nan)}}, "the printed ±"),
        ({"bounds": {"A": (nan, nan)}}, "0.01"),
        (
            {"shares": {"2": 0.5}, "bounds": {"A": (0.2, nan)}},
            "0.01 or the printed ± or 50 % of the figure (2), whichever is more",
        ),
    ],
)
def test_the_tolerance_in_words(more, words):
    assert replace(TABLE, **more).describe_tolerance() == words


@pytest.mark.parametrize(
    ("value", "text"), [(nan, "–"), (-1e-15, "0.00"), (1.005, "1.00"), (9999.5, "9999.50"), (-1781890.0, "-1,781,890")]
)
def test_figures_as_text(value, text):
    assert format_figure(value, 2) == text


def test_what_is_quoted_has_no_figure_of_ours_and_no_tolerance():
    bounded = replace(TABLE, rows={"A": (12.0, 1.0), "B": (0.5, 3.0)}, bounds={"A": (4.0, nan), "B": (0.2, nan)})
    found = reproduce([("A", "1", QUOTE), ("B", "1", QUOTE), ("A", "2", Found(1.0)), ("B", "2", Found(9.0))], bounded)
    quoted, plain = found.rows["A"]
    assert (quoted.verdict, quoted.printed, quoted.bound) == ("quoted", 12.0, 4.0)
    assert isnan(quoted.ours)
    assert found.counts == {"reproduced": 1, "differs": 1, "quoted": 2}
    assert found.tolerance == "0.01"  # the printed ± are of cells that are not compared
    assert found.is_compared
    assert format_printed(quoted, 2) == "12 ± 4"
    assert format_printed(found.rows["B"][0], 2) == "0.50 ± 0.20"
    assert format_printed(plain, 2) == "1.00"
    only = reproduce([("A", "1", QUOTE)], bounded)
    assert not only.is_compared


def test_an_experiment_may_depend_on_the_effort():
    plain = Experiment(TABLE, None, ("why",))
    assert plain.at(Effort("full")) is plain
    scaled = Experiment(TABLE, None, scaled=lambda effort: Experiment(TABLE, None, (effort.preset,)))
    assert scaled.at(Effort("full")).notes == ("full",)
    assert scaled.at(Effort("full")).effort == Effort("full")
    assert Effort(tell=print) == Effort()


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
    assert set(document["rows"]["A"][0]) == {"column", "printed", "ours", "low", "high", "verdict", "reason", "bound"}


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
        assert all(len(published.bounds.get(row, figures)) == len(figures) for row, figures in published.rows.items())
        assert experiment.find is not None or experiment.notes or experiment.scaled


@pytest.mark.parametrize("paper", PAPERS)
def test_printed_tables_are_whole(paper):
    tables = load_printed(PAPERS[paper][0])["tables"]
    assert set(tables) <= set(load_paper(paper).EXPERIMENTS)
    for name, table in tables.items():
        for figures in (*table.rows.values(), *table.bounds.values()):
            assert len(figures) == len(table.columns), name
        assert set(table.bounds) <= set(table.rows)
        assert set(table.shares) <= set(table.columns)
