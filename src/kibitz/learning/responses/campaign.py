"""A whole run of a best response in a folder, which becomes an agent: the response, and the observer that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.learning.campaign import run_self_play
from kibitz.learning.files import load_model, load_policy, made_of, reader_of, save_model
from kibitz.learning.model import Model
from kibitz.learning.responses.learner import Response, ResponseProgress

OBSERVER = "observer"  # the folder of the observer within that of a response


def run_response(
    response: Response, hands: int, out: Path | None = None, resume: bool = False, every: int = 0
) -> Iterator[ResponseProgress]:
    """Train until `hands` deals are done, as `run_self_play` does: reports, checkpoints, and in the end the agent."""
    yield from run_self_play(response, hands, out, resume, every)
    if out is not None:
        save_model(response.observer, out / OBSERVER)


def is_response(folder: Path) -> bool:
    """Whether the manifest of `folder` says that it is a learned response: a policy with an observer beside it."""
    return bool(reader_of(made_of(folder)))


def load_response(folder: Path) -> tuple[Model, Model]:
    """The policy of a response and the observer that it reads."""
    return load_policy(folder), load_model(folder / OBSERVER)
