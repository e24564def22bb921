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
SIGNALLED = 128  # and the number of the signal: how a shell tells that a signal ended a program
_SUBREAPER, _DEATH_SIGNAL = 36, 1  # of prctl(2)


class Limits(NamedTuple):
    """What an agent may use.

    memory      bytes of address space, of each of its processes
    processes   and threads, beside those that the user has already
    """

    memory: int = 4 << 30
    processes: int = 64


LIMITS = Limits()


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
        return "Isolated agents can use the network and write your files: bwrap (Bubblewrap) does not work here."
    return "Isolated agents can use the network, write your files, and have no limits: Linux has them."


def _sandbox(hidden: Sequence[Path]) -> list[str]:
    return [
        "bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent",
        "--cap-drop", "ALL", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
        "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--remount-ro", "/dev",
        *(word for file in hidden if file.exists() for word in ("--ro-bind", "/dev/null", str(file))),
        "--",
    ]  # fmt: skip


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
        _watch(agent)
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


def _watch(agent: int) -> NoReturn:
    """Wait for the end of the process `agent`, or for SIGTERM, and end with all processes that are left."""
    os.closerange(3, 1024)  # the agent alone holds the other end of its connection
    status = None
    while status is None and signal.sigwait([signal.SIGCHLD, signal.SIGTERM]) == signal.SIGCHLD:
        status = _reap().get(agent)
    deadline = time.monotonic() + END_SECONDS
    while (left := _descendants(os.getpid())) and time.monotonic() < deadline:
        for process in left:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.002)
        status = _reap().get(agent, status)
    code = os.waitstatus_to_exitcode(status or 0)
    os._exit(code if code >= 0 else SIGNALLED - code)


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
