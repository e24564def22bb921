"""How an artefact was made: its plan as a command, what was measured, and the same of all that it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.plans.artefacts import fingerprint_of, kind_of, read_manifest
from kibitz.plans.kinds import PLANS, named, what_is
from kibitz.plans.plan import Plan
from kibitz.plans.settings import settings_of

APART = ("plan", "inputs", "version", "device", "done")  # of `made`: how; all else was measured


@dataclass(frozen=True)
class History:
    """Where an artefact comes from.

    made     what its manifest says of it
    inputs   the histories of the artefacts it was made from, by setting; None where one lies there no more
    """

    kind: str
    fingerprint: str
    made: Mapping[str, Any]
    inputs: Mapping[str, History | None]

    @property
    def command(self) -> str:
        """What makes it again; empty if no plan has made it."""
        plan = plan_of(self.made)
        return plan.command() if plan is not None else ""

    @property
    def measured(self) -> dict[str, Any]:
        """The figures of it."""
        found = {name: value for name, value in self.made.items() if name not in APART}
        return {name: value for name, value in found.items() if isinstance(value, int | float | str)}

    def heading(self, name: str) -> str:
        """What it is and how it was made, in a sentence or two."""
        version = f" by Kibitz {self.made['version']}" if "version" in self.made else ""
        how = f", made{version} with `{self.command}`" if self.command else ""
        return f"{name}: {what_is(self.kind)}{how}."

    def lines(self, name: str = "", depth: int = 0) -> Iterator[str]:
        """The whole history, an artefact a paragraph, those that it was made from further to the right."""
        margin = "  " * depth
        yield f"{margin}{f'{name}: ' if name else ''}{what_is(self.kind)}, {self.fingerprint}"
        yield f"{margin}  {self.command or 'made by no command'}"
        told = [f"{key} {_short(value)}" for key, value in self.measured.items() if value not in ("", None)]
        if told:
            yield f"{margin}  {', '.join(told)}"
        for setting, each in self.inputs.items():
            if each is None:
                yield f"{margin}  {setting}: is not there any more, or is another"
            else:
                yield from each.lines(setting, depth + 1)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON can say it."""
        inputs = {name: each.to_dict() if each is not None else None for name, each in self.inputs.items()}
        told = {"kind": self.kind, "fingerprint": self.fingerprint, "command": self.command, "made": dict(self.made)}
        return told | {"inputs": inputs}


def history_of(folder: Path) -> History:
    """The history of the artefact in `folder`."""
    manifest = read_manifest(folder)
    made, inputs = manifest["made"], {}
    plan = plan_of(made)
    for each in settings_of(type(plan)) if plan is not None else ():
        value, then = getattr(plan, each.name), made["inputs"].get(each.name)
        if each.input not in ("artefact", "agent", "opponent", "model"):
            continue
        for text, content in zip(value, then or (), strict=False) if each.many else [(value, then)]:
            if content not in (None, text):  # agents by name are what they are called
                inputs[f"{each.name} {text}" if each.many else each.name] = _history_in(str(text), content)
    return History(manifest["kind"], fingerprint_of(folder), made, inputs)


def _history_in(text: str, content: str) -> History | None:
    """The history of the artefact that a text such as FOLDER, FOLDER,setting=value or NAME=FOLDER names."""
    for named_so in (text, text.partition("=")[2]):
        place = Path(named_so.partition(",")[0])
        if kind_of(place) and content == text.replace(str(place), fingerprint_of(place), 1):
            return history_of(place)
    return None


def plan_of(made: Mapping[str, Any]) -> Plan | None:
    """The plan that a manifest tells of; None if it tells of none that this version could carry out."""
    told = dict(made.get("plan") or {})
    kind = told.pop("kind", None)
    if kind not in PLANS:
        return None
    try:
        plan: Plan = named(PLANS[kind])(**told)
    except (KibitzError, TypeError):  # of another version, which had other settings
        return None
    return plan


def _short(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
