"""Parquet files that may be damaged: what is wrong is a ValueError of one line, as of documents and arrays.

Polars is imported only where there is such a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_UNHEARD = Lock()


def read_table(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The table in a Parquet file, or some columns of it; OSError where there is no file."""
    import polars as pl

    with _reading(path):
        return pl.read_parquet(path, columns=None if columns is None else list(columns))


def table_metadata(path: Path) -> dict[str, str]:
    """What a Parquet file says of itself, its rows left alone; OSError where there is no file."""
    import polars as pl

    with _reading(path):
        return dict(pl.read_parquet_metadata(path))


def write_table(table: pl.DataFrame, path: Path, metadata: dict[str, str], rows_per_group: int = 1 << 20) -> None:
    """Write a Parquet file that says `metadata` of itself; the same table gives the same bytes."""
    from polars.exceptions import ComputeError

    try:
        table.rechunk().write_parquet(path, metadata=metadata, row_group_size=rows_per_group)
    except ComputeError as error:  # a full disk is an error of theirs, not of the system
        raise OSError(str(error)) from None


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    from polars.exceptions import PanicException, PolarsError

    with path.open("rb"):  # what the system refuses is told here
        pass
    try:
        with _unheard():
            yield
    except (OSError, PolarsError, PanicException) as error:  # damaged files may end in any of them
        what = "the file is damaged" if isinstance(error, PanicException) else _first_line(error)
        raise ValueError(what) from None


def _first_line(error: Exception) -> str:
    """What Polars says, without the plan of its query."""
    return (str(error) or repr(error)).splitlines()[0]


@contextmanager
def _unheard() -> Iterator[None]:
    """Nothing gets to standard error: where a file is damaged, Polars writes there what it raises, and a backtrace."""
    with _UNHEARD:  # two at once would leave it so
        try:
            kept = os.dup(2)
        except OSError:  # there is none
            yield
            return
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
