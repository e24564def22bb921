"""What `import kibitz` offers: pinned names, examples that run, results that show themselves."""

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

import kibitz
from kibitz.training.presets import PRESETS, Blueprint, Preset

NAMES = [
    "KibitzError",
    "State",
    "best_response",
    "compute_equity",
    "exploitability",
    "load_agent",
    "load_game",
    "load_strategy",
    "play_match",
    "play_tournament",
    "read_hands",
    "solve",
    "solve_spot",
    "train_agent",
    "translate_bet",
]


def test_the_names_are_these():
    assert sorted(kibitz.__all__) == sorted(["__version__", *NAMES])
    assert dir(kibitz) == sorted(kibitz.__all__)  # and none of what was imported on the way
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        _ = kibitz.sovle


@pytest.mark.parametrize("name", ["__doc__", *NAMES])
def test_the_examples_run(name, tmp_path, monkeypatch):
    """Every public name has an example; that all of it is skipped does not count."""
    monkeypatch.chdir(tmp_path)
    thing = kibitz if name == "__doc__" else getattr(kibitz, name)
    names = vars(import_module(thing.__module__)) if name != "__doc__" else {}
    example = doctest.DocTestParser().get_doctest(thing.__doc__, dict(names), name, None, 0)
    assert any(doctest.SKIP not in each.options for each in example.examples)
    assert not doctest.DocTestRunner().run(example).failed


def test_importing_loads_nothing_heavy():
    heavy = "{'numpy', 'numba', 'scipy', 'polars'}"
    program = f"import sys, kibitz; kibitz.KibitzError; print(sorted({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_five_lines_to_a_curve(tmp_path):
    solution = kibitz.solve("leduc", 50)
    assert [each.iteration for each in solution.curve] == [1, 2, 4, 8, 16, 32, 50]
    assert solution.exploitability == kibitz.exploitability(solution) < 0.1
    assert repr(solution) == str(solution)  # at a prompt: the answer, not its arrays
    assert str(solution).startswith("leduc: exploitability 0.0")
    shown = solution._repr_html_()
    assert "<svg" in shown
    assert "iterations of dcfr" in shown
    assert len(solution.plot().axes) == 2
    solution.save(tmp_path / "mine")
    assert kibitz.exploitability(tmp_path / "mine") == pytest.approx(solution.exploitability, abs=1e-12)
    assert kibitz.load_agent(str(tmp_path / "mine")).name == "mine"
    assert kibitz.load_strategy(tmp_path / "mine").manifest["suits"] == "merged"


def test_seats_may_differ():
    solution = kibitz.solve("leduc-nolimit", 20, menus=["fcpa", "0.5, all-in"])
    menus = solution.strategy.layout.tree.menus
    assert menus[0] != menus[1]


def test_an_abstract_solution_says_so():
    said = "in its abstract game; in the real one not measured"
    solution = kibitz.solve("leduc-nolimit", 2, menus="all-in")
    assert said in str(solution)
    assert said in solution.plot().get_suptitle()
    exact = kibitz.solve("leduc", 2)
    assert "abstract" not in str(exact) + exact.plot().get_suptitle()


def test_a_trained_agent_knows_what_it_loses_in_the_real_game(monkeypatch, tmp_path):
    blind = Blueprint("holdem-limit-2p", "limit", "one-bucket", 10, "dcfr", 4)
    monkeypatch.setitem(PRESETS, "tiny", Preset("no cards at all", {"limit": blind}))
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    solution = kibitz.train_agent("tiny", "limit", lbr_boards=2)
    real = solution.strategy.manifest["real"]
    assert f"at least {real['lower']:,.0f} ± {real['half_width']:,.0f} mbb/hand in the real one (LBR)" in str(solution)
    with pytest.raises(kibitz.KibitzError, match="lbr_boards"):
        kibitz.train_agent("tiny", "limit", lbr_boards=-1)


def test_a_best_response_wins_what_the_strategy_can_lose():
    solution = kibitz.solve("kuhn", 10)
    response = kibitz.best_response(solution)
    assert response.layout.size == solution.strategy.layout.size


def test_a_match_prints_the_answer():
    result = kibitz.play_match(["always-call", "random"], "leduc", 200, seed=3)
    first = str(result).splitlines()[0]
    assert first.startswith("always-call  ")
    assert first.endswith("milli-antes/hand, 400 hands")
    assert result.rates["random"].mean == -result.rates["always-call"].mean
    assert "rgba" in result._repr_html_()


def test_a_tournament_shows_its_cross_table():
    result = kibitz.play_tournament(["always-call", "random", "always-fold"], "leduc", 20, 2)
    assert sorted(result.ranking) == ["always-call", "always-fold", "random"]
    assert result._repr_html_().count("<tr>") == 4
    assert result.plot().lstrip().startswith("<")
    assert result.ranking[0] in str(result)


def test_a_spot_shows_its_grid():
    spot = kibitz.solve_spot("Qs Jh 2h 8d 3c", 20, 60, "AA,QJs,T9s", "QQ,AQs,KTs", "0.5, all-in", iterations=50)
    assert sum(spot.values) == pytest.approx(20, abs=1e-3)
    assert spot.at("c").player == 1
    assert "AKs" in spot._repr_html_() or "<svg" in spot._repr_html_()


def test_hands_are_read(tmp_path):
    log = tmp_path / "one.log"
    log.write_text("STATE:0:r300c/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:-300|300:a|b\n")
    (hand,) = kibitz.read_hands(log, "holdem-nolimit-2p")
    assert hand.players == ("a", "b")


def test_bad_input_is_one_sentence():
    with pytest.raises(kibitz.KibitzError, match="no algorithm 'magic'"):
        kibitz.solve("kuhn", 5, algorithm="magic")
    with pytest.raises(kibitz.KibitzError, match="no kind 'omaha' of agent: there are nolimit, limit"):
        kibitz.train_agent("quick", "omaha")
