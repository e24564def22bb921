"""The warm-up: in the background, after the first page, and what it does is not done again at the first use."""

import subprocess
import sys
import threading
import time

import pytest
from starlette.testclient import TestClient

from kibitz.errors import KibitzError
from kibitz.web import warming
from kibitz.web.app import make_app

HOME = "http://localhost:8765"

# Counts compiled or loaded kernels and modules before and after the first uses of pages, when the steps have been done.
FIRST_USES = """
import sys
from pathlib import Path
from starlette.testclient import TestClient
from kibitz.web.app import make_app
from kibitz.web.warming import STEPS

folder = Path(sys.argv[1])
page = TestClient(make_app(folder), base_url="http://localhost:8765", headers={"Origin": "http://localhost:8765"})
for step in STEPS:
    step(folder)

def loaded():
    kernels = 0
    for module in [module for name, module in sys.modules.items() if name.endswith("_kernels")]:
        kernels += sum(len(getattr(value, "signatures", ())) for value in vars(module).values())
    return kernels, sum(name.startswith(("numba", "llvmlite", "kibitz", "polars")) for name in sys.modules)

before = loaded()
page.get("/papers").raise_for_status()
form = {"game": "holdem-nolimit", "players": "2", "opponent": "tight-aggressive", "seed": "5"}
table = page.post("/table/start", data=form).url.path
for decision in range(2):
    page.post(f"{table}/act", json={"hand": 0, "decision": decision, "action": "c"})
page.get(f"{table}/advice", params={"policy": "tight-aggressive"}).raise_for_status()
print(*before, *loaded())
"""


def test_first_uses_load_nothing_more(tmp_path):
    words = [sys.executable, "-c", FIRST_USES, str(tmp_path)]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    kernels, modules, kernels_after, modules_after = map(int, told.split())
    assert kernels > 0
    assert (kernels_after, modules_after) == (kernels, modules)


@pytest.fixture
def done(monkeypatch):
    found = []
    monkeypatch.setattr(warming, "SECONDS_BEFORE", 0.3)
    return found


def test_steps_are_done_after_the_first_page_and_one_that_fails_stops_no_other(tmp_path, monkeypatch, done):
    def fail(_folder):
        done.append("fail")
        raise KibitzError("damaged")

    monkeypatch.setattr(warming, "STEPS", (fail, lambda folder: done.append(folder)))
    with TestClient(make_app(tmp_path, warm=True), base_url=HOME) as page:
        assert page.get("/table").status_code == 200
        for _ in range(500):
            if len(done) == 2:
                break
            time.sleep(0.02)
    assert done == ["fail", tmp_path]


def test_a_server_that_ends_begins_no_further_step(tmp_path, monkeypatch, done):
    begun = threading.Event()

    def slow(_folder):
        begun.set()
        time.sleep(0.3)

    monkeypatch.setattr(warming, "STEPS", (slow, done.append))
    with TestClient(make_app(tmp_path, warm=True), base_url=HOME):
        assert begun.wait(20)
    assert done == []
    with TestClient(make_app(tmp_path), base_url=HOME) as page:
        assert page.get("/table").status_code == 200
    assert not any(thread.name == "warm-up" for thread in threading.enumerate())
