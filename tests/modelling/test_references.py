"""The hands behind cases: the first ones, whoever read them, told as the expert saw them."""

from __future__ import annotations

import tarfile
from collections import defaultdict
from itertools import pairwise

import pytest

from kibitz.games import State, split_actions
from kibitz.io.files import read_records
from kibitz.modelling.cases import CaseIndex, Description, build_cases, load_strength, save_cases
from kibitz.modelling.cases.base import KEPT
from kibitz.modelling.cases.betting import SequenceReader
from kibitz.modelling.cases.explain import explain, summarise
from kibitz.modelling.cases.features import TEXTURES
from kibitz.parallel import Processes

EXPERT = "tight-aggressive"
QUICK = Description(strength="made-hand")


def plain_references(logs, expert: str, description: Description) -> dict[tuple, list[tuple]]:
    """The first hands of each row, read one by one in the order of the logs."""
    found: dict[tuple, list[tuple]] = defaultdict(list)
    strength = load_strength(description.strength)
    for log, path in enumerate(logs):
        for record in read_records(path):
            states = [State.start(record.game, record.deal)]
            for action in split_actions(record.history):
                states.append(states[-1].apply(action))
            for before, after in pairwise(states):
                if record.players[before.player] != expert:
                    continue
                reader = SequenceReader(description.letters, description.reading)
                sequence = reader.catch_up(before)
                letter = reader.catch_up(after)[len(sequence)]
                features = description.describe(before, sequence, strength)
                key = sequence, features.strength, features.commitment, TEXTURES.index(features.texture)
                hands = found[*key, description.alphabet.index(letter)]
                if len(hands) < KEPT:
                    line = record.source.rpartition(":")[2]
                    hands.append((log, line, str(before.seen_by(before.player))))
    return found


def references_of(base) -> dict[tuple, list[tuple]]:
    return {tuple(row[:5]): [tuple(hand.values()) for hand in row[7]] for row in base.rows.iter_rows()}


def split(log, folder, parts: int) -> list:
    """The hands of `log` in turn in several logs."""
    header, *hands = log.read_text().splitlines(keepends=True)
    paths = []
    for part in range(parts):
        paths.append(folder / f"{part}.log")
        mine = hands[part::parts]
        paths[-1].write_text(header.replace(" 400 0", f" {len(mine)} 0") + "".join(mine))
    return paths


def test_references_are_the_first_hands_one_by_one(log, built):
    wanted = plain_references([log], EXPERT, QUICK)
    assert references_of(built.base) == wanted
    assert any(len(hands) == KEPT for hands in wanted.values())


def test_logs_are_numbered_as_in_the_provenance(log, tmp_path):
    logs = split(log, tmp_path, 3)
    (tmp_path / "0.notes").write_text("no hand history, and not counted\n")
    base = build_cases([tmp_path], EXPERT, QUICK).base
    assert [entry["name"] for entry in base.provenance["logs"]] == [path.name for path in logs]
    assert references_of(base) == plain_references(logs, EXPERT, QUICK)
    names = {hand.name for hand in base.hands(0, len(base.rows))}
    assert names == {path.name for path in logs}


@pytest.mark.parametrize("workers", [2, 3])
def test_it_does_not_matter_who_reads_what(workers, log, tmp_path, monkeypatch):
    """Files shared out whole (two workers) and hand by hand (three)."""
    logs = split(log, tmp_path, 8)
    alone = build_cases(logs, EXPERT, QUICK).base
    monkeypatch.setattr("kibitz.modelling.logs.CHUNK", 7)
    monkeypatch.setattr("kibitz.modelling.cases.decisions.BATCH", 11)
    monkeypatch.setattr(Processes, "map", lambda _self, function, tasks: map(function, reversed(tasks)))
    apart = build_cases(logs, EXPERT, QUICK, workers=workers).base
    for name, base in (("alone", alone), ("apart", apart)):
        save_cases(base, tmp_path / name)
    assert (tmp_path / "alone").read_bytes() == (tmp_path / "apart").read_bytes()


def test_self_play_has_hands_of_both_seats(log, tmp_path):
    both = tmp_path / "both.log"
    both.write_text(log.read_text().replace("example-player", EXPERT))
    assert references_of(build_cases([both], EXPERT, QUICK).base) == plain_references([both], EXPERT, QUICK)


def test_places_in_archives_name_the_file_in_it(log, tmp_path):
    archive = tmp_path / "all.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(log, "day-1/table.log")
    base = build_cases([archive], EXPERT, QUICK).base
    first = base.hands(0, 1)[0]
    assert first.name == "all.tar"
    assert first.place.startswith("day-1/table.log:")


def test_explanations_name_hands(log, built):
    index = CaseIndex(built.base)
    lines = log.read_text().splitlines()
    case = index.case(0)
    told = explain(index, case.features, count=2).to_dict()["cases"][0]
    assert told["retrieved"]
    for hand in told["references"]:
        line = lines[int(hand["place"]) - 1]
        betting = hand["state"].partition(":")[0]
        assert line.split(":")[2].startswith(betting)
        assert hand["state"].partition(":")[2].strip("|").partition("/")[0].strip("|") in line
    counts = {letter: min(count, KEPT) for letter, count in told["counts"].items()}
    kept = [hand["action"] for hand in told["references"]]
    assert {letter: kept.count(letter) for letter in counts} == counts


def test_summaries_name_hands(built):
    found = summarise(built.base)
    assert found["references"] == sum(len(hands) for hands in references_of(built.base).values())
    assert all(row["first"]["name"] == "match.log" for row in found["sequences"])
