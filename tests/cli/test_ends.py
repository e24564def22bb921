"""How commands end when somebody has seen enough: Ctrl-C, and readers of the output who leave."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from kibitz.arena.server import Dealer
from kibitz.cli import main
from kibitz.cli._errors import interrupts_kept
from kibitz.spots import SpotCFR
from modelling.expert_logs import play_log

PROGRAM = [sys.executable, "-c", "from kibitz.cli import main; main()"]
SPOT = ("spot", "--board", "Qs Jh 2h 8d 3c", "--pot", "20", "--stack", "60", "--oop", "AA,QJs", "--ip", "QQ,KTs")


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def start(*words: str, unbuffered: str = "", **streams) -> subprocess.Popen:
    """A command that hears Ctrl-C, which programs that were started in the background do not."""
    return subprocess.Popen(
        [*PROGRAM, *words],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )


def test_an_interrupt_is_130(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("kibitz.games.dealing.deal_hands", interrupt)
    result = run("acpc", "deal", "kuhn")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Interrupted.\n")


def test_an_interrupt_of_the_compiler_comes_when_it_is_done():
    compiler = {"__name__": "llvmlite.binding", "signal": signal}
    exec("def compiles():\n signal.raise_signal(signal.SIGINT)\n return 'compiled'", compiler)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with interrupts_kept():
            assert compiler["compiles"]() == compiler["compiles"]() == "compiled"  # pressed twice
            with pytest.raises(KeyboardInterrupt):
                time.sleep(60)
            time.sleep(0.2)  # once is enough
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            compiler["compiles"]()
        time.sleep(0.2)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    "words",
    [
        ("match", "random", "tight-aggressive", "--hands", "1000000"),
        ("tournament", "random", "tight-aggressive", "--matches", "100000", "--executor", "processes"),
    ],
)
def test_a_running_command_is_interrupted_quietly(words, tmp_path):
    out = tmp_path / "series"
    with start(*words, "--out", str(out)) as process:
        while not (out / "checkpoint.npz").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, f"Interrupted. To go on, add --resume: {out} has a checkpoint.\n")


def children(parent: int) -> list[int]:
    """The processes that `parent` has started, its own helpers included."""
    return [int(word) for word in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def is_running(process: int) -> bool:
    """Whether there is such a process, and not only its remains that nobody has buried."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def long_log(tmp_path_factory):
    """A log that takes a minute to read; most hands are the same, which nobody minds."""
    log = play_log(tmp_path_factory.mktemp("logs") / "long.log", ("tight-aggressive", "loose-passive"), 100)
    head, *hands = log.read_text().splitlines(keepends=True)
    log.write_text(head + "".join(hands) * 5000)
    return log


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("command", ["cases", "tournament"])
def test_workers_end_with_their_command(command, number, long_log, tmp_path):
    words = {
        "cases": ["imitate", "build", str(long_log), "--expert", "tight-aggressive", "--strength", "made-hand"],
        "tournament": ["tournament", "random", "tight-aggressive", "--matches", "100000", "--executor", "processes"],
    }[command]
    words += ["--workers", "2"] if command == "cases" else []
    with start(*words, "--out", str(tmp_path / "out")) as process:
        while len(workers := children(process.pid)) < 3:  # two workers, and who cleans up behind them
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(2)  # they have begun
        assert process.poll() is None
        process.send_signal(number)
        printed, told = process.communicate(timeout=60)  # which workers would keep open
    assert printed == ""
    heard = {signal.SIGINT: 130}
    if command in ("cases", "tournament"):  # a plan hears both
        heard[signal.SIGTERM] = 143
    assert process.returncode == heard.get(number, -number)
    assert told.count("Interrupted.") == (number in heard)
    end = time.monotonic() + 60
    while left := [worker for worker in workers if is_running(worker)]:
        assert time.monotonic() < end, f"{left} are still running"
        time.sleep(0.1)
    if command == "cases":
        assert not (tmp_path / "out").exists()


