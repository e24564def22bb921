"""What was measured, by name, in a file: computed once, also after an interruption, and kept with the package."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from math import nan
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.experiments.published import Effort
from kibitz.files import read_json, write_text

FORMAT = "kibitz measures 1"
Numbers = tuple[float, ...]


class MissingError(KibitzError):
    """Something was not measured, and is not to be measured now."""


@dataclass
class Ledger:
    """Numbers by name.

    made      what decides them, and who computed them: the command, the machine and the version
    path      where they are kept; None keeps nothing
    is_open   whether what is missing is computed
    """

    made: dict[str, Any]
    path: Path | None = None
    is_open: bool = True
    found: dict[str, Numbers] = field(default_factory=dict)

    def get(self, name: str, compute: Callable[[], Sequence[float]]) -> Numbers:
        """The numbers of that name, computed and written unless they are known."""
        if name not in self.found:
            if not self.is_open:
                raise MissingError(f"{name} was not measured before: the preset full computes it")
            self.put(name, compute())
        return self.found[name]

    def put(self, name: str, numbers: Iterable[float]) -> None:
        """Keep numbers that were just found."""
        self.found[name] = tuple(map(float, numbers))
        if self.path is not None:
            self.save(self.path)

    def has(self, names: Iterable[str]) -> bool:
        """Whether all of them are known."""
        return all(name in self.found for name in names)

    def save(self, path: Path) -> None:
        """Write everything to `path`, whole or not at all, one name a line."""
        head = json.dumps({"format": FORMAT, "kibitz": __version__, "made": self.made}, indent=2)
        # A number that is not there is null: nan is no JSON.
        shown = {name: [None if x != x else round(x, 9) for x in each] for name, each in self.found.items()}
        lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(each)}" for name, each in shown.items())
        write_text(path, head[:-2] + f',\n  "measures": {{\n{lines}\n  }}\n}}\n')


def load_ledger(path: Path) -> Ledger:
    """The numbers in `path`."""
    try:
        document = read_json(path)
        if document["format"] != FORMAT:
            raise KibitzError(f"{path} holds no measures: its format is {document['format']!r}, not {FORMAT!r}")
        found = {
            name: tuple(nan if x is None else float(x) for x in each) for name, each in document["measures"].items()
        }
        return Ledger(dict(document["made"]), path, found=found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, KibitzError):
            raise
        raise KibitzError(f"{path} holds no measures: {type(error).__name__} {error}") from None


def open_ledger(paper: str, name: str, described: dict[str, Any], effort: Effort, *, is_open: bool) -> Ledger:
    """The numbers of that name for an effort: those that come with the package, or lie in its folder, or none yet.

    paper       in whose package they come
    described   what decides the numbers; those of anything else are not taken, and refused in the effort's own folder
    """
    path = effort.folder / effort.preset / f"{name}.json" if effort.folder is not None else None
    ledger = Ledger({**described, "machine": "cpu"}, path, is_open)
    # Who gives a seed wants other samples.
    stored = None if effort.preset == "smoke" or effort.seed else _stored(paper, name)
    if stored is not None and _same(stored.made, described):
        ledger.made, ledger.found = stored.made, dict(stored.found)
    if path is not None and path.exists():
        before = load_ledger(path)
        if not _same(before.made, described):
            raise KibitzError(f"{path} was made with other settings: choose another folder", settings=("out",))
        ledger.made = before.made
        ledger.found.update(before.found)
    return ledger


def _stored(paper: str, name: str) -> Ledger | None:
    """What comes with the package."""
    found = files(f"kibitz.experiments.{paper}") / "computed" / f"{name}.json"
    if not found.is_file():
        return None
    with as_file(found) as path:
        return load_ledger(path)


def _same(made: dict[str, Any], described: dict[str, Any]) -> bool:
    return bool({key: each for key, each in made.items() if key != "machine"} == json.loads(json.dumps(described)))
