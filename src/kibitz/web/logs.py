"""Logs and hand histories of the folder: which there are, what is uploaded, the list of hands, and how players play."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from kibitz.agents.human import signed_chips
from kibitz.amounts import counted
from kibitz.errors import FormatError, KibitzError
from kibitz.games import round_name
from kibitz.io.files import open_file
from kibitz.io.listing import MOST_TEXT, ListedHand, Listing, Search, read_listing
from kibitz.modelling.styles import RATES, StyleCounts, StyleTally
from kibitz.web.bodies import MOST_BYTES
from kibitz.web.drawing import draw_card
from kibitz.web.folder import OWN, existing, inside, listed

HOME = "uploads"  # the folder of uploaded files, inside the one that is served
ENDINGS = ("log", "txt", "phh", "phhs", "hh", "history", "xz", "gz", "bz2", "tar")
PAGE = 50  # hands
MOST_FILES = 200
MOST_PLAYERS = 100  # whose styles are shown
ROUNDS = {"flop": 2, "turn": 3, "river": 4}
_OWNER = re.compile(r"[0-9a-f]{16}")


def list_logs(folder: Path, visitor: str) -> list[dict[str, Any]]:
    """The hand histories of the folder, without what others have uploaded: {name, title, format, bytes}."""
    names = listed(folder, *(f"{'*/' * depth}*.{ending}" for depth in range(4) for ending in ENDINGS))
    found = []
    for name in [name for name in names if owner_of(folder, name) in ("", visitor)][:MOST_FILES]:
        path = folder.resolve() / name
        if path.is_file() and (form := _format(path, path.stat().st_mtime_ns)):
            found.append({"name": name, "title": title_of(name), "format": form, "bytes": path.stat().st_size})
    return found


@lru_cache(maxsize=1000)
def _format(path: Path, _changed: int) -> str:
    try:
        return next((source.format for source in open_file(path, MOST_TEXT) if source.format), "")
    except (KibitzError, OSError):
        return ""


def owner_of(folder: Path, name: str) -> str:
    """The visitor who has uploaded a file: the folder in which it lies; empty for what is everybody's."""
    parts = inside(folder, name).relative_to(folder.resolve()).parts
    return parts[1] if len(parts) > 2 and parts[0] == HOME and _OWNER.fullmatch(parts[1]) else ""


def title_of(name: str) -> str:
    """What a file is called on the page: an upload without the folder of its owner."""
    return re.sub(rf"^{HOME}/{_OWNER.pattern}/", f"{HOME}/", name)


