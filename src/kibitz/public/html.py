"""Results as small pieces of HTML, for notebooks: tables, shaded cells and pictures that need nothing beside them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 100  # characters of a result at a prompt, on one line
_CELL = "padding:2px 8px;text-align:right;font-variant-numeric:tabular-nums"
GAIN, LOSS = (33, 102, 172), (230, 97, 1)  # blue and orange, which the colour-blind tell apart


def table(heading: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table of texts; the first column names the rows."""
    head = "".join(f'<th style="{_CELL}">{escape(text)}</th>' for text in heading)
    body = "".join(f"<tr>{_name(row[0])}{''.join(map(cell, row[1:]))}</tr>" for row in rows)
    under = f"<caption style='caption-side:bottom;text-align:left'>{escape(caption)}</caption>" if caption else ""
    return f"<table>{under}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _name(text: str) -> str:
    return f'<th style="{_CELL};text-align:left;font-weight:normal">{escape(text)}</th>'


def cell(text: str, share: float = 0.0) -> str:
    """A cell, shaded by a share from -1 (orange) to 1 (blue); HTML in `text` is escaped unless it is a cell itself."""
    if text.startswith("<td"):
        return text
    colour = GAIN if share >= 0 else LOSS
    shade = f";background:rgba{(*colour, round(0.45 * min(abs(share), 1.0), 3))}" if share else ""
    return f'<td style="{_CELL}{shade}">{escape(text)}</td>'


def picture(figure: Figure) -> str:
    """A figure as inline SVG."""
    out = io.StringIO()
    figure.savefig(out, format="svg")
    text = out.getvalue()
    return text[text.index("<svg") :]
