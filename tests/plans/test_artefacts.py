"""Artefacts: written whole, read with every byte checked, replaced only by their own kind."""

import json

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.plans import Artefact, fingerprint_of, open_artefact, save_artefact

WALK = Artefact(
    "walk",
    {"shape": "ring"},
    {"height": 0.5},
    {"end": np.arange(3.0), "steps": np.arange(6, dtype=np.int32).reshape(2, 3)},
    {"notes.txt": lambda path: path.write_text("a note"), "picture.png": lambda path: path.write_bytes(b"png")},
)


def test_what_is_written_is_read(tmp_path):
    save_artefact(WALK, tmp_path / "walk")
    found = open_artefact(tmp_path / "walk", "walk")
    assert (found.kind, found.about, found.made) == (WALK.kind, WALK.about, WALK.made)
    for name, array in WALK.arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array)
        assert found.arrays[name].dtype == array.dtype
    assert (tmp_path / "walk" / "notes.txt").read_text() == "a note"
    assert repr(found) == f"<Artefact walk in {tmp_path / 'walk'}: end, steps>"


def test_a_moved_artefact_is_the_same_input(tmp_path):
    save_artefact(WALK, tmp_path / "walk")
    before = fingerprint_of(tmp_path / "walk")
    (tmp_path / "walk").rename(tmp_path / "moved")
    assert fingerprint_of(tmp_path / "moved") == before
    save_artefact(Artefact("walk", {"shape": "line"}), tmp_path / "walk")
    assert fingerprint_of(tmp_path / "walk") != before


def edited(path, **changes):
    """A manifest with other words, and the checksum it had."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "end.npy").unlink(), "is not complete"),
        (lambda folder: np.save(folder / "end.npy", np.arange(1.0, 4)), r"end\.npy is damaged: its checksum is"),
        (lambda folder: (folder / "end.npy").write_bytes(b"x"), "is not complete"),
        (lambda folder: (folder / "notes.txt").write_text("another"), r"notes\.txt is missing or damaged"),
        (lambda folder: (folder / "notes.txt").unlink(), r"notes\.txt is missing or damaged"),
        (lambda folder: edited(folder / "manifest.json", made={"height": 9}), "it is damaged, or was edited"),
        (lambda folder: edited(folder / "manifest.json", kind="talk"), "it is damaged, or was edited"),
        (lambda folder: edited(folder / "manifest.json", layout=1), "was made by an earlier version"),
        (lambda folder: (folder / "manifest.json").write_text("[" * 10**5), "cannot be read"),
        (lambda folder: (folder / "manifest.json").write_text("3"), "was made by an earlier version"),
        (lambda folder: (folder / "manifest.json").unlink(), "holds nothing that Kibitz has made"),
    ],
)
def test_damage_is_told_in_one_sentence(damage, message, tmp_path):
    save_artefact(WALK, tmp_path / "walk")
    damage(tmp_path / "walk")
    with pytest.raises(KibitzError, match=message):
        open_artefact(tmp_path / "walk")


def test_only_its_own_kind_is_replaced(tmp_path):
    save_artefact(WALK, tmp_path / "walk")
    save_artefact(Artefact("walk"), tmp_path / "walk")
    assert not open_artefact(tmp_path / "walk").arrays
    with pytest.raises(KibitzError, match="exists and holds a walk: it is not replaced"):
        save_artefact(Artefact("talk"), tmp_path / "walk")
    with pytest.raises(KibitzError, match="is a walk: a talk is needed"):
        open_artefact(tmp_path / "walk", "talk")
    (tmp_path / "walk" / "more").touch()
    with pytest.raises(KibitzError, match=r"holds more than a walk \(more\)"):
        save_artefact(WALK, tmp_path / "walk")
    (tmp_path / "other").mkdir()
    with pytest.raises(KibitzError, match="does not hold a walk: it is not replaced"):
        save_artefact(WALK, tmp_path / "other")
