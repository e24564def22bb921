"""`kibitz adapt`: built from agents and pools, shown, pruned, traced, and refused in a sentence."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.games import load_game
from kibitz.responses.robust.observing import observe
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, save_model


def run(*words):
    return CliRunner().invoke(main, list(map(str, words)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("portfolios") / "mine"
    names = ("caller=always-call", "always-raise", "rules:tightness=0.9")
    result = run("adapt", "build", *names, "--game", "kuhn", "--out", out)
    assert result.exit_code == 0, result.output
    assert run("adapt", "build", *names, "--game", "kuhn", "--out", out, "--resume").output == result.output
    assert run("adapt", "show", out).output == result.output
    assert result.output in run("show", out).output
    return out


def test_names_of_experts(folder):
    told = json.loads(run("adapt", "show", folder, "--json").output)
    assert told["playing"] == ["caller", "always-raise", "rules-tightness=0.9"]
    assert told["experts"][0]["opponent"] == "always-call"
    assert [step["size"] for step in told["curve"]] == list(range(1, len(told["curve"]) + 1))
    assert told["curve"][0]["gain"] is None


def test_pruning_and_playing(folder):
    result = run("adapt", "prune", folder, "--size", "2", "--json")
    assert len(json.loads(result.output)["playing"]) == 2
    assert run("match", folder, "always-call", "--game", "kuhn", "--hands", "20").exit_code == 0
    tournament = run("tournament", folder, "always-call", "random", "--game", "kuhn", "--hands", "20")
    assert tournament.exit_code == 0, tournament.output
    back = run("adapt", "prune", folder, "--size", "3", "--optimal")
    assert back.exit_code == 0
    assert back.output.count(" yes") == 3


def test_a_person_plays_against_a_portfolio(folder):
    words = ["play", "--against", str(folder), "--game", "kuhn", "--hands", "3", "--seed", "2"]
    result = CliRunner().invoke(main, words, input="c\n" * 12)
    assert result.exit_code == 0, result.output
    assert "mine" in result.output
    assert "After 3 hands" in result.output


@pytest.mark.parametrize("settings", ["", ",bandit=ucb1", ",bandit=static"])
def test_a_trace_tells_the_unit_and_writes_a_line_for_every_hand(folder, tmp_path, settings):
    words = ("adapt", "trace", f"{folder}{settings}", "always-raise", "--hands", "25")
    told = run(*words, "--out", tmp_path / "t.jsonl", "--plot", tmp_path / "w.png", "--json")
    assert told.exit_code == 0, told.output
    document = json.loads(told.output)
    assert document["reward_unit"] == "antes"
    assert sum(each["weight"] for each in document["experts"]) == pytest.approx(1)
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [line["hand"] for line in lines] == list(range(25))
    assert (tmp_path / "w.png").exists()
    assert "rewards are counted in antes" in run(*words).output


def test_the_report_of_a_tournament_shows_traced_matches(folder, tmp_path):
    traces = []
    for opponent in ("always-raise", "always-call"):
        traces += ["--trace", tmp_path / f"{opponent}.jsonl"]
        assert run("adapt", "trace", folder, opponent, "--hands", "30", "--out", traces[-1]).exit_code == 0
    words = ("tournament", "always-call", "random", "--game", "kuhn", "--hands", "10", "--matches", "2")
    plain = run(*words, "--out", tmp_path / "plain")
    shown = run(*words, "--out", tmp_path / "shown", *traces)
    assert shown.exit_code == 0, shown.output
    assert shown.output == plain.output.replace("plain", "shown")
    pages = [(tmp_path / each / "report.html").read_text() for each in ("plain", "shown")]
    assert ["adapts to its opponents" in page for page in pages] == [False, True]
    assert "are counted in antes" in pages[1]
    assert pages[1].count("<svg") == pages[0].count("<svg") + 2
    last = json.loads((tmp_path / "always-call.jsonl").read_text().splitlines()[-1])
    expert = max(last["weights"], key=last["weights"].get)
    assert f"<td>{expert}</td><td>{last['weights'][expert]:.2f}</td>" in pages[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("no json", "holds no match of a portfolio"),
        ('{"hand": 0}', "'agent' is missing"),
        ('{"agent": "a", "opponent": "b", "game": "c", "unit": "antes", "weights": {}, "hand": 1}', "not hand 0"),
    ],
)
def test_files_that_hold_no_trace_are_refused_before_anything_is_played(tmp_path, text, words):
    (tmp_path / "t.jsonl").write_text(text)
    named = ("tournament", "always-call", "random", "--game", "kuhn", "--trace", tmp_path / "t.jsonl")
    result = run(*named, "--out", tmp_path / "out")
    assert result.exit_code != 0
    assert words in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()
    assert words in " ".join(run(*named).output.split())


def test_a_pool_leaves_out_who_only_plays(tmp_path):
    pool = run("opponents", "pool", "make", "A", "--game", "kuhn", "--iterations", "5", "--out", tmp_path / "pool")
    assert pool.exit_code == 0, pool.output
    words = ("adapt", "build", "--pool", tmp_path / "pool", "--game", "kuhn", "--out", tmp_path / "mine", "--json")
    result = run(*words)
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["left_out"] == ["switching"]
    assert len(told["experts"]) == 9


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Models of a few hands: of two games, and of two menus of one of them."""
    place = tmp_path_factory.mktemp("models")
    for name, game, menus in (("kuhn", "kuhn", "full"), ("pot", "leduc-nolimit", "1"), ("min", "leduc-nolimit", "min")):
        problem = Problem(load_game(game), menus)
        save_model(observe(problem.deal, Strategy.uniform(problem.vector.layout), 4), place / name)
    return place