def open_log(folder: Path, name: str) -> Listing:
    """The hands of a file inside the folder; kept until others have been opened or the file has changed."""
    path = existing(folder, name)
    if not path.is_file():
        raise KibitzError(f"{name!r} is no file")
    return _listing(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _listing(path: Path, _changed: int) -> Listing:
    return read_listing(path)


def upload(folder: Path, name: str, content: bytes, visitor: str) -> str:
    """Keep what a visitor has uploaded and give its name; KibitzError, and nothing kept, where it holds no hands."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name.rpartition("/")[2].rpartition("\\")[2])[-80:].lstrip(".-")
    if not stem or "." not in stem:
        stem = f"{stem or 'hands'}.log"
    if stem.rpartition(".")[2].lower() not in ENDINGS:
        stem += ".txt"
    begun = inside(folder, f"{OWN}/upload-{secrets.token_hex(8)}")
    begun.parent.mkdir(exist_ok=True)
    try:
        begun.write_bytes(content)
        try:
            found = read_listing(begun, most_text=MOST_BYTES)  # packing a file makes room for no more
        except KibitzError as error:
            raise FormatError(str(error).replace(str(begun), stem)) from None
        if not found.hands:
            reason = (found.refused or found.notes or ["it holds no hands"])[0].replace(str(begun), stem)
            raise FormatError(f"{stem}: no hand can be shown: {reason}")
        target = inside(folder, f"{HOME}/{visitor}/{stem}")
        if target.exists():
            target = target.with_name(f"{secrets.token_hex(3)}-{stem}")
        target.parent.mkdir(parents=True, exist_ok=True)
        begun.replace(target)
    finally:
        begun.unlink(missing_ok=True)
    return f"{HOME}/{visitor}/{target.name}"


def read_search(asked: Mapping[str, str]) -> Search:
    """What a form looks for; KibitzError where that makes no sense."""

    def number(name: str) -> float | None:
        text = asked.get(name, "").strip().replace(",", "")
        if text and not re.fullmatch(r"\d{1,12}(\.\d{1,2})?", text, re.ASCII):
            raise KibitzError(f"{text!r} is not an amount such as 300 or 6.50, in the unit of the log")
        return float(text) if text else None

    showdown = {"": None, "yes": True, "no": False}.get(asked.get("showdown", ""))
    player = asked.get("player", "")
    return Search(
        player,
        asked.get("outcome", "") if player else "",
        showdown,
        ROUNDS.get(asked.get("reached", ""), 0),
        number("least") or 0,
        number("most"),
        asked.get("order") or "file",
    )


def rows(listing: Listing, numbers: list[int], player: str) -> list[dict[str, Any]]:
    """The hands of one page of the list."""
    return [_row(listing.hands[number], number, player) for number in numbers]


def _row(hand: ListedHand, number: int, player: str) -> dict[str, Any]:
    record = hand.record
    won = hand.won(player) if player else None
    winners = []
    if hand.returns is not None:
        winners = [name for name, chips in zip(record.players, hand.returns, strict=True) if chips > 0]
    own = record.deal.hole[record.players.index(player)] if player and record.deal.hole else ()
    return {
        "number": number,
        "hand": record.hand or str(number + 1),
        "players": record.players,
        "winners": winners,
        "own": [draw_card(card) for card in own],
        "board": [draw_card(card) for card in record.deal.board],
        "pot": record.amount(hand.pot),
        "showdown": hand.showdown,
        "round": round_name(record.game, hand.rounds - 1) if hand.rounds else "",
        "won": "" if won is None else signed_chips(won, record.amount).replace("-", "−") if won else "0",
        "sign": "" if not won else "win" if won > 0 else "loss",
        "problem": hand.problem,
    }


def style_table(folder: Path, name: str) -> dict[str, Any] | None:
    """How the players play in the hands of `open_log`: {rates, unit, skipped, players: [{name, hands, cells}]}.

    None where no hand keeps the rules.
    """
    open_log(folder, name)  # which refuses a file that is too large
    path = existing(folder, name)
    return _styles(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _styles(path: Path, changed: int) -> dict[str, Any] | None:
    listing, tally = _listing(path, changed), StyleTally()
    broken = sum(tally.add(hand.record) is not None for hand in listing.hands)
    tally.close()
    if not tally.hands:
        return None
    broken += len(listing.refused) + len(listing.notes) - listing.unplayed
    return {
        "rates": RATES.values(),
        "unit": tally.unit,
        "skipped": _skipped(broken, listing.unplayed, tally.unknown),
        "players": [
            {"name": name, "hands": each.hands, "cells": _cells(each)}
            for name, each in [*tally.players.items()][:MOST_PLAYERS]
        ],
    }


def _cells(counts: StyleCounts) -> list[tuple[str, str]]:
    """(value, half of its interval) of every rate and of the mean."""
    cells = []
    for rate in (*RATES, "mean"):
        low, high = counts.interval(rate)
        scale, form = {"aggression": (1.0, ".2f"), "mean": (1.0, "+,.0f")}.get(rate, (100.0, ".1f"))
        value = counts.value(rate)
        told = "∞" if value == float("inf") else f"{scale * value:{form}}" if isfinite(value) else "–"
        half = scale * (high - low) / 2
        cells.append((told.replace("-", "−"), f"± {half:{form.lstrip('+')}}" if isfinite(half) else ""))
    return cells


def _skipped(broken: int, unplayed: int, unknown: int) -> str:
    counts = {"broken": broken, "of other games": unplayed, "without results": unknown}
    return ", ".join(f"{counted(count, 'hand')} {what}" for what, count in counts.items() if count)
