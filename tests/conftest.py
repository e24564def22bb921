"""Fixtures for all tests."""

import gc
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kibitz", deadline=None)  # times are noise on shared machines
settings.load_profile("kibitz")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and their children too
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

gc.disable()  # while thousands of tests are collected, which are no garbage: a third of that time


def pytest_collection_finish() -> None:
    """What is there now stays to the end: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real match logs and hand histories, which is not part of the project."""
    if not DATA.is_dir():
        pytest.skip("no folder of real hand histories beside the project")
    return DATA


@pytest.fixture(scope="session", autouse=True)
def _quiet_compiler():
    """Whether kernels of commands that run in this process are compiled before or now makes no difference.

    For the session: commands that fixtures of a module run come before the fixtures of its tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kibitz.cli.tell_with", lambda say: None)
        yield