def test_models_bring_their_game_and_what_they_assume(models, tmp_path):
    words = ("always-call", models / "kuhn")  # which is not Leduc
    built = run("adapt", "build", *words, "--out", tmp_path / "mine")
    assert built.exit_code == 0, built.output
    assert built.output == run("adapt", "build", *words, "--game", "kuhn", "--out", tmp_path / "named").output
    told = json.loads(run("adapt", "show", tmp_path / "mine", "--json").output)
    made = run("show", tmp_path / "mine", "--made").output
    assert f"opponents {models / 'kuhn'}: a model of a player" in made
    known, guessed = told["experts"]
    assert "imputation" not in known
    assert guessed["imputation"]["warning"] in " ".join(built.output.split())
    rows = {line.split()[0]: line.split()[2] for line in built.output.splitlines()[1:3]}
    assert [rows[name].endswith("*") for name in ("always-call", "kuhn")] == [False, True]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["kuhn", "pot"], "pot plays leduc-nolimit, not kuhn (that of kuhn)"),
        (["pot", "min"], "min has the menu min, not 1 (that of pot): a response needs the opponent's own bets"),
        (["pot", "--game", "leduc"], "pot plays leduc-nolimit, not leduc"),
        (["pot", "--cards", "5-bucket"], "cards without a game: pot brings its own game, menu and cards"),
        (["pot", "loose-aggressive"], "or a model of its logged hands by `kibitz hands model build` with this menu"),
    ],
)
def test_models_of_other_games_and_bets_are_refused(words, text, models, tmp_path):
    words = [models / word if (models / word).exists() else word for word in words]
    result = run("adapt", "build", *words, "--out", tmp_path / "mine")
    assert result.exit_code == 2
    assert text in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "a portfolio without opponents"),
        (["always-call", "always-call"], "two opponents are called always-call"),
        (["always-call", "--p-max", "0.5"], "--p-max is for dbr, not rnr"),
        (["always-call", "--p", "0.5", "--target", "5"], "--target tunes --p: give one of them"),
        (["always-call", "--observe", "5"], "--observe is for dbr, not rnr"),
        (["always-call", "--method", "dbr"], "needs observations"),
        (["always-call", "--p", "1.5"], "p is 1.5: a number from 0 to 1 is needed"),
        (["switch:always-call@5@always-raise"], "only plays"),
        (["nobody"], "no agent 'nobody'"),
        (["always-call", "--game", "kuhn-3p", "--target", "5"], "--target is for two players"),
    ],
)
def test_what_is_refused_leaves_nothing(words, text, tmp_path):
    out = tmp_path / "mine"
    result = run("adapt", "build", *words, "--out", out)
    assert result.exit_code == 2
    assert text in " ".join(result.output.split())
    assert not out.exists()


def test_folders_that_are_no_portfolios(tmp_path):
    for words in (("show", tmp_path), ("prune", tmp_path)):
        result = run("adapt", *words)
        assert result.exit_code == 2
        assert "holds no portfolio: there is no manifest.json" in " ".join(result.output.split())
    result = run("adapt", "trace", "always-call", "always-raise")
    assert "is no portfolio: make one with" in " ".join(result.output.split())


def test_optimal_needs_a_size(folder):
    result = run("adapt", "prune", folder, "--optimal")
    assert result.exit_code == 2
    assert "--size" in result.output


def test_a_lost_expert_is_not_put_into_play(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    before = (copy / "manifest.json").read_bytes()
    shutil.rmtree(copy / "experts" / "caller" / "mimic")
    result = run("adapt", "prune", copy, "--size", "3")
    assert result.exit_code == 2
    assert "expert caller of" in " ".join(result.output.split())
    assert (copy / "manifest.json").read_bytes() == before
