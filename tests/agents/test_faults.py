"""Agents from files that fail: one sentence with name, hand and place, and no bug of Kibitz mistaken for theirs."""

import os
import subprocess
import sys

import pytest

from arena.text_seats import play_through_text
from kibitz.agents import load_agent
from kibitz.arena.duplicate import check_agents
from kibitz.arena.hosted import Hosting
from kibitz.arena.match import play_match
from kibitz.arena.plan import MatchPlan
from kibitz.arena.series import Series, play_series
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, load_game
from kibitz.parallel import Processes

KUHN = load_game("kuhn")
AGENT = """
import asyncio, os, sys
from kibitz.errors import AgentError

class Agent:
    name = "clumsy"
    def reset(self, game, seed): self.hands = 0
    def act(self, state): return "c"
    def observe(self, state, position): self.hands += 1
    {method}
"""


@pytest.fixture
def write(tmp_path):
    """Writes an agent with one method of its own, which stands in line 10, and gives its text for `load_agent`."""

    def write(method, text=AGENT):
        path = tmp_path / "clumsy.py"
        path.write_text(text.format(method=method))
        return f"{path}:Agent"

    return write


def play(text):
    play_match(KUHN, [load_agent(text), load_agent("random")], [0, 1], 10, AcpcCards(0))


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("def act(self, state): return 'c' if self.hands < 3 else 1 / 0", "in hand 3: ZeroDivisionError: division by"),
        ("def act(self, state): sys.exit(0)", "in hand 0: SystemExit: 0 ("),
        ("def act(self, state): raise GeneratorExit", "in hand 0: GeneratorExit ("),
        ("def act(self, state): raise KeyboardInterrupt", "in hand 0: KeyboardInterrupt ("),
        ("def act(self, state): raise asyncio.CancelledError('x')", "in hand 0: CancelledError: x ("),
        ("def act(self, state): raise type('Own', (BaseException,), {})", "in hand 0: Own ("),
        ("def act(self, state): os._exit(0)", "in hand 0: SystemExit: os._exit(0) ("),
        ("def observe(self, state, position): os._exit('x')", "in hand 0: SystemExit: os._exit('x') ("),
        ("def act(self, state): raise KeyError('\\x1b[2J')", "in hand 0: KeyError: '\\x1b[2J' ("),
        ("def act(self, state): raise OSError('\\x1b[2J')", "in hand 0: OSError: ?[2J ("),
        ("def observe(self, state, position): raise KeyError", "in hand 0: KeyError ("),
        ("def reset(self, game, seed): raise OSError('a\\nb')", "at the start of a match: OSError: a b ("),
    ],
)
def test_an_agent_that_fails_is_named_with_the_hand_and_the_place(write, method, message):
    with pytest.raises(AgentError) as caught:
        play(write(method))
    assert str(caught.value).startswith(f"clumsy failed {message}")
    assert str(caught.value).endswith("clumsy.py:10)")


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("def act(self, state): sys.exit(0)", "in hand 0: SystemExit: 0 ("),
        ("def act(self, state): raise GeneratorExit", "in hand 0: GeneratorExit ("),
        ("def act(self, state): os._exit(0)", "in hand 0: SystemExit: os._exit(0) ("),
        ("def observe(self, state, position): raise KeyError", "at the end of hand 0: KeyError ("),
        ("def reset(self, game, seed): raise OSError('a')", "at the start of a match: OSError: a ("),
    ],
)
def test_so_it_is_behind_the_protocol(write, method, message):
    plan = MatchPlan(KUHN, 3, 0, ("clumsy", "random"))
    with pytest.raises(AgentError) as caught:
        play_through_text(plan, [load_agent(write(method)), load_agent("random")], [0, 1])
    assert str(caught.value).startswith(f"clumsy failed {message}")
    assert str(caught.value).endswith("clumsy.py:10)")


def test_an_error_that_arose_deeper_is_told_with_both_places(write):
    with pytest.raises(AgentError, match=r"hand 0: IllegalActionError: 'x' in .*clumsy.py:10, from .*state.py:\d+\)$"):
        play(write("def act(self, state): return state.apply('x')"))


@pytest.mark.parametrize("method", ["def act(self): return 'c'", "def reset(self): pass"])
def test_methods_that_cannot_be_called_are_told(write, method):
    with pytest.raises(AgentError, match=r"^clumsy failed .*TypeError: .* \(.*clumsy\.py\)$"):
        play(write(method))


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("def __init__(self): raise KeyError('a')", r"makes no agent: KeyError: 'a' \(.*clumsy.py:10\)$"),
        ("def __init__(self): sys.exit()", r"makes no agent: SystemExit \(.*clumsy.py:10\)$"),
        ("def __init__(self): raise GeneratorExit", r"makes no agent: GeneratorExit \(.*clumsy.py:10\)$"),
        ("def __init__(self): os._exit(0)", r"makes no agent: SystemExit: os._exit\(0\) \(.*clumsy.py:10\)$"),
        ("def __init__(self, x): pass", r"makes no agent: TypeError: .* missing 1 required positional argument: 'x'$"),
        ("name = property(lambda self: 1 / 0)", r"makes no agent: ZeroDivisionError: .*clumsy.py:10\)$"),
        ("name = 3", "has the name 3: a name is a text"),
        ("sys.exit(0)", r"clumsy.py cannot be loaded: SystemExit: 0 \(.*clumsy.py:10\)$"),
        ("raise KeyboardInterrupt", r"clumsy.py cannot be loaded: KeyboardInterrupt \(.*clumsy.py:10\)$"),
    ],
)
def test_an_agent_that_cannot_be_made_is_told(write, method, message):
    with pytest.raises(AgentError, match=message):
        load_agent(write(method))


