"""Where numba keeps compiled kernels, made to survive folders that cannot be written, full disks and damaged files.

Numba looks for a folder that it can write: $NUMBA_CACHE_DIR, beside the source, in the user's cache. Where there is
none it refuses to decorate a function; a file that cannot be written or unpickled ends the call; a damaged one that can
be is run as it is; and only a kernel's own file counts, so that a helper that was changed in another file would go on
running as it was. Here a temporary folder comes last, what cannot be kept is compiled again, files carry a checksum,
and the sources of helpers count too.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import stat
import sys
import tempfile
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import Any
from zlib import crc32

from numba.core import event
from numba.core.caching import (
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
    UserWideCacheLocator,
    _CacheLocator,
    _SourceFileBackedLocatorMixin,
)

from kibitz.compiling import KEPT_KERNELS, notices

_CHECKSUM_BYTES = 4


class _Listener(event.Listener):  # type: ignore[misc]
    """Numba tells when it compiles, not when it finds what was compiled before.

    It makes millions of objects then, which live until the kernel is there: Python would look through them for garbage
    again and again, a sixth of the time. Numba compiles one kernel at a time, with the helpers that it calls.
    """

    def __init__(self) -> None:
        self._depth, self._collects = 0, False

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth == 1:
            self._collects = gc.isenabled()
            gc.disable()
            notices.begin()

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and self._collects:
            gc.enable()


@lru_cache(maxsize=1)
def listen() -> None:
    """Have it told when something is compiled."""
    event.register("numba:compile", _Listener())


def keep(dispatcher: Any) -> None:
    """Give a numba function the cache of this module; where there is no folder at all it goes without."""
    if not hasattr(dispatcher, "_cache"):  # NUMBA_DISABLE_JIT leaves functions as they are
        return
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func)
    except RuntimeError:  # no folder, not even a temporary one
        notices.trouble("No folder for compiled kernels can be written: they are compiled again in every run.")


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """Kernels on disk, each with its signature and a checksum: damaged machine code must not be run."""

    def save(self, key: object, data: object) -> None:
        super().save(key, (key, data))

    def load(self, key: object) -> object:
        found = super().load(key)
        if found is None:
            return None
        kept, data = found
        return data if kept == key else None

    def _save_data(self, name: str, data: object) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(crc32(content).to_bytes(_CHECKSUM_BYTES, "little"))
            file.write(content)

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        checksum, content = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
        if checksum != crc32(content).to_bytes(_CHECKSUM_BYTES, "little"):
            raise OSError("damaged")  # as if it were not there
        return pickle.loads(content)


class _TemporaryLocator(_SourceFileBackedLocatorMixin, _CacheLocator):  # type: ignore[misc]
    """The last resort: a folder of this user's among the temporary files."""

    def __init__(self, function: FunctionType, source: str) -> None:
        self._py_file = source
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = os.path.join(temporary_folder(), self.get_suitable_cache_subpath(source))

    def get_cache_path(self) -> str:
        return self._cache_path

    @classmethod
    def from_function(cls, function: FunctionType, source: str) -> Any:
        try:
            found, folder = super().from_function(function, source), temporary_folder()
        except OSError:  # not even there
            return None
        if found is not None:
            os.environ.setdefault("NUMBA_CACHE_DIR", folder)  # for processes started from here, without a further word
            notices.trouble(
                f"Neither the folder of kibitz nor the user's cache can be written: compiled kernels are kept in "
                f"{folder}; set NUMBA_CACHE_DIR to keep them elsewhere."
            )
        return found


class _ReadOnlyLocator(_SourceFileBackedLocatorMixin, _CacheLocator):  # type: ignore[misc]
    """Where another process keeps kernels, for one that cannot write there: an agent in a sandbox."""

    def __init__(self, function: FunctionType, source: str) -> None:
        self._py_file = source
        self._lineno = function.__code__.co_firstlineno
        folder = os.environ[KEPT_KERNELS]
        places = [os.path.join(folder, self.get_suitable_cache_subpath(source))]
        if not folder:
            places = [each(function, source).get_cache_path() for each in (InTreeCacheLocator, UserWideCacheLocator)]
        self._cache_path = next((place for place in places if any(Path(place).glob("*.nbi"))), "")

    def get_cache_path(self) -> str:
        return self._cache_path

    def ensure_cache_path(self) -> None:
        if not self._cache_path:
            raise OSError("no kernels are kept")

    @classmethod
    def from_function(cls, function: FunctionType, source: str) -> Any:
        return super().from_function(function, source) if KEPT_KERNELS in os.environ else None


class _KernelCacheImpl(FunctionCache._impl_class):  # type: ignore[misc]
    _locator_classes = (_ReadOnlyLocator, *FunctionCache._impl_class._locator_classes, _TemporaryLocator)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The kernels of one function: those that can be read, and nothing that ends a computation."""

    _impl_class = _KernelCacheImpl

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function)
        stamp = (self._impl.locator.get_source_stamp(), fingerprint(function.__module__))
        self._cache_file = _CheckedFile(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: object, target_context: object) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damaged pickles raise whatever they like: begin a new index
            self._try(self.flush)
            return None

    def save_overload(self, sig: object, data: object) -> None:
        self._try(super().save_overload, sig, data)

    def _try(self, action: Any, *arguments: object) -> None:
        try:
            action(*arguments)
        except OSError as error:
            self.disable()  # the rest would fail alike
            notices.trouble(
                f"Compiled kernels cannot be kept in {self._cache_path} ({error.strerror or error}): they are compiled "
                "again in every run; set NUMBA_CACHE_DIR to keep them elsewhere."
            )


@lru_cache(maxsize=1)
def temporary_folder() -> str:
    """A folder among the temporary files that nobody else can write: what is unpickled from it is run."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = os.path.join(tempfile.gettempdir(), f"kibitz-kernels-{user}")
    try:
        os.mkdir(folder, 0o700)
    except OSError:
        if not _is_ours(folder):
            return tempfile.mkdtemp(prefix="kibitz-kernels-")
    return folder


def _is_ours(folder: str) -> bool:
    """Whether `folder` is one that this user made and only he can write."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    others = stat.S_IWGRP | stat.S_IWOTH
    return (
        stat.S_ISDIR(found.st_mode)
        and (not hasattr(os, "getuid") or found.st_uid == os.getuid())
        and not found.st_mode & others
    )


_IMPORTS = re.compile(r"^from ([\w.]+) import ", re.MULTILINE)
_KERNELS = "_kernels"  # what such modules and packages import is compiled in; others give constants only


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
        if name == module or _KERNELS in name.split("."):
            waiting += [other for other in _IMPORTS.findall(_content(path)) if other.partition(".")[0] == package]
    return set(found.values())


@cache
def _content(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
