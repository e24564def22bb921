"""Folders of card abstractions: names that mean the same everywhere, and damage that is found when they are loaded."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kibitz.abstraction import load_abstraction, parse_notation, read_abstraction, save_abstraction
from kibitz.abstraction.build import build_abstraction, built_counts, fingerprint_rounds
from kibitz.abstraction.core import CardAbstraction, CutMap, TableMap
from kibitz.abstraction.features.boards import CANONICAL, STREETS
from kibitz.abstraction.files import abstraction_folder, cards_artefact
from kibitz.abstraction.percentiles import Cut
from kibitz.errors import FormatError, KibitzError
from kibitz.plans import save_artefact


def invented(name, rounds, seed=0):
    """An abstraction of this name with nothing true in it."""
    notation = parse_notation(name)
    counts = np.array(built_counts(notation))
    masses = tuple(np.full(count, 1 / count) for count in counts)
    return CardAbstraction(notation, rounds, counts, masses, fingerprint_rounds(notation, rounds), {"seed": seed})


def clusters(name="IR KE-KO 5-5-5-5", seed=0):
    """One with small numbers of clusters, all hands of a board alike."""
    rounds = tuple(
        TableMap(size, np.repeat(np.arange(CANONICAL[size], dtype=np.uint32)[:, None] % 5, 1326, axis=1).astype("u1"))
        for size in STREETS
    )
    return invented(name, rounds, seed)


def percentiles(buckets):
    cuts = [np.tile(np.arange(1, buckets) * 100, (buckets**round_, 1)) for round_ in range(4)]
    rounds = tuple(CutMap(size, (Cut("EHS2", each),)) for size, each in zip(STREETS, cuts, strict=True))
    return invented(f"{buckets}-bucket", rounds)


MADE = {"table": clusters, "cuts": lambda: percentiles(5)}


def read_changed(folder, abstraction, arrays=(), **about):
    """Read an abstraction that says other things, every checksum right."""
    artefact = cards_artefact(abstraction)
    told = json.loads(json.dumps(artefact.about)) | about
    save_artefact(replace(artefact, about=told, arrays={**artefact.arrays, **dict(arrays)}), folder)
    return read_abstraction(folder)


def rounds_of(change, number=1):
    """The rounds that the manifest of percentiles tells of, one of them changed."""
    rounds = json.loads(json.dumps(cards_artefact(percentiles(5)).about["rounds"]))
    rounds[number] |= change
    return rounds


def set_entry(array, value):
    array[(1,) * array.ndim] = value
    return array


@pytest.mark.parametrize(
    ("kind", "name", "change", "message"),
    [
        ("table", "1-table", lambda table: table[:1, :1], r"table of round 1 is uint8\[1, 1\]"),
        ("table", "1-table", lambda table: table.astype(float), "table of round 1 is float64"),
        ("table", "1-table", lambda table: set_entry(table, 200), "round 1 has bucket 200: there are 0 to 4"),
        ("table", "1-table", lambda table: set_entry(table.astype(np.int8), -1), "round 1 has bucket -1"),
        ("table", "1-table", lambda table: set_entry(table, 4), "its tables have fingerprint"),
        ("table", "2-masses", lambda masses: masses[:-1], r"masses of round 2 are float64\[4\]"),
        ("table", "2-masses", lambda masses: masses * 2, "sum to 2"),
        ("table", "2-masses", lambda masses: set_entry(masses, np.nan), "chances sum to 1"),
        ("cuts", "1-cut-0-EHS2", np.zeros_like, "its tables have fingerprint"),
        ("cuts", "1-cut-0-EHS2", lambda cuts: cuts[:, ::-1], "not in increasing order"),
        ("cuts", "1-cut-0-EHS2", lambda cuts: np.repeat(cuts, 2, axis=1), "round 1 make 45 buckets of 5: 25 were"),
        ("cuts", "2-cut-0-EHS2", lambda cuts: cuts[:3], r"by EHS2 are int64\[3, 4\]: int64\[25, parts - 1\]"),
        ("cuts", "2-cut-0-EHS2", lambda cuts: cuts.astype(np.int32), "by EHS2 are int32"),
    ],
)
def test_tables_that_cannot_be(kind, name, change, message, tmp_path):
    whole, name = MADE[kind](), f"round-{name}"
    changed = {name: change(cards_artefact(whole).arrays[name].copy())}
    with pytest.raises(FormatError, match=f"here is not a whole card abstraction: .*{message}"):
        read_changed(tmp_path / "here", whole, changed)


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"counts": [5, 25, 125, 600]}, r"\[5, 25, 125, 600\] buckets: 5-bucket has"),
        ({"counts": [10**30] * 4}, "is not a whole"),
        ({"notation": "8-bucket"}, "8-bucket has"),
        ({"notation": "nonsense"}, "'nonsense' is not a card abstraction"),
        ({"fingerprint": "0"}, "its tables have fingerprint .*, its manifest 0"),
        ({"rounds": rounds_of({})[:3]}, r"rounds with \[0, 3, 4\] cards on the board"),
        ({"rounds": rounds_of({"size": 4})}, "cards on the board"),
        ({"rounds": rounds_of({"kind": "magic"})}, "kind 'magic': there are table, cuts and classes"),
        ({"rounds": rounds_of({"kind": "table"})}, "its manifest has no 'table'"),
        ({"rounds": rounds_of({"kind": "classes", "pattern": "2|3"})}, "25 classes of '2|3': 1286792 of"),
        ({"rounds": None}, "is not a whole"),
        ({"features": "others"}, "it numbers boards as others"),
    ],
)
def test_words_that_cannot_be(about, message, tmp_path):
    with pytest.raises(FormatError, match=message):
        read_changed(tmp_path / "here", percentiles(5), **about)


def test_damage_is_found(tmp_path):
    save_abstraction(percentiles(5), tmp_path / "here")
    np.save(tmp_path / "here" / "round-1-cut-0-EHS2.npy", np.ones((5, 4), dtype=np.int64))
    with pytest.raises(FormatError, match=r"round-1-cut-0-EHS2\.npy is damaged"):
        read_abstraction(tmp_path / "here")


def test_patterns_of_classes(tmp_path):
    whole = build_abstraction("lossless")
    assert read_changed(tmp_path / "here", whole).name == "lossless"
    rounds = json.loads(json.dumps(cards_artefact(whole).about["rounds"]))
    rounds[2]["pattern"] = "2|4"
    with pytest.raises(FormatError, match=r"classes of '2\|4': 55190538 of '2\|3\|1'"):
        read_changed(tmp_path / "here", whole, rounds=rounds)


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("own_cache")
def test_damage_in_the_cache_can_be_undone():
    notation = parse_notation("one-bucket")
    place = abstraction_folder(notation)
    load_abstraction(notation)
    for damage in ("{", "{}"):
        (place / "manifest.json").write_text(damage)
        with pytest.raises(FormatError, match=r"one-bucket.*: delete this folder, and it is made again"):
            load_abstraction(notation)
    (place / "manifest.json").unlink()
    with pytest.raises(FormatError, match=r"there is no manifest\.json: delete this folder"):
        load_abstraction(notation)


@pytest.mark.usefixtures("own_cache")
def test_the_cache_holds_what_its_folders_are_called():
    save_abstraction(percentiles(8), abstraction_folder(parse_notation("5-bucket")))
    with pytest.raises(FormatError, match="holds 8-bucket, where 5-bucket should be: delete this folder"):
        load_abstraction("5-bucket")
    name = "IR KE-KO 5-5-5-5"
    save_abstraction(clusters(name, seed=7), abstraction_folder(parse_notation(name), 8))
    with pytest.raises(FormatError, match="of seed 7, where that of seed 8 should be"):
        load_abstraction(name, seed=8)


@pytest.mark.usefixtures("own_cache")
def test_a_name_means_the_same_wherever_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "IR KE-KO 5-5-5-5"
    for seed in (7, 8):
        save_abstraction(clusters(name, seed), abstraction_folder(parse_notation(name), seed))
    save_abstraction(load_abstraction(name, seed=7), tmp_path / name)
    save_abstraction(percentiles(8), tmp_path / "mine")
    assert load_abstraction(name, seed=8).provenance["seed"] == 8
    assert load_abstraction(f"./{name}", seed=8).provenance["seed"] == 7
    assert load_abstraction(tmp_path / name, seed=8).provenance["seed"] == 7
    assert load_abstraction("mine").name == "8-bucket"
    for absent in ("yours", "./yours", "x" * 5000, "\0"):
        with pytest.raises(KibitzError, match="is not a card abstraction: names are like"):
            load_abstraction(absent)


def test_saving_fails_without_a_trace(tmp_path):
    whole = percentiles(5)
    save_abstraction(whole, tmp_path / "here")
    unwritable = CardAbstraction(
        whole.notation, whole.rounds, whole.counts, whole.masses, whole.fingerprint, {"seed": object()}
    )
    with pytest.raises(TypeError):
        save_abstraction(unwritable, tmp_path / "here")
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    assert read_abstraction(tmp_path / "here").fingerprint == whole.fingerprint
