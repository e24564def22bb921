"""ACPC text: match states, responses and log lines; `log` and `transcript` read whole files of them."""

from kibitz.io.acpc.states import (
    LINE_FORM,
    NAME_FORM,
    STATE_FORM,
    MatchState,
    Score,
    format_hand,
    format_value,
    hand_of_match,
    is_sayable,
    match_hand,
    normalise_actions,
    parse_hand,
    parse_response,
    parse_values,
)

__all__ = [
    "LINE_FORM",
    "NAME_FORM",
    "STATE_FORM",
    "MatchState",
    "Score",
    "format_hand",
    "format_value",
    "hand_of_match",
    "is_sayable",
    "match_hand",
    "normalise_actions",
    "parse_hand",
    "parse_response",
    "parse_values",
]
