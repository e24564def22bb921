"""Cases from logs: the right rows, the same file whatever the workers, and broken logs."""

from __future__ import annotations

import json
import lzma
import os
import shutil
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import polars as pl
import pytest

from kibitz.errors import FormatError, KibitzError
from kibitz.files import SEAL, sealed
from kibitz.games import State, load_game, split_actions
from kibitz.io.files import read_records
from kibitz.modelling.cases import CaseIndex, Description, build, build_cases, load_cases, load_strength, save_cases
from kibitz.modelling.cases.base import HANDS, KEYS, SCHEMA_WITH_HANDS, merge, renumber
from kibitz.modelling.cases.betting import SequenceReader
from kibitz.modelling.cases.explain import summarise
from kibitz.modelling.cases.features import TEXTURES
from kibitz.parallel import Processes
from kibitz.plans import in_metadata, kind_of
from kibitz.plans.artefacts import KEY
from modelling.expert_logs import play_log

EXPERT = "tight-aggressive"
QUICK = Description(strength="made-hand")


def plain_rows(log, expert: str, description: Description) -> dict[tuple, list[int]]:
    """The rows of a case base hand by hand, decision by decision."""
    rows: dict[tuple, list[int]] = defaultdict(lambda: [0, 0])
    strength = load_strength(description.strength)
    for record in read_records(log):
        player = record.players.index(expert)
        states = [State.start(record.game, record.deal)]
        for action in split_actions(record.history):
            states.append(states[-1].apply(action))
        for before, after in pairwise(states):
            if before.player != player:
                continue
            reader = SequenceReader(description.letters, description.reading)
            sequence = reader.catch_up(before)
            action = reader.catch_up(after)[len(sequence)]
            features = description.describe(before, sequence, strength)
            key = (sequence, features.strength, features.commitment, TEXTURES.index(features.texture))
            row = rows[*key, description.alphabet.index(action)]
            row[0] += 1
            row[1] += round(1000 * record.returns[player] / record.game.big_blind)
    return rows


def test_rows_are_those_of_the_hands_one_by_one(log, built):
    wanted = plain_rows(log, EXPERT, QUICK)
    found = {tuple(row[:5]): list(row[5:7]) for row in built.base.rows.iter_rows()}
    assert found == wanted
    assert built.base.decisions == sum(count for count, _ in wanted.values())
    assert built.base.cases == len({key[:4] for key in wanted})
    assert built.counts.hands == 400
    assert built.bad == 0


def test_rows_are_sorted_and_merged(built):
    rows = built.base.rows
    assert dict(rows.schema) == SCHEMA_WITH_HANDS
    assert rows.equals(rows.sort(*KEYS, "action"))
    assert not rows.select(*KEYS, "action").is_duplicated().any()
    assert merge([rows, rows])["count"].sum() == 2 * rows["count"].sum()


def test_batches_make_no_difference(log, built, monkeypatch):
    monkeypatch.setattr("kibitz.modelling.cases.decisions.BATCH", 7)
    assert build_cases([log], EXPERT, QUICK).base.rows.equals(built.base.rows)


def test_the_file_is_the_same_whatever_the_workers(log, tmp_path, monkeypatch):
    monkeypatch.setattr(build, "CHUNK", 50)
    monkeypatch.setattr("kibitz.modelling.logs.CHUNK", 50)
    files = []
    for workers in (1, 2):
        path = tmp_path / f"{workers}.cases"
        heard: list[int] = []
        found = build_cases([log], EXPERT, QUICK, workers=workers, progress=heard.append)
        save_cases(found.base, path)
        files.append(path.read_bytes())
        assert heard
    assert files[0] == files[1]


def test_whole_files_are_shared_out_when_there_are_many(log, built, tmp_path):
    header, *hands = log.read_text().splitlines(keepends=True)
    for part in range(8):
        (tmp_path / f"{part}.log").write_text(
            header.replace(" 400 0", f" {len(hands[part::8])} 0") + "".join(hands[part::8])
        )
    shares = [
        build._work(build._Task(tuple(build.list_files([tmp_path])), None, worker, 2, EXPERT, QUICK,
                                load_strength("made-hand"), None, False))
        for worker in range(2)
    ]  # fmt: skip
    assert [share.counts.hands for share in shares] == [200, 200]
    merged = merge(share.rows for share in shares)
    assert merged.drop(HANDS).equals(built.base.rows.drop(HANDS))
    assert renumber(merged, range(8)).equals(build_cases([tmp_path], EXPERT, QUICK).base.rows)


