"""Follow a command through the modules of Kibitz: which of them it enters, in that order.

    python scripts/walk.py solve leduc --iterations 2

A module counts when one of its functions runs outside an import, in any thread. Modules that are only loaded, for their
names and types, do not.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import CodeType, FrameType

import kibitz

ROOT = Path(kibitz.__file__).parent
IMPORTING = ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")


class Walk:
    """Listens to every call, and keeps the modules that were entered."""

    def __init__(self) -> None:
        self.entered: dict[str, None] = {}
        self._passed: set[CodeType] = set()

    def hear(self, frame: FrameType, event: str, _argument: object) -> None:
        """What `sys.setprofile` calls."""
        code = frame.f_code
        if event != "call" or code in self._passed:
            return
        if not code.co_filename.startswith(str(ROOT)) or code.co_name == "<module>":
            self._passed.add(code)
        elif not _is_importing(frame):
            self._passed.add(code)
            self.entered[str(Path(code.co_filename).relative_to(ROOT))] = None


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename in IMPORTING:
            return True
        frame = frame.f_back
    return False


def follow(words: list[str]) -> list[str]:
    """The modules that the command `words` enters; what it prints goes to standard error."""
    from kibitz.cli import main

    walk = Walk()
    threading.setprofile(walk.hear)
    sys.setprofile(walk.hear)
    try:
        main(words, standalone_mode=False)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(walk.entered)


if __name__ == "__main__":
    results, sys.stdout = sys.stdout, sys.stderr
    found = follow(sys.argv[1:])
    print(*found, sep="\n", file=results)
    print(f"{len(found)} modules", file=sys.stderr)
