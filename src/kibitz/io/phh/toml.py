"""The TOML of PHH files, both ways.

Files as programs write them (one `key = value` a line, arrays on one line) are read by a small strict parser, several
times faster than `tomllib`; at the first line that is anything else the whole text goes to `tomllib`. Either way
arrays come back as tuples and decimal numbers as `Decimal`, exactly as written.
"""

from __future__ import annotations

import datetime
import json
import math
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from kibitz.errors import FormatError

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,18}|inf")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}")
_WORDS = {"true": True, "false": False}


class IrregularError(Exception):
    """A line that the small parser leaves to `tomllib`."""


def parse_toml(text: str) -> tuple[dict[str, object], str]:
    """The keys and values of one hand and, if all its lines are regular, the text of those before the actions."""
    head, found, rest = text.partition("\nactions = [")
    strings, _, tail = rest.partition("\n")
    try:
        fields = parse_head(head).copy()
        if found:
            if "actions" in fields:
                raise IrregularError
            fields["actions"] = strings_of("[" + strings)
        if tail:
            _add_lines(tail, fields)
    except IrregularError:
        return _parse_with_tomllib(text), ""
    return fields, head


@lru_cache(maxsize=256)  # the hands of one session often begin alike
def parse_head(text: str) -> dict[str, object]:
    """As `parse_lines`; not to be changed by the caller."""
    return parse_lines(text)


def parse_lines(text: str) -> dict[str, object]:
    """The keys and values of regular lines."""
    fields: dict[str, object] = {}
    _add_lines(text, fields)
    return fields


def _add_lines(text: str, fields: dict[str, object]) -> None:
    for line in text.split("\n"):
        if line:
            key, value = _parse_line(line)
            if key in fields:
                raise IrregularError  # tomllib words the complaint
            fields[key] = value


def _parse_with_tomllib(text: str) -> dict[str, object]:
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    # Beyond its own error tomllib lets int() and deep nesting complain for themselves.
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise FormatError(f"not TOML: {error}") from error
    return {key: _freeze(value) for key, value in document.items()}


def _freeze(value: object) -> object:
    """`value` with lists as tuples."""
    if isinstance(value, list):
        return tuple(_freeze(item) for item in value)
    if isinstance(value, dict):
        return {key: _freeze(item) for key, item in value.items()}
    return value


def plain(value: object) -> object:
    """`value` with floats for decimal numbers."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, tuple):
        return value if set(map(type, value)) <= {str, int} else tuple([plain(item) for item in value])
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


@lru_cache(maxsize=4096)  # the hands of one session repeat most of their lines
def _parse_line(line: str) -> tuple[str, object]:
    key, equals, value = line.partition(" = ")
    if not equals or not _BARE_KEY.fullmatch(key):
        raise IrregularError
    if value.startswith("['"):
        return key, strings_of(value)
    if value.startswith("[") and value.endswith("]"):
        return key, tuple([_scalar(item) for item in value[1:-1].split(", ")]) if value != "[]" else ()
    return key, _scalar(value)


def strings_of(text: str) -> tuple[str, ...]:
    """The array of single-quoted strings written in `text`."""
    strings = text[2:-2].split("', '")
    # TOML has no escapes between single quotes, so two quotes a string are all there can be.
    if not text.endswith("']") or text.count("'") != 2 * len(strings) or not text.isprintable():
        raise IrregularError
    return tuple(strings)


def _scalar(text: str) -> object:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Decimal(text)
    if text in _WORDS:
        return _WORDS[text]
    if _TIME.fullmatch(text):
        return _time(text)
    quote = text[:1]
    if (
        (quote == "'" or (quote == '"' and "\\" not in text))
        and len(text) > 1
        and text.count(quote) == 2
        and text.endswith(quote)
        and text.isprintable()
    ):
        return text[1:-1]
    raise IrregularError


def _time(text: str) -> datetime.time:
    try:
        return datetime.time.fromisoformat(text)
    except ValueError:
        raise IrregularError from None


def format_toml(fields: Mapping[str, object]) -> str:
    """The lines `key = value` of `fields`."""
    return "".join(f"{_format_key(key)} = {format_value(value)}\n" for key, value in fields.items())


def _format_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _format_string(key)


def format_value(value: object) -> str:
    """The TOML text of `value`; anything TOML does not know is written as a string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return _format_number(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return f"[{', '.join([format_value(item) for item in value])}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join([f'{_format_key(str(key))} = {format_value(item)}' for key, item in value.items()])}}}"
    return _format_string(str(value))


def _format_number(value: float | Decimal) -> str:
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return str(float(value))  # inf, -inf, nan in both languages
    return f"{value:f}" if isinstance(value, Decimal) else repr(float(value))


def _format_string(text: str) -> str:
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    # JSON's escapes are TOML's, except that TOML wants DEL escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