def test_there_and_back(built, tmp_path):
    path = tmp_path / "new" / "expert.cases"
    save_cases(built.base, path)
    again = load_cases(path, hands=True)
    assert again.rows.equals(built.base.rows)
    assert load_cases(path).rows.equals(built.base.rows.drop(HANDS))
    assert again.description == QUICK
    assert again.provenance == built.base.provenance
    assert again.provenance["expert"] == EXPERT
    assert [entry["name"] for entry in again.provenance["logs"]] == ["match.log"]
    assert kind_of(path) == "cases"
    assert not list(path.parent.glob("*.partial"))
    rows = pl.read_parquet(path)  # letters for other readers
    assert set(rows["texture"].unique()) <= set(TEXTURES)
    assert set(rows["action"].unique()) <= set(QUICK.alphabet)


def test_files_that_are_no_cases(built, tmp_path):
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "other.parquet")
    with pytest.raises(KibitzError, match="or by something else"):
        load_cases(tmp_path / "other.parquet")
    cut = tmp_path / "cut.cases"
    save_cases(built.base, cut)
    cut.write_bytes(cut.read_bytes()[:-100])
    with pytest.raises(KibitzError, match="cannot be read"):
        load_cases(cut)


def test_any_format_and_folders(log, built, tmp_path):
    (tmp_path / "match.log.xz").write_bytes(lzma.compress(log.read_bytes()))
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    found = build_cases([tmp_path], EXPERT, QUICK).base
    assert found.rows.equals(built.base.rows)
    assert [log["name"] for log in found.provenance["logs"]] == ["match.log.xz"]
    with pytest.raises(KibitzError, match="not a hand history"):
        build_cases([tmp_path / "notes.txt"], EXPERT, QUICK)


def test_a_name_that_nobody_has(log):
    with pytest.raises(
        KibitzError, match=r"match.log:2: no player 'x' in 400 hands, whose players are 'example-player'"
    ):
        build_cases([log], "x", QUICK)


