"""The parts of the document as tables of plain text, and agreement and loss as curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from kibitz.experiments.pictures import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


COLOURS = {"imitation": "#3b7a57", "strength only": "#c05a1c"}


def draw_curve(fidelity: Mapping[str, Any], loss: Mapping[str, Any] | None = None, format: str = "svg") -> bytes:
    """The picture as SVG or PNG: agreement with 95 % intervals, and beside it what is lost to the expert if given."""
    with figure_of(10 if loss else 5.5, 3.8) as figure:
        axes = figure.subplots(1, 2 if loss else 1, squeeze=False)[0]
        _draw_agreement(axes[0], fidelity)
        if loss:
            _draw_loss(axes[1], loss)
        for each in axes:
            each.set_xscale("log")
            each.set_xlabel("hands learnt from")
            each.grid(which="both", alpha=0.25)
        out = BytesIO()
        figure.savefig(out, format=format, dpi=130, metadata={"Date": None} if format == "svg" else None)
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


def render(part: str, found: Mapping[str, Any]) -> str:
    """One part as text for people."""
    return "\n".join(_TABLES[part](found)) + "\n"


def _align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([f"{first:<{widths[0]}}", *cells])


def _share(share: Mapping[str, float], sign: str = "") -> str:
    return f"{100 * share['share']:{sign}.1f} [{100 * share['low']:{sign}.1f}, {100 * share['high']:{sign}.1f}]"


def _rate(rate: Mapping[str, float]) -> str:
    return f"{rate['mean']:+,.0f} ± {rate['half_width']:,.0f}"


def _fidelity(found: Mapping[str, Any]) -> Iterator[str]:
    target = target_of(found)
    word = "most likely action" if target == "likely" else "action"
    yield (
        f"Agreement with the {word} of {found['expert']}, % of {found['decisions']:,} decisions in {found['hands']:,} "
        "hands kept apart, 95 % intervals by hand"
    )
    rows = [["hands", "cases", "imitation", "strength only", "fallbacks"]]
    for point in found["curve"]:
        answers = [_share(point[name][target]) for name in ("imitation", "strength only")]
        fallbacks = f"{100 * point['imitation']['fallbacks']:.2f} %"
        rows.append([f"{point['hands']:,}", f"{point['cases']:,}", *answers, fallbacks])
    yield from _align(rows)
    if own := found["own_draw"]:
        yield f"The expert's own draw is its most likely action in {_share(own)} %."
    by_round = ", ".join(f"{100 * each['agreement']:.1f} in round {each['round']}" for each in found["rounds"])
    yield f"With all hands: {by_round}."
    yield ""
    rows = [["features", word, "v all features", "action taken", "fallbacks"]]
    for name, each in found["ablations"].items():
        fallbacks = f"{100 * each['fallbacks']:.2f} %"
        rows.append([name, _share(each[target]), _share(each["difference"], "+"), _share(each["taken"]), fallbacks])
    yield from _align(rows)


def _loss(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"What the imitation wins from its expert, mbb/hand, {found['deals']:,} duplicate deals"
    rows = [
        [f"{name} hands" if group == "hands" else name, _rate(rate)]
        for group in ("policies", "hands", "features")
        for name, rate in found[group].items()
    ]
    yield from _align(rows)


def _mappings(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"What imitation and expert win, mbb/hand, {found['deals']:,} duplicate deals; the imitation reads bets by"
    rows = [["from", *found["imitation"], "expert"]]
    first, *more = found["imitation"].values()
    for other in first:
        # Where no reading changed an action, the same hands were played: that is no second measurement.
        others = ["the same" if rates[other] == first[other] else _rate(rates[other]) for rates in more]
        own = _rate(found["expert"][other]) if other in found["expert"] else ""
        rows.append([other, _rate(first[other]), *others, own])
    yield from _align(rows)
    paper, *names = found["imitation"]
    for name in names:
        yield f"Against each other: {name} wins {_rate(found['against the first'][name])} from {paper}."


def _run_off(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"Run-off, mean mbb/hand among those left, {found['deals']:,} duplicate deals a pair"
    rows = [["agent", *(f"round {number}" for number in range(len(found["rounds"])))]]
    for name in found["ranking"]:
        scores = (each["scores"].get(name) for each in found["rounds"])
        rows.append([name, *("" if score is None else f"{score:+,.0f}" for score in scores)])
    yield from _align(rows)


def _cost(found: Mapping[str, Any]) -> Iterator[str]:
    rows = [["stage", "CPU seconds", "seconds"]]
    rows += [[stage, f"{spent['cpu']:,.1f}", f"{spent['wall']:,.1f}"] for stage, spent in found.items()]
    yield from _align(rows)


_TABLES = {"fidelity": _fidelity, "loss": _loss, "mappings": _mappings, "run-off": _run_off, "cost": _cost}
