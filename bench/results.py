"""What was measured, kept by benchmark with the code, day and machine it was measured on, and shown as tables."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kibitz.files import read_json, write_text

HERE = Path(__file__).parent
KEPT, PAGE = HERE / "results.json", HERE / "RESULTS.md"
HEADINGS = ("benchmark", "ours", "peer", "unit", "ratio", "wanted")
PEERS = ("numpy", "numba", "scipy", "phevaluator", "eval7", "pokerkit", "open_spiel", "rlcard", "LiteEFG")
INTRODUCTION = """# Benchmarks

Written by `python -m bench --write`. Every section is one interleaved run of Kibitz and its peers on the same machine,
and says when and on which code; each side keeps its best turn. Ratios carry over to other machines better than rates
do. `python -m bench NAME --write` measures one section again and leaves the others as they are. `make bench` exits
non-zero if a ratio is below the one that is wanted.
"""


def keep(name: str, rows: list[dict]) -> None:
    """Put the rows of one benchmark in place of those that were kept, and write the page anew."""
    found = load()
    found[name] = {"measured": setting(), "rows": rows}
    write_text(KEPT, json.dumps(found, indent=1) + "\n")
    write_text(PAGE, page(found))


def load() -> dict[str, dict]:
    """What is kept, by name of the benchmark."""
    return read_json(KEPT) if KEPT.exists() else {}


def setting() -> dict[str, object]:
    """Code, day, machine and versions of this run."""
    return {
        "revision": _revision(),
        "day": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "versions": {name: _version(name) for name in PEERS},
    }


def page(found: dict[str, dict]) -> str:
    """All that is kept, as Markdown."""
    parts = [INTRODUCTION]
    for name, each in found.items():
        measured = each["measured"]
        versions = ", ".join(f"{peer} {number}" for peer, number in measured["versions"].items() if number)
        parts += [
            f"## {name}\n",
            f"Revision {measured['revision']}, {measured['day']}; {measured['machine']}; {versions}.\n",
            "| " + " | ".join(HEADINGS) + " |\n|---|--:|--:|---|--:|--:|",
            "\n".join("| " + " | ".join(cells(row)) + " |" for row in each["rows"]) + "\n",
        ]
    return "\n".join(parts)


def cells(row: dict) -> list[str]:
    """A row for people, under `HEADINGS`."""
    wanted = "" if row["target"] is None else f"{row['target']:,}x"
    ratio = "" if row["ratio"] is None else times(row["ratio"])
    return [row["name"], _number(row["ours"]), _number(row["peer"]), row["unit"], ratio, wanted]


def times(ratio: float) -> str:
    """A ratio for people."""
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x" if ratio >= 1 else f"{ratio:.2g}x"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _revision() -> str:
    """The commit of this code, and whether the package was changed since."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(HERE.parent), *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        return git("rev-parse", "--short", "HEAD") + (", changed" if git("status", "--porcelain", "--", "src") else "")
    except (OSError, subprocess.CalledProcessError):
        return f"of version {version('kibitz')}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
