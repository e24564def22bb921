"""How imitation grows with what was seen: agreement and loss against the number of hands."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"imitation": "#3b7a57", "strength only": "#c05a1c"}


def draw_curve(fidelity: Mapping[str, Any], loss: Mapping[str, Any] | None = None, compiled: str = "svg") -> bytes:
    """The picture as SVG or PNG: agreement with 95 % intervals, and beside it what is lost to the expert if given."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):  # the same numbers give the same bytes
        figure = Figure(figsize=(10 if loss else 5.5, 3.8), layout="constrained")
        axes = figure.subplots(1, 2 if loss else 1, squeeze=False)[0]
        _draw_agreement(axes[0], fidelity)
        if loss:
            _draw_loss(axes[1], loss)
        for each in axes:
            each.set_xscale("log")
            each.set_xlabel("hands learnt from")
            each.grid(which="both", alpha=0.25)
        out = BytesIO()
        figure.savefig(out, format=compiled, dpi=130, metadata={"Date": None} if compiled == "svg" else None)
    return out.getvalue()


def target_of(fidelity: Mapping[str, Any]) -> str:
    """What agreement is measured against: what is likely, or what was taken where the expert does not tell."""
    return "likely" if fidelity["own_draw"] else "taken"


def _draw_agreement(axes: Axes, fidelity: Mapping[str, Any]) -> None:
    target, curve = target_of(fidelity), fidelity["curve"]
    hands = [point["hands"] for point in curve]
    for name, colour in COLOURS.items():
        shares = [point[name][target] for point in curve]
        means = [100 * each["share"] for each in shares]
        below = [100 * (each["share"] - each["low"]) for each in shares]
        above = [100 * (each["high"] - each["share"]) for each in shares]
        axes.errorbar(hands, means, (below, above), marker="o", ms=4, capsize=3, color=colour, label=name)
    if own := fidelity["own_draw"]:
        axes.axhline(100 * own["share"], color="#555555", ls="--", lw=1, label="the expert's own draw")
    axes.set_ylabel("% of decisions")
    word = "most likely action" if target == "likely" else "action"
    axes.set_title(f"Agreement with the expert's {word}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False)  # below: curves lie anywhere


def _draw_loss(axes: Axes, loss: Mapping[str, Any]) -> None:
    rates = loss["hands"]
    means = [each["mean"] for each in rates.values()]
    widths = [each["half_width"] for each in rates.values()]
    axes.errorbar([int(hands) for hands in rates], means, widths, marker="o", ms=4, capsize=3, color="#2f5d9b")
    axes.axhline(0, color="#222222", lw=0.8)
    axes.set_ylabel("mbb/hand")
    axes.set_title("Won from the expert, 95 % intervals")