def test_an_interrupted_dealer_says_what_was_played(monkeypatch, tmp_path):
    def interrupt(_dealer, record):
        record("STATE:0:rc:As|Ks:2|-2:a|b")
        raise KeyboardInterrupt

    monkeypatch.setattr(Dealer, "run", interrupt)
    log = tmp_path / "d.log"
    result = run("acpc", "dealer", "kuhn", 5, 0, "a", "b", "--log", log, "--quiet", "--json")
    assert result.exit_code == 130
    assert result.stderr == f"Interrupted; 1 of 5 hands were played and are in {log}\n"
    assert json.loads(result.stdout.splitlines()[-1])["error"] == "interrupted"
    assert "STATE:0" in log.read_text()


@pytest.mark.parametrize(("measured", "shown"), [(1, 1), (3, 20)])
def test_an_interrupted_spot_shows_what_was_found(measured, shown, tmp_path, monkeypatch):
    measure, calls = SpotCFR.measure, []

    def interrupted(solver):
        calls.append(solver)
        if len(calls) == measured:
            signal.raise_signal(signal.SIGINT)
        return measure(solver)

    monkeypatch.setattr(SpotCFR, "measure", interrupted)
    result = run(*SPOT, "--out", tmp_path / "spot")
    assert result.exit_code == 130
    assert result.stderr.startswith("Interrupted. To go on, add --resume:")
    assert f"\n{shown} iteration" in result.stdout
    assert "Qs Jh 2h 8d 3c: out of position, first to act, pot 20" in result.stdout
    assert f"\n{shown} iteration" in run("show", tmp_path / "spot").stdout
    monkeypatch.undo()
    assert run(*SPOT, "--out", tmp_path / "spot", "--resume").exit_code == 0
    decision = run(*SPOT).stdout.partition("out of position, first to act")[2]
    assert run("show", tmp_path / "spot").stdout.endswith(decision)


@pytest.fixture
def unread():
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ("acpc", "deal", "kuhn", "--json"),
        ("--help",),
        ("reproduce",),
        ("hands", "check", "good.log"),
        ("tournament", "always-call", "always-fold", "--game", "kuhn", "--hands", "2", "--executor", "in-process"),
    ],
)
def test_a_reader_who_is_gone_is_141(words, unbuffered, unread, tmp_path):
    (tmp_path / "good.log").write_text("# name/game/hands/seed m kuhn 1 0\nSTATE:0:rc:As|Ks:2|-2:ann|bob\n")
    with start(*words, unbuffered=unbuffered, stdout=unread, cwd=tmp_path) as process:
        _, told = process.communicate(timeout=60)
    assert process.returncode == 141
    assert "Traceback" not in told
    assert "Exception ignored" not in told


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_who_leaves_is_141(unbuffered, form):
    with start("acpc", "deal", "kuhn", "--hands", "100000", *form, unbuffered=unbuffered) as process:
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()
        process.wait(timeout=60)
    assert (process.returncode, told) == (141, "")


def test_errors_that_nobody_reads(unread):
    with start("nosuch", stderr=unread) as process:
        process.communicate(timeout=60)
    assert process.returncode == 141


def test_an_interrupt_lost_in_the_compiler_is_said_again(monkeypatch):
    """What is raised in a callback from C may be swallowed there: as here, where the compiler drops it once."""
    from kibitz.cli import _errors

    monkeypatch.setattr(_errors, "MOST_TRIES", 1)
    monkeypatch.setattr(_errors, "UNHEARD_SECONDS", 0.05)
    compiler = {"__name__": "numba.compiler", "signal": signal, "time": time, "lost": []}
    program = """
def compile_and_run():
    signal.raise_signal(signal.SIGINT)
    while not lost:
        try:
            time.sleep(0.01)
        except KeyboardInterrupt:
            lost.append(True)
    time.sleep(60)
"""
    exec(program, compiler)
    with interrupts_kept(), pytest.raises(KeyboardInterrupt):
        compiler["compile_and_run"]()
    assert compiler["lost"]
