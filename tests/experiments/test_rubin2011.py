"""Rubin and Watson 2011: the run-off of 2010, and the substitutes for what cannot be run."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from math import isfinite

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.experiments.ledger import load_ledger
from kibitz.experiments.published import NOT_RUN, Effort, compute, gather
from kibitz.experiments.rubin2011 import EXPERIMENTS, TABLE_6_INTERVALS, TABLES, draw_loss, imitation, substitute
from kibitz.experiments.rubin2011.fidelity import ABLATIONS, Answers, Judge, ablate, answer
from kibitz.experiments.rubin2011.imitation import Imitation
from kibitz.experiments.rubin2011.pluribus import imitate, read_hands
from kibitz.experiments.rubin2011.presets import PRESETS, Preset
from kibitz.experiments.rubin2011.sessions import Question, Session, likely_action, read_questions, table_of, write_log
from kibitz.games import load_game
from kibitz.io.files import read_records
from kibitz.io.replay import replay_file
from kibitz.modelling.cases import CaseIndex, Features, Similarity, load_cases
from kibitz.solvers.problem import Problem

GAME = load_game("holdem-nolimit-2p")
TINY = Preset(
    expert="tight-aggressive",
    field=("loose-passive", "random"),
    run_off=("loose-passive",),
    points=(40, 80),
    log=20,
    held_out=30,
    deals=5,
    piece=2,
    strength="made-hand",
)


def reproduce(name: str, experiments=EXPERIMENTS):
    experiment = experiments[name].at(Effort("smoke"))
    return gather("rubin2011", name, experiment, compute(experiment))


def test_table_5_is_antisymmetric():
    for row, figures in TABLES["table-5"].rows.items():
        for column, figure in zip(TABLES["table-5"].columns, figures, strict=True):
            other = TABLES["table-5"].rows[column][TABLES["table-5"].columns.index(row)]
            assert figure == -other or (figure != figure and other != other)


def test_the_run_off_is_that_of_table_6():
    found = reproduce("table-6")
    assert found.counts["reproduced"] == 14
    assert set(found.counts) <= {"reproduced", NOT_RUN}  # who was dropped has no figure in later rounds
    computed = [sum(cell.verdict != NOT_RUN for cell in cells) for cells in found.rows.values()]
    assert computed == [len(widths) for widths in TABLE_6_INTERVALS.values()]
    assert found.values["dropped"] == ["c4tw.iro", "PokerBotSLO", "Tartanian4.iro", "SartreNL"]
    assert found.values["ranking"][0] == "Hyperborean.iro"


def test_table_5_is_declared():
    assert set(reproduce("table-5").counts) == {NOT_RUN}


def session(path, number: int = 0, hands: int = 20, seed: int = 3) -> Session:
    others = ("loose-passive", "random", "tight-aggressive")
    return Session(GAME, "tight-aggressive", others, hands, number, seed, path)


def test_logs_hold_hands_against_everybody(tmp_path):
    log = write_log(session(tmp_path / "0.log"))
    assert replay_file(log).differences == 0
    records = list(read_records(log))
    assert [record.hand for record in records] == [str(number) for number in range(20)]
    opponents = [next((name for name in each.players if name != "tight-aggressive"), "itself") for each in records]
    assert [opponents.count(name) for name in ("loose-passive", "random", "itself")] == [7, 7, 6]
    seats = [each.players.index("tight-aggressive") for each in records[:14]]
    assert seats.count(0) in (7, 8)  # both seats
    assert not list(tmp_path.glob("*.partial"))


def test_who_gets_the_odd_hands_changes(tmp_path):
    shares = [session(tmp_path, number).shares for number in range(3)]
    assert np.sum(shares, axis=0).tolist() == [20, 20, 20]
    assert all(sum(each) == 20 for each in shares)


def test_a_log_depends_on_seed_and_number_only(tmp_path):
    texts = {
        (number, seed): write_log(session(tmp_path / "x.log", number, seed=seed)).read_text()
        for number, seed in ((0, 3), (1, 3), (0, 4))
    }
    assert len(set(texts.values())) == 3
    assert write_log(session(tmp_path / "again.log")).read_text() == texts[0, 3]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return Imitation(TINY, Effort(folder=tmp_path_factory.mktemp("imitation")))


def test_fidelity(tiny):
    found = tiny.part("fidelity")
    assert [point["hands"] for point in found["curve"]] == [40, 80]
    assert found["curve"][1]["cases"] > found["curve"][0]["cases"]
    last = found["curve"][1]
    assert last["imitation"]["taken"] == found["ablations"]["all features"]["taken"]
    assert last["strength only"]["taken"] == found["ablations"]["strength only"]["taken"]
    assert 0.4 < last["imitation"]["taken"]["share"] <= 1
    assert last["imitation"]["likely"] is None
    assert found["ablations"]["all features"]["difference"] == {"share": 0, "low": 0, "high": 0}
    assert sum(each["decisions"] for each in found["rounds"]) == found["decisions"]


def test_what_is_asked_was_not_learnt(tiny):
    learnt = {(record.deal, record.history) for log in tiny.logs(80) for record in read_records(log)}
    assert len(learnt) > 60
    asked = read_questions(tiny.questions())
    assert asked["hand"].n_unique() > 20
    again = {record.deal for record in read_records(write_questions_as_log(tiny))}
    assert not again & {deal for deal, _ in learnt}


def write_questions_as_log(tiny):
    """The hands that are asked about, as a log."""
    path = tiny.questions()[0]
    task = tiny.sessions(TINY.held_out, 1, str(path.with_name("{}.log")))[0]
    return write_log(task)


def test_more_hands_contain_the_fewer(tiny):
    few, many = (load_cases(tiny.cases(hands)) for hands in TINY.points)
    joined = few.rows.join(many.rows, on=["sequence", "strength", "commitment", "texture", "action"], suffix="_many")
    assert len(joined) == len(few.rows)
    assert (joined["count_many"] >= joined["count"]).all()


def test_matches(tiny):
    loss = tiny.part("loss")
    assert set(loss["policies"]) == {"probabilistic", "majority", "best-outcome"}
    assert loss["policies"]["probabilistic"] == loss["hands"]["80"] == loss["features"]["all features"]
    mappings = tiny.part("mappings")
    assert set(mappings["imitation"]["rand-geo-1"]) == {"loose-passive", "random", "expert"}
    assert mappings["imitation"]["rand-geo-1"]["expert"] == loss["hands"]["80"]
    assert set(mappings["expert"]) == {"loose-passive", "random"}
    run_off = tiny.part("run-off")
    assert sorted(run_off["ranking"]) == ["expert", "imitation", "loose-passive"]
    assert len(run_off["rounds"]) == 2
    assert "<svg" in draw_loss(loss)


def test_a_stopped_run_goes_on(tiny, tmp_path):
    """Some logs and some matches are there: the rest is made, and all is as in a straight run."""
    first = Imitation(TINY, Effort(folder=tmp_path))
    for name in ("fidelity", "loss"):
        first.part(name)
    kept = first.logs(80)[0].stat().st_mtime_ns
    for path in (*first.logs(80)[1:], first.cases(80)):
        path.unlink()
    ledger = first.ledger
    pieces = [name for name in ledger.found if "piece" in name]
    ledger.found = {name: ledger.found[name] for name in pieces[:-7]}
    ledger.save(tmp_path / "short" / "imitation.json.gz")
    second = Imitation(TINY, Effort(folder=tmp_path))
    for name in ("fidelity", "loss"):
        found = second.part(name)
        assert found == tiny.part(name)
    assert second.logs(80)[0].stat().st_mtime_ns == kept
    assert second.cases(80).read_bytes() == tiny.cases(80).read_bytes()


def test_processes_change_nothing(tiny, tmp_path):
    other = Imitation(TINY, Effort(folder=tmp_path, threads=2))
    assert other.cases(80).read_bytes() == tiny.cases(80).read_bytes()


def test_another_plan_is_refused(tiny, tmp_path):
    Imitation(TINY, Effort(folder=tmp_path))
    Imitation(TINY, Effort(folder=tmp_path))
    with pytest.raises(KibitzError, match="its deals is 5, here it is 6"):
        Imitation(replace(TINY, deals=6), Effort(folder=tmp_path))
    with pytest.raises(KibitzError, match="seed"):
        Imitation(TINY, Effort(folder=tmp_path, seed=1))


def test_finished_pieces_are_not_played_again(tmp_path, monkeypatch):
    whole, part = (Imitation(TINY, Effort(folder=tmp_path / name)) for name in ("whole", "part"))
    found, pair = whole.rates([("expert", "random")]), ("expert", "random")
    part.ledger.put("expert v random, piece 0", whole.ledger.found["expert v random, piece 0"])
    played = []
    real = imitation.play_duplicate
    monkeypatch.setattr(
        imitation, "play_duplicate", lambda match: played.append((match.number, match.hands)) or real(match)
    )
    assert part.rates([pair]) == found
    assert played == [(1, 2), (2, 1)]
    assert found[pair].samples == 5


def asked(index: CaseIndex) -> list[Question]:
    case = index.case(0)
    letter = index.base.description.alphabet[case.actions.index(max(case.actions))]
    return [
        Question(case.features, letter, letter, 0),
        Question(case.features, "t", letter, 1),
        Question(Features(1, "ppppppp", 1, "A"), "c", "f", 1),
    ]


def test_agreement_counts(tiny):
    index = CaseIndex(load_cases(tiny.cases(40)))
    questions = table_of(asked(index))
    judge = Judge(questions)
    found = judge.judge(answer(index, questions))
    assert found["taken"]["share"] == pytest.approx(2 / 3)
    assert found["likely"]["share"] == pytest.approx(2 / 3)
    assert found["fallbacks"] == pytest.approx(1 / 3)
    assert judge.ceiling()["share"] == pytest.approx(1 / 3)
    removed = ablate(index.base, questions)
    assert set(removed) == set(ABLATIONS)
    assert removed["all features"].letters.equals(answer(index, questions).letters)


def test_answers_are_those_of_retrieval_one_by_one(tiny):
    """The memory of an index does not mix up decisions that differ in what counts."""
    base, questions = load_cases(tiny.cases(80)), read_questions(tiny.questions())
    for name, answers in ablate(base, questions).items():
        for row, letter in zip(questions.iter_rows(named=True), answers.letters, strict=True):
            index = CaseIndex(base, Similarity(weights=ABLATIONS[name]))
            found = index.retrieve(Features(row["strength"], row["sequence"], row["commitment"], row["texture"])).cases
            plain = base.description.alphabet[int(index.solution(found).actions.argmax())] if len(found) else "c"
            assert letter == plain, (name, row)


def test_intervals_are_by_hand():
    """Decisions of a hand that are all alike count as one: ten times the decisions do not make intervals narrower."""
    rng = np.random.default_rng(0)
    right = rng.random(200) < 0.7

    def interval(copies: int) -> dict[str, float]:
        letters = np.repeat(np.where(right, "c", "f"), copies)
        rows = [Question(Features(1, "", 1, "A"), "c", None, hand) for hand in np.repeat(np.arange(200), copies)]
        judge = Judge(table_of(rows))
        return judge.judge(Answers(pl.Series(letters), pl.Series(np.zeros(len(rows), dtype=bool))))["taken"]

    one, ten = interval(1), interval(10)
    assert one == pytest.approx(ten)
    share = right.mean()
    assert one["share"] == share
    expected = 2 * 1.96 * np.sqrt(share * (1 - share) / 200)
    assert one["high"] - one["low"] == pytest.approx(expected, rel=0.1)


def test_a_strategy_tells_what_it_does_most_often():
    """The likely action is taken more often than any other, here always."""
    from kibitz.agents.strategic import StrategyAgent
    from kibitz.games import Deal, State
    from kibitz.strategy import Strategy

    problem = Problem(load_game("leduc-nolimit"), "fcpa")
    uniform = Strategy.uniform(problem.vector.layout)
    agent = StrategyAgent(uniform, problem.sampled.deal)
    agent.reset(problem.game, 0)
    deck = problem.game.deck
    state = State.start(problem.game, Deal(((deck[0],), (deck[1],)), (deck[2],)))
    seen = state.seen_by(state.player)
    agent.act(seen)
    assert likely_action(agent, seen) in ("c", "f")  # of equals the first
    assert likely_action(object(), seen) is None


def test_presets():
    assert PRESETS["full"].points[-1] == 1_000_000
    with pytest.raises(KibitzError, match="some logs of 20"):
        replace(TINY, points=(30,))
    with pytest.raises(KibitzError, match="not in the field"):
        replace(TINY, run_off=("always-fold",))


def program(*arguments):
    return CliRunner().invoke(main, ("reproduce", "rubin2011", *arguments))


def test_the_program(monkeypatch, tmp_path):
    monkeypatch.setitem(PRESETS, "smoke", TINY)
    options = ("mappings", "loss", "--preset", "smoke", "--out", str(tmp_path), "--with", "rival=always-call")
    result = program(*options)
    assert result.exit_code == 0, result.output
    mappings, loss = json.loads((tmp_path / "results.json").read_text())
    assert "always-call" in mappings["expert"]
    assert mappings["chosen"] == [["rival", "always-call"]]
    assert loss["picture"].startswith("<svg")
    ledger = load_ledger(tmp_path / "work" / "rubin2011" / "smoke" / "imitation.json.gz")
    assert ledger.found["mappings"]["expert"] == mappings["expert"]
    assert ledger.made["agent always-call"] == "always-call"
    again = program("loss", "--preset", "smoke", "--out", str(tmp_path))
    assert again.exit_code == 2
    assert "was made with other settings" in again.output


def met(folder, *rivals, preset="smoke"):
    """An effort with some rivals."""
    return Effort(preset, folder=folder, chosen=tuple(("rival", each) for each in rivals))


@pytest.mark.parametrize("name", ["fidelity", "ablations", "loss", "mappings", "run-off"])
def test_substitutes_fill_their_tables(name):
    found = reproduce(name)
    left_out = {"run-off": 3, "mappings": 1}  # the dropped in later rounds; the expert does not play itself
    missing = [cell for cells in found.rows.values() for cell in cells if cell.verdict == NOT_RUN]
    assert len(missing) in (0, left_out.get(name, 0))
    assert all(isfinite(cell.ours) for cells in found.rows.values() for cell in cells if cell.verdict != NOT_RUN)


def test_substitutes_without_an_expert_are_declared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    experiments = {name: substitute(name, Effort("full")) for name in ("fidelity", "loss", "run-off")}
    assert all(experiment.find is None for experiment in experiments.values())
    assert "kibitz train blueprint" in experiments["fidelity"].notes[0]
    assert set(reproduce("loss", experiments).counts) == {NOT_RUN}


def test_rivals_have_rows_by_their_names(tiny, tmp_path, monkeypatch):
    monkeypatch.setitem(PRESETS, "smoke", TINY)
    rock = shutil.copy(tiny.cases(40), tmp_path / "rock.parquet")
    found = reproduce(
        "mappings", {"mappings": substitute("mappings", met(tmp_path / "work", str(rock), f"{rock},name=stone"))}
    )
    assert {"rock", "stone"} <= {row for row, cells in found.rows.items() if isfinite(cells[0].ours)}


@pytest.mark.parametrize(
    ("expert", "rivals", "told"),
    [
        ("", ["rock.parquet,name=expert"], "'expert' is the expert tight-aggressive and the rival .*name=expert; "),
        ("", ["imitation.parquet"], "'imitation' is the imitation and the rival .*imitation.parquet,name=\\.\\.\\."),
        ("", ["rock.parquet,name=tight-aggressive"], "'tight-aggressive' is the expert tight-aggressive and the rival"),
        ("", ["rock.parquet,name=random"], "'random' is the field's random and the rival .*rock.parquet"),
        ("", ["rock.parquet", "more/rock.parquet"], "'rock' is the rival .* and the rival .*more/rock.parquet; give"),
        ("", ["rock.parquet,name=80 hands"], "'80 hands' is the imitation and the rival"),
        ("", ["always-call", "always-call"], "the rival always-call and the rival always-call; choose another"),
        ("imitation.parquet", [], "'imitation' is the expert .* and the imitation; .*imitation.parquet,name="),
        ("rock.parquet", ["rock.parquet"], "'rock' is the expert .*rock.parquet and the rival .*rock.parquet"),
        ("random", [], "'random' is the expert random and the field's random"),
    ],
)
def test_two_players_of_one_name_are_refused(tiny, tmp_path, monkeypatch, expert, rivals, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more").mkdir()
    for name in ("rock.parquet", "imitation.parquet", "more/rock.parquet"):
        shutil.copy(tiny.cases(40), tmp_path / name)
    with pytest.raises(KibitzError, match=told):
        Imitation(replace(TINY, expert=expert or TINY.expert), met(tmp_path / "out", *rivals))
    assert not (tmp_path / "out").exists()


def test_the_expert_may_be_called_so(tiny, tmp_path):
    named = Imitation(replace(TINY, expert=f"{tiny.cases(40)},name=expert"), Effort(folder=tmp_path))
    assert named.ledger.made["expert"] == "expert"


PROGRAM = """
from kibitz.agents.frequency import always_call


