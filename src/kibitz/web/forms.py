"""Forms from plans: a field for every setting, and a plan from what a form sends. The checks are the plan's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from kibitz.agents.registry import AGENTS
from kibitz.errors import KibitzError
from kibitz.games import GAMES
from kibitz.games.named import named_game
from kibitz.plans import MANIFEST, Plan, Setting, kind_of, settings_of
from kibitz.plans.kinds import PLANS, named
from kibitz.web.choices import agents_inside
from kibitz.web.folder import existing, listed

MARK = "set-"  # before a name: a field called `matches` would hide a method of its form from scripts
DEPTHS = 4  # of folders in which inputs are looked for


class Field(NamedTuple):
    """What a form asks for.

    look       number, text, select, checkbox or lines (several values, one a line)
    choices    of a select; suggestions for a text
    """

    name: str
    label: str
    look: str
    value: str
    choices: list[str]
    help: str
    setting: Setting


def plan_class(kind: str) -> type[Plan]:
    """The plan of that kind; KibitzError if there is none."""
    if kind not in PLANS:
        raise KibitzError(f"there is no plan {kind!r}; there are {', '.join(PLANS)}")
    found: type[Plan] = named(PLANS[kind])
    return found


def fields_of(kind: str, folder: Path) -> list[Field]:
    """The fields of the form for a kind of plan, what must be given first."""
    settings = sorted(settings_of(plan_class(kind)), key=lambda each: not each.is_required)
    return [_field(each, folder) for each in settings]


def plan_from(folder: Path, kind: str, sent: dict[str, list[str]]) -> Plan:
    """The plan that a form describes; KibitzError, with the sentence of the setting, where it makes none."""
    said: dict[str, Any] = {}
    for each in settings_of(plan_class(kind)):
        fields = [*sent.get(each.name, []), *sent.get(MARK + each.name, [])]
        texts = [text.strip() for field in fields for text in field.splitlines()]
        values = [_read(each, text, folder) for text in texts if text]
        if values:
            said[each.name] = tuple(values) if each.many else values[0]
        elif each.is_required:
            raise KibitzError(f"{each.name} is missing: {each.help}")
    return plan_class(kind)(**said)


def _field(each: Setting, folder: Path) -> Field:
    default = () if each.is_required or each.default in (None, "", ()) else each.default
    values = default if isinstance(default, tuple) else (default,)
    look = "lines" if each.many else "checkbox" if each.kind is bool else "select" if each.choices else "text"
    if look == "text" and each.kind in (int, float):
        look = "number"
    notes = [each.unit, f"default: {each.unsaid}" if each.unsaid else "", each.range]
    text = ". ".join(filter(None, (each.help, "; ".join(filter(None, notes)))))
    choices = list(map(str, each.choices)) or inputs_inside(each.input, folder)
    return Field(MARK + each.name, each.name.replace("_", " "), look, "\n".join(map(str, values)), choices, text, each)


def inputs_inside(kind: str, folder: Path) -> list[str]:
    """What the page offers as an input of a plan: names, and what lies in the folder that is served."""
    if kind == "game":
        return list(GAMES)
    if kind == "agent":
        return [*agents_inside(folder), *AGENTS]
    if kind == "artefact":
        found = [Path(path).parent for path in listed(folder, *("*/" * depth + MANIFEST for depth in range(DEPTHS)))]
        return [each.as_posix() for each in found if kind_of(folder / each)]
    return []


def _read(each: Setting, text: str, folder: Path) -> Any:
    """The value of a setting; what names a file must lie inside the folder, and no code is loaded."""
    value = each.read(text)
    if each.input == "game" and named_game(text.partition(",")[0]) is None:
        raise KibitzError(f"{each.name}: no game {text!r}; there are {', '.join(GAMES)}")
    if each.input == "agent" and text not in inputs_inside("agent", folder):
        raise KibitzError(f"no agent {text!r}: it is neither built in nor inside the folder that is served")
    if each.input not in ("", "game") and text not in AGENTS:
        return type(value)(existing(folder, text))
    if each.kind is Path and not each.input:
        raise KibitzError(f"{each.name} names a file, which the page does not take: use `kibitz` for that")
    return value
