"""What a compiled kernel was made of: its own file, and the files of its package that it takes helpers from.

Numba looks at the kernel's own file only. A helper that was changed in another would go on running as it was.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

_IMPORTS = re.compile(r"^from ([\w.]+) import ", re.MULTILINE)
_KERNELS = "_kernels.py"  # what such files import is compiled into them; other modules give constants only


def fingerprint(module: str) -> str:
    """A hash of the sources that kernels of a module may have compiled in; the module must be in `sys.modules`."""
    digest = blake2b(digest_size=16)
    for path in sorted(_sources(module)):
        digest.update(_content(path).encode())
    return digest.hexdigest()


def _sources(module: str) -> set[str]:
    """Paths of a module and of those in its package that it imports, and so on through modules of kernels."""
    package = module.partition(".")[0]
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = getattr(sys.modules.get(name), "__file__", None)
        if path is None or name in found:
            continue
        found[name] = path
        if name == module or path.endswith(_KERNELS):
            waiting += [other for other in _IMPORTS.findall(_content(path)) if other.partition(".")[0] == package]
    return set(found.values())


@cache
def _content(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
