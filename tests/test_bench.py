"""Results of benchmarks: one section is measured again without the others."""

from __future__ import annotations

import pytest
from bench import results

ROW = {"name": "a [1] v b", "ours": 1234.5, "peer": 12.3, "unit": "/s", "ratio": 1234.5 / 12.3, "target": 50}


@pytest.fixture
def empty(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "KEPT", tmp_path / "results.json")
    monkeypatch.setattr(results, "PAGE", tmp_path / "RESULTS.md")
    return tmp_path / "RESULTS.md"


def test_a_section_is_measured_again_and_the_others_stay(empty):
    results.keep("first", [ROW])
    results.keep("second", [ROW | {"ratio": None, "peer": None, "target": None}])
    before = results.load()["second"]
    results.keep("first", [ROW | {"ratio": 2.0}])
    assert results.load()["second"] == before
    text = empty.read_text()
    assert "| a [1] v b | 1,234 | 12.3 | /s | 2.0x | 50x |" in text
    assert "| a [1] v b | 1,234 |  | /s |  |  |" in text
    assert text.index("## first") < text.index("## second")
    assert text.count(f"numpy {before['measured']['versions']['numpy']}") == 2


def test_the_readme_shows_the_ratios_that_are_kept():
    kept = {row["name"]: row["ratio"] for section in results.load().values() for row in section["rows"]}
    text = (results.HERE.parent / "README.md").read_text(encoding="utf-8")
    table = text[text.index("| benchmark | ratio |") :].partition("\n\n")[0].splitlines()[2:]
    assert len(table) > 20
    for line in table:
        name, ratio = (cell.strip() for cell in line.strip("|").split("|"))
        assert ratio == results.times(kept[name]).replace("x", "×"), name