def test_ctrl_c_is_nobodys_fault(write):
    for way in ("signal.raise_signal(signal.SIGINT)", "_thread.interrupt_main()"):
        with pytest.raises(KeyboardInterrupt):
            play(write(f"def act(self, state): import _thread, signal; {way}; return 'c'"))


def test_an_error_whose_text_fails_is_told_by_its_kind(write):
    kind = "type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})"
    with pytest.raises(AgentError, match=r"^clumsy failed in hand 0: Mute \(.*clumsy.py:10\)$"):
        play(write(f"def act(self, state): raise {kind}"))


def test_a_long_answer_is_cut(write):
    with pytest.raises(AgentError) as caught:
        play(write("def act(self, state): return 'x' * 10 ** 6"))
    assert len(str(caught.value)) < 2000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that are forked")
def test_processes_that_an_agent_forks_may_end(write):
    play(write("def observe(self, state, position): os.waitpid(os.fork() or os._exit(0), 0)"))


def test_what_an_agent_says_itself_stays(write):
    with pytest.raises(AgentError, match=r"^not this game$"):
        play(write("def reset(self, game, seed): raise AgentError('not this game')"))


def test_an_agent_may_come_from_another_module(write, tmp_path, monkeypatch):
    write("def act(self, state): return 1 / 0")
    (tmp_path / "clumsy.py").rename(tmp_path / "clumsy_library.py")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AgentError, match=r"^clumsy failed in hand 0: .*clumsy_library.py:10\)$"):
        play(write("", "from clumsy_library import Agent"))


def test_bugs_of_kibitz_keep_their_tracebacks(write, monkeypatch):
    monkeypatch.setattr("kibitz.games.State.seen_by", lambda state, position: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        play(write(""))


def test_agents_given_as_objects_raise_what_they_raise():
    class LeavingError(Exception):
        pass

    class Leaving:
        name = "leaving"

        def reset(self, game, seed):
            raise LeavingError

        def act(self, state):
            return "c"

        def observe(self, state, position):
            pass

    with pytest.raises(LeavingError):
        play_match(KUHN, [Leaving(), Leaving()], [0, 0], 1, AcpcCards(0))


def test_a_worker_that_an_agent_ends_is_told_with_the_match(write):
    text = write("def act(self, state): os.kill(os.getpid(), 9)")
    series = Series(KUHN, (text, "random"), hands=2)
    with pytest.raises(AgentError, match=r"the first match without a result is number 0 of clumsy, random$"):
        dict(play_series(series, Processes(1)))


@pytest.mark.parametrize("executor", ["in-process", "processes"])
@pytest.mark.parametrize("way", ["sys.exit(0)", "raise GeneratorExit"])
def test_the_command_line_prints_one_line(write, executor, way):
    text = write(f"def act(self, state): {way}")
    command = [sys.executable, "-m", "kibitz", "match", text, "random", "--game", "kuhn", "--hands", "5"]
    done = subprocess.run([*command, "--executor", executor], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: clumsy failed in hand 0: {'SystemExit: 0' if 'sys' in way else 'Generator'}")
    assert done.stderr.count("\n") == 1


AGREEABLE = """
class Agreeable(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
    def __getitem__(self, key): return self
    def isprintable(self): return True
    def __len__(self): return 1

class Liar:
    __class__ = str

class Agent:
    name = NAME
    def reset(self, game, seed): pass
    def act(self, state): return ANSWER
    def observe(self, state, position): pass
"""


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("answer", ["Agreeable('all my chips')", "Liar()", "Agreeable('')"])
def test_an_answer_that_says_it_is_legal_is_looked_at_as_a_text(tmp_path, answer, isolate):
    path = tmp_path / "agreeable.py"
    path.write_text(AGREEABLE.replace("ANSWER", answer).replace("NAME", "Agreeable('nice')"))
    with (
        pytest.raises(AgentError, match=r"^nice answered .*: legal are"),
        Hosting(isolate).made(f"{path}:Agent") as agent,
    ):
        play_match(KUHN, [agent, load_agent("random")], [0, 1], 10, AcpcCards(0))


@pytest.mark.parametrize("isolate", [False, True])
def test_kinds_of_texts_that_are_honest_are_answers(tmp_path, isolate):
    path = tmp_path / "honest.py"
    path.write_text(AGREEABLE.replace("ANSWER", "__import__('numpy').str_('c')").replace("NAME", "'honest'"))
    with Hosting(isolate).made(f"{path}:Agent") as agent:
        assert play_match(KUHN, [agent, load_agent("always-call")], [0, 1], 4, AcpcCards(0)).shape == (4, 2)


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("''", r"has the name '' of 0 letters: a name has 1 to 100$"),
        ("' '", r"has the name ' ' of 1 letters: a name has 1 to 100$"),
        ("'x' * 100_000", r"has the name 'x{20}'\.\.\. of 100,000 letters: a name has 1 to 100$"),
        ("Agreeable('a\\nb')", "control characters"),
        ("7", "a name is a text"),
    ],
)
def test_names_can_stand_in_a_table(tmp_path, name, message, isolate):
    path = tmp_path / "named.py"
    path.write_text(AGREEABLE.replace("ANSWER", "'c'").replace("NAME", name))
    with pytest.raises(AgentError, match=message), Hosting(isolate).made(f"{path}:Agent"):
        pass


def test_names_of_agents_that_are_passed_as_classes_too():
    class Nobody:
        name = ""
        reset = act = observe = print

    with pytest.raises(AgentError, match="a name has 1 to 100"):
        check_agents([Nobody])