BROKEN = {
    "cut short": (lambda text: text[: len(text) // 2], r"broken.log:\d+: "),
    "cut at a line": (lambda text: "".join(text.splitlines(True)[:100]), r"log:100: the log ends after 99 of 400"),
    "illegal": (lambda text: text.replace("STATE:7:", "STATE:7:ff", 1), r"broken.log:9: hand 7: .*got f"),
    "not a line": (lambda text: text.replace("STATE:7:", "STATUS:7:", 1), r"broken.log:9: .*no line of a log"),
    "a card twice": (None, r"broken.log:2: hand 0: cards: expected each card once"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_logs(name, log, tmp_path):
    spoil, message = BROKEN[name]
    text = log.read_text()
    if spoil is None:
        first = text.splitlines()[1].split(":")
        cards = first[3][:4]
        spoilt = text.replace(first[3], f"{cards}|{cards}{first[3][9:]}", 1)
    else:
        spoilt = spoil(text)
    broken = tmp_path / "broken.log"
    broken.write_text(spoilt)
    with pytest.raises(FormatError, match=message):
        build_cases([broken, log], EXPERT, QUICK)
    found = build_cases([broken, log], EXPERT, QUICK, skip_bad=True)
    assert found.bad >= 1
    assert "broken.log:" in str(found.first[0])
    assert found.counts.hands > 400
    assert found.base.provenance["bad"] == found.bad


def test_the_first_broken_place_is_told_whoever_finds_it(log, tmp_path, monkeypatch):
    broken = tmp_path / "broken.log"
    broken.write_text(log.read_text().replace("STATE:120:", "STATUS:120:", 1).replace("STATE:30:", "STATUS:30:", 1))
    task = build._Task(
        tuple(build.list_files([broken])), None, 0, 2, EXPERT, QUICK, load_strength("made-hand"), None, False
    )
    monkeypatch.setattr("kibitz.modelling.logs.CHUNK", 100)
    monkeypatch.setattr(Processes, "map", lambda _self, function, tasks: map(function, reversed(tasks)))
    assert [build._work(replace(task, worker=worker)).broken.number for worker in (0, 1)] == [1, 1]
    with pytest.raises(FormatError, match=r"broken.log:32: .*skip broken places"):
        build_cases([broken], EXPERT, QUICK, workers=2)
    found = build_cases([broken], EXPERT, QUICK, workers=2, skip_bad=True)
    assert [bad.source.rpartition(":")[2] for bad in found.first] == ["32", "122"]
    assert (found.bad, found.counts.hands) == (2, 398)


def test_a_damaged_archive(log, tmp_path):
    damaged = tmp_path / "match.log.xz"
    damaged.write_bytes(lzma.compress(log.read_bytes())[:-4000])
    with pytest.raises(FormatError, match=r"match.log.xz.*damaged"):
        build_cases([damaged], EXPERT, QUICK)
    found = build_cases([damaged, log], EXPERT, QUICK, skip_bad=True)
    assert found.counts.hands >= 400


def test_a_log_that_does_not_say_its_game(log, built, tmp_path):
    bare = tmp_path / "bare.log"
    # Without hole cards of both there is nothing to guess the game by.
    bare.write_text("STATE:0:cf:AhKd|:-100|100:x|y\n")
    with pytest.raises(FormatError, match=r"^\S*bare.log:1: the log does not say which game was played"):
        build_cases([bare], EXPERT, QUICK)
    headless = tmp_path / "headless.log"
    headless.write_text(log.read_text().partition("\n")[2])
    found = build_cases([headless], EXPERT, QUICK, game=load_game("holdem-nolimit-2p"))
    assert found.base.rows.drop(HANDS).equals(built.base.rows.drop(HANDS))  # lines are one less


def test_hidden_cards_are_passed_over(log, built, tmp_path):
    hidden = tmp_path / "hidden.log"
    lines = []
    for line in log.read_text().splitlines():
        fields = line.split(":")
        if fields[0] == "STATE" and int(fields[1]) % 2 and "/" not in fields[3]:
            fields[3] = "|"
        lines.append(":".join(fields))
    hidden.write_text("\n".join(lines) + "\n")
    found = build_cases([hidden], EXPERT, QUICK)
    assert found.counts.hidden > 0
    assert found.counts.hands == 400 - found.counts.hidden


def test_limit_games_have_an_alphabet_of_their_own(tmp_path):
    limit = play_log(tmp_path / "limit.log", ("loose-passive", "tight-aggressive"), 60, game="holdem-limit-2p")
    with pytest.raises(FormatError, match=r"limit.log:2: .*limit games take fcr"):
        build_cases([limit], EXPERT, QUICK)
    found = build_cases([limit], EXPERT, Description("fcr", "made-hand"))
    assert set("".join(found.base.rows["sequence"])) <= set("cr-f")
    assert found.base.rows["action"].max() == 2


def test_self_play_counts_both_seats(log, built, tmp_path):
    both = tmp_path / "both.log"
    both.write_text(log.read_text().replace("example-player", EXPERT))
    found = build_cases([both], EXPERT, QUICK)
    assert found.counts.hands == 400
    assert found.base.decisions > built.base.decisions


def test_the_same_logs_elsewhere_give_the_same_file(log, built, tmp_path):
    shutil.copy(log, tmp_path / log.name)
    again = build_cases([tmp_path / log.name], EXPERT, QUICK)
    for number, base in enumerate((again.base, built.base)):
        save_cases(base, tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


def test_summary(built):
    found = summarise(built.base)
    assert sum(row["decisions"] for row in found["rounds"]) == built.base.decisions
    assert sum(row["cases"] for row in found["rounds"]) == built.base.cases
    assert all(sum(row["actions"].values()) == pytest.approx(1) for row in found["rounds"])
    assert found["sequences"][0]["decisions"] >= found["sequences"][-1]["decisions"]


def test_a_log_counts_once(log, built, tmp_path):
    assert build_cases([log, log, log.parent], EXPERT, QUICK).base.rows.equals(built.base.rows)
    copy = tmp_path / "copy.log"
    shutil.copy(log, copy)
    with pytest.raises(KibitzError, match=r"match.log and .*copy.log hold the same hands"):
        build_cases([log, copy], EXPERT, QUICK)


HEADS_UP = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ['d dh p1 4cKs', 'd dh p2 KhKc', 'p2 cc', 'p1 cc', 'd db 2h3dBOARD', 'p1 cc', 'p2 cbr 500', 'p1 f']
players = ['rock', 'wild']
"""
THREE = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [20000, 20000, 20000]
actions = ['d dh p1 4cKs', 'd dh p2 KhKc', 'd dh p3 2c2d', 'p3 f', 'p1 f']
players = ['rock', 'wild', 'third']
"""


def write(path, text: str):
    path.write_text(text)
    return path


def test_hands_with_hidden_boards_are_passed_over(tmp_path):
    seen = write(tmp_path / "seen.phh", HEADS_UP.replace("BOARD", "7s"))
    for hidden in ("??", "??????"):
        text = HEADS_UP.replace("2h3dBOARD", hidden) if len(hidden) > 2 else HEADS_UP.replace("BOARD", hidden)
        found = build_cases([seen, write(tmp_path / "hidden.phh", text)], "rock", QUICK)
        assert (found.counts.hands, found.counts.hidden) == (1, 1)
        assert {hand["state"] for hands in found.base.rows[HANDS] for hand in hands} >= {"cc/:4cKs|/2h3d7s"}


def test_tables_of_different_sizes_do_not_go_together(tmp_path):
    two, three = write(tmp_path / "2.phh", HEADS_UP.replace("BOARD", "7s")), write(tmp_path / "3.phh", THREE)
    with pytest.raises(KibitzError, match=r"rock sits at tables for 2 \(1 hands\) and 3 \(1 hands\) players"):
        build_cases([two, three], "rock", QUICK)
    found = build_cases([two, three], "rock", QUICK, players=3)
    assert (found.base.players, found.counts.hands, found.counts.others) == (3, 1, 1)
    with pytest.raises(KibitzError, match=r"'rock' sits at tables for 2 players only"):
        build_cases([two], "rock", QUICK, players=4)


def test_games_that_are_not_played_are_named(tmp_path):
    text = HEADS_UP.replace("BOARD", "7s")
    other = write(tmp_path / "omaha.phh", text.replace("'NT'", "'PO'"))
    with pytest.raises(KibitzError, match=r"1 hands of games that are not played here: .*omaha.phh:1: variant 'PO'"):
        build_cases([other], "rock", QUICK)
    found = build_cases([write(tmp_path / "good.phh", text), other], "rock", QUICK)
    assert (found.counts.hands, found.counts.others, found.counts.unplayed) == (1, 0, 1)


def edited(path, **changes):
    """The file with other words about it, sealed, as another program might write it."""
    manifest = json.loads(pl.read_parquet_metadata(path)[KEY])
    for name, changed in changes.items():
        manifest[name] |= changed
    manifest.pop(SEAL)
    pl.read_parquet(path).write_parquet(path, metadata=in_metadata(sealed(manifest)))


ROWS = {
    "other order": (lambda rows: rows.reverse(), "out of order"),
    "twice": (lambda rows: pl.concat([rows[:1], rows]), "out of order or duplicated"),
    "commitment": (lambda rows: rows.with_columns(commitment=pl.col("commitment") + 9), "no valid commitment"),
    "count": (lambda rows: rows.with_columns(count=pl.col("count") * 0), "no valid count"),
    "missing": (lambda rows: rows.with_columns(outcome=pl.lit(None, pl.Int64)), "values are missing"),
    "fewer": (lambda rows: rows[1:], "decisions, but"),
    "letters": (lambda rows: rows.with_columns(sequence=pl.lit("x") + pl.col("sequence")), "sequence"),
    "no hands": (lambda rows: rows.drop(HANDS), "hands"),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_that_cannot_be_are_refused(name, built, tmp_path):
    rows, message = ROWS[name]
    save_cases(replace(built.base, rows=rows(built.base.rows)), tmp_path / "expert.cases")
    with pytest.raises(FormatError, match=f"is not a complete case base: .*{message}"):
        load_cases(tmp_path / "expert.cases", hands=True)


ABOUT = {
    "rows": ({"about": {"rows": 5}}, "differ from those that were written"),
    "made": ({"made": {"expert": None}}, "does not say where"),
    "players": ({"about": {"players": 3}}, "does not say where"),
    "tables": ({"about": {"players": [2, 3]}}, "2 and 3 players"),
    "strength's name": ({"about": {"description": {"strength": 5}}}, "strength 5"),
    "description": ({"about": {"description": []}}, ""),
}


@pytest.mark.parametrize("name", ABOUT)
def test_words_that_cannot_be_are_refused(name, built, tmp_path):
    changes, message = ABOUT[name]
    save_cases(built.base, tmp_path / "expert.cases")
    edited(tmp_path / "expert.cases", **changes)
    with pytest.raises(FormatError, match=f"is not a complete case base: .*{message}"):
        load_cases(tmp_path / "expert.cases", hands=True)


def test_what_polars_says_of_damage_stays_unheard(built, tmp_path, monkeypatch, capfd):
    def panic(*_, **__):
        os.write(2, b"thread 'async-executor-0' panicked at parquet/mod.rs:432:30\n")
        raise pl.exceptions.PanicException("called `Result::unwrap()` on an `Err` value")

    path = tmp_path / "expert.cases"
    save_cases(built.base, path)
    for reader in ("read_parquet", "read_parquet_metadata"):
        with monkeypatch.context() as patch:
            patch.setattr(pl, reader, panic)
            with pytest.raises(KibitzError, match=r"expert.cases .*: the file is damaged"):
                load_cases(path)
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"


def test_strengths_beyond_the_buckets_are_refused(built):
    rows = built.base.rows.with_columns(strength=pl.lit(51, pl.UInt16))
    with pytest.raises(FormatError, match="cases of strength 51: made-hand has"):
        CaseIndex(replace(built.base, rows=rows))
