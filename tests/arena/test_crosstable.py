"""Cross tables: as they are written, cut down, and refused."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.crosstable import CrossTable, parse_cross_table, read_cross_table
from kibitz.errors import KibitzError
from kibitz.experiments.bard2016.crosstables import ENTRIES, PUBLISHED, published_table

SQUARE = """# a comment
agent,a,b,c
a,,12±3,-5.5
b,−12 +/- 3,,7

c,5.5,-7,
"""


def test_a_square_of_rates_and_intervals():
    table = parse_cross_table(SQUARE)
    assert table.names == ("a", "b", "c")
    assert table.rates[0, 1:].tolist() == [12, -5.5]
    assert table.rates[1, 0] == -12
    assert table.half_widths[1, 0] == 3
    assert isnan(table.half_widths[0, 2])
    assert np.isnan(np.diag(table.rates)).all()


def test_rows_that_are_missing_follow_from_the_others():
    table = parse_cross_table("agent,x,y\na,3,4±1\n")
    assert table.names == ("a", "x", "y")
    assert table.rates[table.index("y"), 0] == -4
    assert table.half_widths[table.index("y"), 0] == 1
    assert isnan(table.rates[table.index("x"), table.index("y")])


def test_a_list_of_results_for_two_and_three_players():
    two = parse_cross_table("agent,opponent,rate\na,b,4\nb,c,1\n")
    assert two.rates[two.index("b"), two.index("a")] == -4
    three = parse_cross_table("agent,opponent,opponent,rate,half_width\na,b,c,5,1\nb,c,a,-2,\nc,a,b,-3,2\n")
    assert three.seats == 3
    assert three.rates[0, 1, 2] == three.rates[0, 2, 1] == 5
    assert three.rates[1, 0, 2] == -2
    assert isnan(three.half_widths[1, 0, 2])


@given(st.integers(2, 5), st.data())
def test_written_and_read_again(agents, data):
    names = [f"agent {number}" for number in range(agents)]
    cells = data.draw(
        st.lists(st.tuples(st.integers(-9999, 9999), st.integers(0, 99)), min_size=agents**2, max_size=agents**2)
    )
    rows = [
        ",".join(
            [name, *("" if i == j else f"{cells[i * agents + j][0]}±{cells[i * agents + j][1]}" for j in range(agents))]
        )
        for i, name in enumerate(names)
    ]
    table = parse_cross_table("\n".join([",".join(["", *names]), *rows]))
    for i in range(agents):
        for j in range(agents):
            if i != j:
                assert (table.rates[i, j], table.half_widths[i, j]) == cells[i * agents + j]


def test_a_field_is_cut_down_with_its_matches():
    table = parse_cross_table(SQUARE)
    table.matches[0, 1], table.matches[1, 2] = np.ones((2, 2)), np.zeros((2, 2))
    part = table.without(["a"])
    assert part.names == ("b", "c")
    assert part.rates[0, 1] == 7
    assert list(part.matches) == [(0, 1)]
    assert table.among(["c", "b"]).rates[0, 1] == -7
    with pytest.raises(KibitzError, match="no agent 'z': there are a, b, c"):
        table.without(["z"])
    with pytest.raises(KibitzError, match="at least 2 are needed"):
        table.without(["a", "b"])
    with pytest.raises(KibitzError, match="each once"):
        table.among(["a", "a", "b"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "table: no table"),
        ("agent,a,b\n", "no table"),
        ("agent,a,b\na,,x\nb,1,\n", "table:2: a against b: 'x': a rate such as 21"),
        ("agent,a,b\na,,1,2\n", "table:2: 3 cells for 2 agents"),
        ("agent,a,a\nb,1,2\n", "every agent has one column"),
        ("agent,a,b\na,,1\na,,2\n", "at most one row"),
        ("agent,opponent,rat\na,b,1\n", "agent,opponent,rate is wanted"),
        ("agent,opponent,rate\na,a,1\n", "but 2 play at a table"),
        ("agent,opponent,rate\na,b,1\nb,b,1\n", "table:3: agent,opponent,rate is wanted, with 2 different agents"),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(text, words):
    with pytest.raises(KibitzError, match=words.replace("+", "\\+")):
        parse_cross_table(text)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(KibitzError, match="cannot be read: No such file"):
        read_cross_table(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(KibitzError, match="not a text file"):
        read_cross_table(tmp_path / "b.csv")


@pytest.mark.parametrize("name", [*PUBLISHED, *ENTRIES])
def test_published_tables_are_read_and_have_intervals(name):
    table = published_table(name)
    assert isinstance(table, CrossTable)
    known = ~np.isnan(table.rates)
    assert (~np.isnan(table.half_widths[known])).mean() > 0.9
    if table.seats == 2:
        assert np.nanmax(np.abs(table.rates + table.rates.T)) <= 1
        assert np.nanmax(np.abs(table.half_widths - table.half_widths.T)) == 0


def test_a_table_that_is_not_there():
    with pytest.raises(KibitzError, match="no published table 'acpc-1999'"):
        published_table("acpc-1999")
