"""The page of a reproduction."""

from xml.etree import ElementTree

from kibitz.experiments import find_experiments
from kibitz.experiments.published import compute, gather
from kibitz.experiments.results import render_page


def test_page_shows_figures_pictures_and_what_was_not_run():
    experiments = find_experiments("ganzfried2013", ("table-1", "table-7", "figure-1"))
    pages = [gather("ganzfried2013", table, each, compute(each)) for table, each in experiments.items()]
    page = render_page(pages)
    assert "24 reproduced, 77 not run" in page
    assert "0.833" in page
    assert page.count("<svg") == 1
    assert "http-equiv" not in page
    assert "<script" not in page
    assert "nobody can run today" in page
    assert page.count("Tolerance: ") == 2  # of the tables that were run
    assert "Tolerance: 0.0005." in page


def test_the_same_figure_gives_the_same_picture():
    picture = find_experiments("ganzfried2013", ("figure-2",))["figure-2"].picture
    assert picture is not None
    first = picture()
    assert first == picture()
    assert ElementTree.fromstring(first).tag.endswith("svg")
