"""`kibitz hands luck`: lines, JSON, and what is refused."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.cli import main
from kibitz.games import load_game
from kibitz.io.files import read_records
from kibitz.modelling.estimators.evaluation import Evaluation
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, save_strategy

KNOWN = ["--agent", "ann=always-call", "--agent", "bob=random"]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    lines = []
    plan = MatchPlan(load_game("leduc"), 120, 3, ("ann", "bob"), game_name="leduc")
    play_locally(plan, [load_agent("always-call"), load_agent("random")], [1, 2], lines.append)
    path = tmp_path_factory.mktemp("logs") / "match.log"
    path.write_text("\n".join(lines) + "\n")
    return path


def evaluate(*arguments):
    return CliRunner().invoke(main, ["hands", "luck", *map(str, arguments)])


def test_lines(log):
    result = evaluate(log, "--player", "ann")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "ann, 120 hands"
    words = ["raw", "aivat", "variance", "difference", "value", "scaled", "corrected"]
    assert [line.split()[0] for line in lines[1:]] == words
    unscaled = evaluate(log, "--player", "ann", "--no-fit").stdout.splitlines()
    assert [line.split()[0] for line in unscaled[1:]] == [word for word in words if word != "scaled"]
    assert "milli-antes/hand" in lines[1]
    assert "check-down" in lines[5]
    assert max(map(len, lines)) <= 80


def test_json(log):
    result = evaluate(log, "--player", "bob", *KNOWN, "--json")
    found = json.loads(result.stdout)
    assert found["hands"] == 120
    assert found["variance_ratio"] is None or found["variance_ratio"] > 1e6  # null: nothing varies any more
    assert found["reduced"]["half_width"] == pytest.approx(0, abs=1e-6)
    assert found["known"] == ["ann", "bob"]
    assert found["terms"]["hole cards"] == 120
    assert len(found["value"]["fingerprint"]) == 16
    again = json.loads(evaluate(log, "--player", "bob", *KNOWN, "--json", "--growth", "0.5").stdout)
    assert again["value"]["fingerprint"] != found["value"]["fingerprint"]
    assert again["raw"] == found["raw"]


def test_raw_is_the_score_of_the_log(log):
    score = dict(zip(*(part.split("|") for part in log.read_text().splitlines()[-1].split(":")[2:0:-1]), strict=True))
    found = json.loads(evaluate(log, "--player", "ann", "--method", "raw", "--json").stdout)
    assert found["raw"]["mean"] == pytest.approx(1000 * float(score["ann"]) / 120, abs=1e-5)
    assert found["raw"] == found["reduced"]


def test_imaginary_and_another_agent(log):
    found = json.loads(evaluate(log, "--player", "bob", "--method", "imaginary", *KNOWN, "--json").stdout)
    assert found["variance_ratio"] > 1.1
    target = ("--target", "always-fold")
    instead = json.loads(evaluate(log, "--player", "bob", "--method", "imaginary", *KNOWN, *target, "--json").stdout)
    assert instead["reduced"]["mean"] == pytest.approx(0, abs=instead["reduced"]["half_width"])
    assert instead["raw"] == found["raw"]


def test_the_exact_value_of_all_seatings(log):
    values = ("--value", "expectation", "--game", "leduc")
    found = json.loads(evaluate(log, "--player", "ann", *KNOWN, *values, "--json").stdout)
    assert found["reduced"]["half_width"] < found["raw"]["half_width"] / 20


def test_names_of_rule_agents_have_signs_of_equality(log, tmp_path):
    name, agent = "rules-tightness=0.2-bluffing=0.3", "rules:tightness=0.2,bluffing=0.3"
    path = tmp_path / "match.log"
    path.write_text(log.read_text().replace("bob", name))
    for other in (KNOWN[:2], ()):
        result = evaluate(path, "--player", "ann", "--agent", f"{name}={agent}", *other, "--json")
        assert json.loads(result.stdout)["known"][-1] == name, result.output


def test_limit_holdem(tmp_path):
    """Whose stacks are unlimited: values must not be scaled by them."""
    game = load_game("holdem-limit-2p")
    lines = []
    plan = MatchPlan(game, 150, 0, ("ann", "bob"), game_name="holdem-limit-2p")
    play_locally(plan, [load_agent("tight-aggressive"), load_agent("always-raise")], [1, 2], lines.append)
    path = tmp_path / "match.log"
    path.write_text("\n".join(lines) + "\n")
    for settings in ((), ("--no-fit",), ("--agent", "ann=tight-aggressive")):
        found = json.loads(evaluate(path, "--player", "ann", "--json", *settings).stdout)
        assert found["variance_ratio"] > 1.3
        assert not found["doubtful"]


def test_agents_that_translate_bets_at_random(tmp_path):
    """As trained agents do by default; the other player bets what it likes."""
    game = load_game("leduc-nolimit")
    problem = Problem(game, "fcpa")
    strategy = Strategy.uniform(problem.vector.layout)
    save_strategy(strategy, tmp_path / "any")
    agent = load_agent(str(tmp_path / "any"))
    lines = []
    plan = MatchPlan(game, 400, 0, ("any", "random"), game_name="leduc-nolimit")
    play_locally(plan, [agent, load_agent("random")], [1, 2], lines.append)
    path = tmp_path / "match.log"
    path.write_text("\n".join(lines) + "\n")
    known = ("--agent", f"any={tmp_path / 'any'}")
    found = json.loads(evaluate(path, "--player", "any", *known, "--json").stdout)
    assert found["variance_ratio"] > 2
    assert not found["doubtful"]
    assert "action" in found["terms"]


def test_players_of_one_name_are_refused(log, tmp_path):
    path = tmp_path / "match.log"
    path.write_text(log.read_text().replace("bob", "ann"))
    assert "ann has more than one seat" in evaluate(path, "--player", "ann", "--method", "raw").stderr


def test_a_variance_that_grew_is_told_so(log):
    lines = list(replace(_reduction(log), variance_ratio=0.5).lines())
    assert "variance    2.00 times larger" in lines


def _reduction(log):
    evaluation = Evaluation("ann", method="raw")
    for record in read_records(log):
        evaluation.add(record)
    return replace(evaluation.result(), method="aivat")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--player", "carl"), "carl plays in none of the hands"),
        (("--player", "ann", "--agent", "bob"), "write NAME=AGENT"),
        (("--player", "ann", "--agent", "ann=nobody"), "no agent 'nobody'"),
        (("--player", "ann", "--agent", "ann=nobody,name=random"), "no agent 'nobody,name=random'"),
        (("--player", "ann", "--agent", "ann=always-fold"), "match.log:"),
        (("--player", "ann", "--value", "expectation"), "needs --game and an --agent for every player"),
        (("--player", "ann", "--method", "imaginary"), "need the policy of ann"),
        (("--player", "ann", "--value", "matchups", "--game", "leduc"), "matchups are for hold'em"),
        (("--player", "ann", "--value", "own-hand", "--growth", "1"), "only check-down and matchups"),
        (("--player", "ann", "--target", "always-fold"), "--target always-fold with --method aivat"),
        (("--player", "ann", "--target", "always-fold", "--method", "raw"), "only imaginary evaluates another agent"),
        (("--player", "ann", "--agent", "ann=always-fold", "--method", "raw"), "need no agent"),
        (("--player", "ann", "--agent", "zed=random"), "zed plays in none of the hands"),
        (("--player", "ann", "--agent", "bob=random", "--agent", "bob=always-call"), "bob already has an agent"),
        (("--player", "ann", "--method", "raw", "--growth", "1"), "--growth 1 with --method raw"),
        (("--player", "ann", "--method", "raw", "--no-fit"), "--no-fit with --method raw"),
        (("--player", "ann", "--method", "raw", "--value", "own-hand"), "--value own-hand with --method raw"),
        (("--player", "bob", "--method", "imaginary", *KNOWN, "--value", "check-down"), "only aivat has a value"),
        (
            ("--player", "ann", "--method", "imaginary", *KNOWN, "--target", "random"),
            "the target does that and the policy",
        ),
    ],
)
def test_what_is_refused(log, arguments, message):
    result = evaluate(log, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
