"""The page on which everything is made: forms from plans, checks that are the plan's own, jobs that go on."""

import time

import pytest
from starlette.testclient import TestClient

from kibitz.plans import open_artefact, settings_of
from kibitz.plans.kinds import PLANS
from kibitz.web.app import make_app
from kibitz.web.forms import MARK, fields_of, plan_class, plan_from
from kibitz.web.security import VISITOR

HOME = "http://localhost:8765"


@pytest.fixture
def page(tmp_path):
    app = make_app(tmp_path)
    yield TestClient(app, base_url=HOME, headers={"Origin": HOME}, cookies={VISITOR: "v" * 22})
    app.state.jobs.close()


def finished(page, job):
    until = time.monotonic() + 120
    while (found := page.get(f"/jobs/{job}").json())["state"] == "running":
        assert time.monotonic() < until
        time.sleep(0.1)
    return found


@pytest.mark.parametrize("kind", PLANS)
def test_every_plan_has_a_form_with_all_its_settings(page, kind, tmp_path):
    text = page.get("/make", params={"plan": kind}).text
    for each in settings_of(plan_class(kind)):
        assert f'name="{MARK}{each.name}"' in text
        assert f'id="{MARK}{each.name}-help"' in text
    known = {MARK + each.name for each in settings_of(plan_class(kind))}
    assert {field.name for field in fields_of(kind, tmp_path)} == known


def test_what_is_started_is_made_in_the_folder(page, tmp_path):
    sent = {"plan": "solve", "game": "leduc", "iterations": "20", "algorithm": "dcfr", "suits": "kept", "menus": ""}
    assert page.post("/make/start", data=sent).url.path == "/jobs"
    (job,) = page.app.state.jobs.list()
    assert job.title == "solve leduc --suits kept --algorithm dcfr --iterations 20"
    told = finished(page, job.id)
    assert told["state"] == "finished", told
    assert told["progress"]["facts"]["iteration"] == 20
    name = told["result"]["name"]
    assert open_artefact(tmp_path / name, "strategy").made["iterations"] == 20
    shown = page.get("/make/open", params={"name": name}).text
    assert "kibitz solve leduc --suits kept --algorithm dcfr --iterations 20" in shown
    assert str(tmp_path) not in shown


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"plan": "magic"}, "there is no plan"),
        ({"plan": "solve"}, "game is missing"),
        ({"plan": "solve", "game": "leduc", "iterations": "0"}, "iterations is 0: a whole number at least 1 is needed"),
        ({"plan": "solve", "game": "leduc", "iterations": "many"}, "iterations is many"),
        ({"plan": "solve", "game": "leduc", "algorithm": "magic"}, "algorithm is magic: one of"),
        ({"plan": "solve", "game": "/etc/passwd"}, "no game"),
        ({"plan": "solve", "game": "../secret.game"}, "no game"),
    ],
)
def test_wrong_input_is_the_sentence_of_the_setting(page, sent, message, tmp_path):
    answer = page.post("/make/start", data=sent)
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert not (tmp_path / ".kibitz-web" / "jobs").exists()


def test_a_form_left_as_it_is_makes_the_plan_of_the_defaults(tmp_path):
    sent = {field.name: [field.value] for field in fields_of("solve", tmp_path)} | {f"{MARK}game": ["kuhn"]}
    assert plan_from(tmp_path, "solve", sent) == plan_class("solve")("kuhn")
