"""ACPC betting text: `r300c/cr600c` cut into actions."""

import re

from kibitz.errors import FormatError

_ACTION = re.compile(r"[fc/]|r\d*")


def split_actions(text: str) -> list[str]:
    """The actions of `text` in order, round separators left out.

    >>> split_actions("r300c/cc")
    ['r300', 'c', 'c', 'c']
    """
    if not isinstance(text, str):
        raise FormatError(f"{text!r} is not betting text, such as r300c/cc")
    actions = _ACTION.findall(text)
    if sum(map(len, actions)) != len(text):
        end = 0
        for match in _ACTION.finditer(text):
            if match.start() != end:
                break
            end = match.end()
        raise FormatError(f"{text!r}: {text[end]!r} at character {end + 1} is no action; f, c, r, r<chips> and / are")
    return [action for action in actions if action != "/"]