def mine():
    agent = always_call()
    agent.name = "mine"
    return agent
"""


def test_agents_from_other_files_are_refused(tiny, tmp_path):
    cases, program, out = tmp_path / "rock.parquet", tmp_path / "mine.py", tmp_path / "out"
    shutil.copy(tiny.cases(40), cases)
    program.write_text(PROGRAM)

    def begin(expert: str = str(cases)) -> None:
        Imitation(replace(TINY, expert=expert), met(out, f"{program}:mine"))

    begin()
    begin()
    with pytest.raises(KibitzError, match=r"its agent rock is .*, here it is .*policy=majority"):
        begin(f"{cases},policy=majority")
    shutil.copy(tiny.cases(80), cases)
    with pytest.raises(KibitzError, match=r"its agent rock is .*rock.parquet [0-9a-f]{16}', here it is"):
        begin()
    shutil.copy(tiny.cases(40), cases)
    program.write_text(PROGRAM + "# another\n")
    with pytest.raises(KibitzError, match=r"agent mine is .*mine [0-9a-f]{16}', here it is .*choose another folder"):
        begin()
    program.write_text(PROGRAM)
    begin()


def test_an_agent_by_name_is_not_one_from_a_file(tiny, tmp_path):
    Imitation(TINY, met(tmp_path, f"{tiny.cases(40)},name=always-call"))
    with pytest.raises(KibitzError, match=r"its agent always-call is .*, here it is 'always-call'"):
        Imitation(TINY, met(tmp_path, "always-call"))


def log_of(path, names: tuple[str, str] = ("Pluribus", "wild"), hands: int = 60):
    """A log of hands for two, of a careful player and one who bets anything."""
    plan = MatchPlan(GAME, hands, 3, names, game_name="holdem-nolimit-2p")
    lines: list[str] = []
    play_locally(plan, [load_agent("tight-aggressive"), load_agent("example-player")], [1, 2], lines.append)
    path.write_text("\n".join(lines) + "\n")
    return path


def break_hands(log, count: int) -> None:
    """Give the first hands of a log results that they do not have."""
    lines = log.read_text().splitlines()
    states = [number for number, line in enumerate(lines) if line.startswith("STATE:")]
    for number in states[:count]:
        *parts, _chips, names = lines[number].split(":")
        lines[number] = ":".join([*parts, "7|-7", names])
    log.write_text("\n".join(lines) + "\n")


def test_broken_hands_are_counted(tmp_path):
    log = log_of(tmp_path / "match.log")
    whole = read_hands([log])
    assert (len(whole.seats), whole.bad, whole.tables) == (60, [], [2])
    break_hands(log, 3)
    hands = read_hands([log])
    assert (len(hands.seats), len(hands.bad)) == (57, 3)
    found = imitate(hands, "made-hand")
    assert (found["hands"], found["bad"], found["others"]) == (45, 3, 0)


def test_hands_that_are_of_no_use(tmp_path):
    strangers = log_of(tmp_path / "match.log", ("rock", "wild"))
    with pytest.raises(KibitzError, match="no player 'Pluribus' in 60 hands, whose players are 'rock', 'wild'"):
        read_hands([strangers])
    few = log_of(tmp_path / "few.log", hands=1)
    with pytest.raises(KibitzError, match="1 hands of 'Pluribus' are too few: every fifth is asked about"):
        read_hands([few])
    break_hands(few, 1)
    with pytest.raises(KibitzError, match=r"few.log: there is no hand to learn from \(1 broken places were"):
        read_hands([few])


def test_nothing_to_judge_by():
    with pytest.raises(KibitzError, match="no decision to judge"):
        Judge(table_of([]))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["pluribus", "--with", "pluribus=match.log"], "no player 'Pluribus'"),
        (["pluribus", "--with", "pluribus=nowhere.log"], "nowhere.log"),
        (["pluribus", "--with", "pluribus=notes.txt"], "notes.txt: not a hand history"),
        (["loss", "--seed", "-1"], "Invalid value for '--seed': -1"),
        (["loss", "--out", "notes.txt/x"], "notes.txt"),
        (["loss", "--with", "rival=random"], "two players have one name"),
        (["loss", "--with", "friend=random"], "no option 'friend' of rubin2011: expert=VALUE, an agent by name"),
    ],
)
def test_the_program_refuses_before_it_works(tmp_path, monkeypatch, options, told):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PRESETS, "smoke", TINY)
    monkeypatch.setattr(Imitation, "rates", lambda *_: pytest.fail("the long work began"))
    log_of(tmp_path / "match.log", ("rock", "wild"))
    (tmp_path / "notes.txt").write_text("nothing\n")
    result = program("--preset", "smoke", *options)
    assert result.exit_code == 2, result.output
    assert told in " ".join(result.output.split())


def test_the_program_tells_of_broken_hands(tmp_path, monkeypatch):
    monkeypatch.setitem(PRESETS, "smoke", TINY)
    log = log_of(tmp_path / "match.log")
    break_hands(log, 2)
    result = program("pluribus", "--preset", "smoke", "--with", f"pluribus={log}", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert "2 broken places were passed over" in " ".join(document["notes"])
    assert document["bad"] == 2
    assert {cell["verdict"] for cells in document["rows"].values() for cell in cells} == {"ours alone"}


def test_pluribus_is_imitated(data):
    found = imitate(read_hands([data / "phh" / "pluribus-sessions.tar.xz"]), "made-hand")
    assert found["decisions"] > 1000
    assert found["bad"] == 0
    rates = {name: each["taken"]["share"] for name, each in found["agreement"].items()}
    assert rates["all features"] > rates["strength only"]
    assert rates["all features"] > rates["without strength"]
