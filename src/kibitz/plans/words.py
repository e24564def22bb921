"""Plans as people type them: the words of a command, without a command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kibitz.arguments import did_you_mean
from kibitz.errors import KibitzError
from kibitz.plans.kinds import PLANS, named
from kibitz.plans.plan import Plan
from kibitz.plans.settings import Setting, settings_of


def plan_from_words(words: Sequence[str]) -> Plan:
    """The plan that `kibitz WORDS` would carry out.

    >>> plan_from_words(["solve", "leduc", "--iterations", "100"]).iterations
    100
    """
    kind = next((kind for kind in PLANS if tuple(words[: len(kind.split())]) == tuple(kind.split())), None)
    if kind is None:
        near = did_you_mean(words[0] if words else "", PLANS)
        raise KibitzError(f"{' '.join(words[:2]) or 'nothing'!r} is not a plan{near}: one of {', '.join(PLANS)}")
    plan: type[Plan] = named(PLANS[kind])
    said: dict[str, Any] = {}
    for setting, text in _pairs(settings_of(plan), list(words[len(kind.split()) :]), kind):
        value = setting.read(text)
        if not setting.many and setting.name in said:
            raise KibitzError(f"{setting.name} is given twice for {kind}")
        said[setting.name] = (*said.get(setting.name, ()), value) if setting.many else value
    if missing := [each.name for each in settings_of(plan) if each.is_required and each.name not in said]:
        raise KibitzError(f"{kind} needs {missing[0]}")
    return plan(**said)


def find_setting(plan: type[Plan], name: str) -> Setting:
    """The setting of that name, or with that option; KibitzError if there is none."""
    for each in settings_of(plan):
        if name in (each.name, each.option, each.flag.removeprefix("--")):
            return each
    names = [each.name for each in settings_of(plan)]
    raise KibitzError(f"{plan.kind} has no setting {name!r}{did_you_mean(name, names)}: it has {', '.join(names)}")


def _pairs(settings: Sequence[Setting], words: list[str], kind: str) -> Iterator[tuple[Setting, str]]:
    """Every setting that is given, with its text."""
    places = [each for each in settings if each.argument]
    flags = {each.flag: each for each in settings if not each.argument}
    while words:
        word = words.pop(0)
        flag, equals, text = word.partition("=")
        if not word.startswith("--") or (flag not in flags and places and places[0].option == "command"):
            if not places:
                raise KibitzError(f"{kind}: {word!r} is one argument too many")
            yield places[0], word
            places = places if places[0].many else places[1:]
        elif flag not in flags:
            raise KibitzError(f"{kind} has no option {flag}{did_you_mean(flag, flags)}")
        elif flags[flag].kind is bool:
            yield flags[flag], text or "yes"
        elif equals or words:
            yield flags[flag], text if equals else words.pop(0)
        else:
            raise KibitzError(f"{kind}: a value is missing after {flag}")
