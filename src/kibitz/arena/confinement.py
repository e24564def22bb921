"""What the system keeps from a process with an agent of others, and an end for all that it starts.

On Linux a guard, its parent, ends whatever the agent started, under whatever name and in whatever session, and limits
hold for memory and processes. Where `bwrap` works (Bubblewrap), the agent also has no network, sees no other processes,
and cannot write files.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple, NoReturn

from kibitz.compiling import KEPT_KERNELS

IS_LINUX = sys.platform == "linux"
SCRATCH, SCRATCH_BYTES = "/dev/shm", 1 << 28  # the only folder in which an agent in a sandbox can write
END_SECONDS = 5.0  # for what the agent has started to be gone
LOOK_SECONDS = 0.2  # from one look at what the agent uses to the next, more where a look takes long
LOOKING = 0.02  # the most of the guard's time that looks take
SIGNALLED = 128  # and the number of the signal: how a shell tells that a signal ended a program
EXCEEDED = 99  # how the guard ends where the agent used more than its limits
_SUBREAPER, _DEATH_SIGNAL = 36, 1  # of prctl(2)


class Limits(NamedTuple):
    """What an agent may use.

    memory      bytes of address space, of each of its processes; bytes in use, of all together
    processes   and threads, beside its first
    """

    memory: int = 4 << 30
    processes: int = 64


LIMITS = Limits()


@cache
def has_sandbox() -> bool:
    """Whether `bwrap` is there and may do its work."""
    if not IS_LINUX or shutil.which("bwrap") is None:
        return False
    tried = subprocess.run([*_sandbox(()), "true"], capture_output=True, check=False)
    return tried.returncode == 0


def confined(command: Sequence[str], hidden: Sequence[Path] = ()) -> list[str]:
    """`command` in a sandbox, in which the files `hidden` cannot be read; the command itself where there is none."""
    return [*_sandbox(hidden), *command] if has_sandbox() else [*command]


def environment() -> dict[str, str]:
    """The environment of an agent's process; kernels that are kept already are found in a sandbox too."""
    one_thread = {**os.environ, **dict.fromkeys(("NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")}
    if not has_sandbox():
        return one_thread
    kept = os.environ.get("NUMBA_CACHE_DIR", "")
    return {**one_thread, "TMPDIR": SCRATCH, "NUMBA_CACHE_DIR": f"{SCRATCH}/numba", KEPT_KERNELS: kept}


def missing() -> str:
    """What this system does not keep from an isolated agent, as a sentence; "" where all is done that can be."""
    if has_sandbox():
        return ""
    if IS_LINUX:
        return (
            "Isolated agents could find the seed, use the network and write your files: bwrap (Bubblewrap) does not "
            "work here."
        )
    return "Isolated agents could find the seed, use the network, write your files, and have no limits: Linux has them."


def _sandbox(hidden: Sequence[Path]) -> list[str]:
    return [
        "bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent",
        "--cap-drop", "ALL", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
        "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--remount-ro", "/dev",
        *(word for folder in {file.parent for file in hidden} for word in _without(folder, hidden)),
        "--",
    ]  # fmt: skip


def _without(folder: Path, hidden: Sequence[Path]) -> list[str]:
    """Show of `folder` what lies there now but for the files that are hidden, be they there or still to come."""
    if not folder.is_dir():
        return []
    names = [file.name for file in hidden if file.parent == folder]
    shown = [each for each in folder.iterdir() if not any(f"{each.name}.".startswith(f"{name}.") for name in names)]
    binds = [word for each in sorted(shown) for word in ("--ro-bind-try", str(each), str(each))]
    return ["--tmpfs", str(folder), *binds, "--remount-ro", str(folder)]


def guard(limits: Limits) -> None:
    """Go on in a child of this process, with these limits. This one ends with it, and ends all that it has started.

    SIGTERM ends it earlier; so does the end of the thread that started it.
    """
    if not IS_LINUX:
        return
    control = ctypes.CDLL(None).prctl
    control(_SUBREAPER, 1, 0, 0, 0)
    control(_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM])
    agent = os.fork()
    if agent:
        _watch(agent, limits)
    os.setsid()
    control(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    import resource  # which not every system has

    for which, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_NPROC, _own_threads() + limits.processes),
        (resource.RLIMIT_CORE, 0),
    ):
        most = min([most, *(each for each in resource.getrlimit(which) if each != resource.RLIM_INFINITY)])
        resource.setrlimit(which, (most, most))


def _watch(agent: int, limits: Limits) -> NoReturn:
    """Wait for the end of the process `agent`, for SIGTERM, or for too much use; end with all that is left."""
    os.closerange(3, 1024)  # the agent alone holds the other end of its connection
    status, exceeds, look = None, False, time.monotonic() + LOOK_SECONDS
    while status is None and not exceeds:
        told = signal.sigtimedwait([signal.SIGCHLD, signal.SIGTERM], max(look - time.monotonic(), 0.0))
        if told is not None and told.si_signo == signal.SIGTERM:
            break
        status = _reap().get(agent)
        if status is None and (begun := time.monotonic()) >= look:
            exceeds = _exceeds(limits)
            look = time.monotonic() + max(LOOK_SECONDS, (time.monotonic() - begun) / LOOKING)
    deadline = time.monotonic() + END_SECONDS
    while (left := _descendants(os.getpid())) and time.monotonic() < deadline:
        for process in left:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.002)
        status = _reap().get(agent, status)
    code = EXCEEDED if exceeds else os.waitstatus_to_exitcode(status or 0)
    os._exit(code if code >= 0 else SIGNALLED - code)


def _exceeds(limits: Limits) -> bool:
    """Whether all that this process has started use more together than they may.

    The system has limits for single processes only, and none of processes for root.
    """
    processes = _descendants(os.getpid())
    told = [_numbers(process, "status") for process in processes]
    if sum(each.get("Threads", 0) for each in told) > limits.processes + 1:
        return True
    held = {
        process: each.get("VmRSS", 0) + each.get("VmSwap", 0) for process, each in zip(processes, told, strict=True)
    }
    if sum(held.values()) << 10 <= limits.memory:
        return False
    for process in processes:  # what several of them share is counted once; that takes longer to find out
        if shares := _numbers(process, "smaps_rollup"):
            held[process] = shares.get("Pss", 0) + shares.get("SwapPss", 0)
    return sum(held.values()) << 10 > limits.memory


def _numbers(process: int, file: str) -> dict[str, int]:
    """The numbers in a file of a process in /proc, amounts of memory in KiB; none of one that has ended."""
    lines = []
    with suppress(OSError):
        lines = (Path("/proc") / str(process) / file).read_text(errors="replace").splitlines()
    words = [line.replace(":", " ").split() for line in lines]
    return {each[0]: int(each[1]) for each in words if len(each) > 1 and each[1].isdecimal()}


def _reap() -> dict[int, int]:
    """The processes that have ended, and how."""
    ended = {}
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = found[1]
    return ended


def _descendants(ancestor: int) -> set[int]:
    """All processes that `ancestor` has started, and those have; orphans become children of the one that reaps them."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found: set[int] = set()
    new = {ancestor}
    while new:
        new = {process for process, parent in parents.items() if parent in new} - found
        found |= new
    return found


def _own_threads() -> int:
    """How many threads this user has, as the system counts processes."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if folder.stat().st_uid == os.getuid():
                count += sum(1 for _ in (folder / "task").iterdir())
    return count
