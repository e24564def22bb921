"""Plans as values: checks, descriptions, texts."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.plans import Plan, Setting, setting, settings_of
from plans.walking import WalkPlan

BY_NAME = {each.name: each for each in settings_of(WalkPlan)}


def test_a_plan_is_a_value():
    assert WalkPlan("here") == WalkPlan("here", steps=100)
    assert hash(WalkPlan("here")) == hash(WalkPlan("here"))
    assert WalkPlan("here", steps=np.int64(7)).steps == 7
    assert WalkPlan("here", weights=[1, 2]).weights == (1.0, 2.0)
    assert WalkPlan("here", weights=0.5).weights == (0.5,)
    assert type(WalkPlan("here", rate=1).rate) is float


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 0}, "steps is 0: a whole number from 1 to 1,000,000 is needed"),
        ({"steps": 10**7}, "from 1 to 1,000,000"),
        ({"steps": 2.5}, "steps is 2.5: a whole number"),
        ({"steps": True}, "steps is True"),
        ({"rate": 0}, "rate is 0: a number above 0 is needed"),
        ({"rate": float("nan")}, "rate is nan"),
        ({"rate": float("inf")}, "rate is inf"),
        ({"shape": "cube"}, "shape is cube: one of line, ring is needed"),
        ({"seed": None}, "seed is None: a whole number at least 0"),
        ({"weights": (1, -1)}, "weights is -1"),
        ({"backwards": 1}, "backwards is 1: yes or no"),
        ({"start": 3}, "start is 3: a text"),
    ],
)
def test_bad_settings_are_told_in_one_sentence(settings, message):
    with pytest.raises(KibitzError) as error:
        WalkPlan(**{"start": "here", **settings})
    assert message in str(error.value)
    name = next(iter(settings))
    assert error.value.settings == ("weight" if name == "weights" else name,)


def test_texts_are_read_as_values():
    assert BY_NAME["steps"].read("1,000") == 1000
    assert BY_NAME["rate"].read("0.25") == 0.25
    assert BY_NAME["weights"].read("2") == 2.0
    assert BY_NAME["backwards"].read("yes") is True
    assert BY_NAME["shape"].read("ring") == BY_NAME["shape"].read("Ring") == "ring"
    share = Setting("p", float, at_least=0, at_most=1)
    assert share.read("33%") == share.read("0.33") == 0.33
    for each, text in ((share, "101%"), (share, "%"), (BY_NAME["rate"], "50%"), (BY_NAME["steps"], "50%")):
        with pytest.raises(KibitzError, match=f"{each.name} is"):
            each.read(text)
    for name, text in (("steps", "many"), ("rate", "-1"), ("backwards", "perhaps"), ("shape", "")):
        with pytest.raises(KibitzError, match=f"{name} is"):
            BY_NAME[name].read(text)


def test_a_description_is_json_and_an_identity_leaves_out_what_is_free():
    plan = WalkPlan("here", weights=(1,), until=2)
    assert plan.describe() == {
        "start": "here", "steps": 100, "rate": 0.5, "shape": "line", "seed": 0, "weights": [1.0], "until": 2.0,
        "backwards": False,
    }  # fmt: skip
    assert plan.identity() == {"plan": "walk"} | {
        name: value for name, value in plan.describe().items() if name not in ("steps", "until")
    }


def test_a_path_may_be_a_text():
    @dataclass(frozen=True)
    class Reading(Plan):
        """Read."""

        kind: ClassVar[str] = "read"
        source: Path = setting(help="File", argument=True)

        def begin(self):
            raise NotImplementedError

    Reading.__init__.__globals__["Path"] = Path
    assert Reading("a/b").source == Path("a/b")
    assert Reading(Path("a/b")).describe() == {"source": "a/b"}
