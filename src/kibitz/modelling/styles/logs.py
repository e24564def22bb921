"""Style statistics of logs in any format, on several processes, the same to the bit whatever their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.io.logs import list_files
from kibitz.io.record import Note, Refusal
from kibitz.modelling.logs import CHUNK, Broken, Portion, share_out
from kibitz.modelling.styles.counts import StyleCounts
from kibitz.modelling.styles.tally import StyleTally
from kibitz.modelling.styles.transfers import Transfers
from kibitz.progress import Count


@dataclass(frozen=True)
class Styles:
    """The players of some logs.

    players   by name, those with most hands first
    positions by name and position, first after the button first
    unit      of means and standard deviations
    chips     what a big blind (or ante) is in the money of the logs, where all hands have the same
    tables    hands at tables of so many players
    others    hands at tables of another size than was wanted
    unknown   hands whose results are not known
    unplayed  hands of games that are not played here, and what is said of the first
    bad       broken places, of which `first` holds some
    """

    hands: int
    players: dict[str, StyleCounts]
    positions: dict[str, dict[str, StyleCounts]]
    transfers: Transfers
    unit: str
    chips: float | None
    tables: dict[int, int]
    others: int = 0
    unknown: int = 0
    unplayed: int = 0
    reason: str = ""
    bad: int = 0
    first: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class _Task(Portion):
    """The share of one process; `players` is the size of the tables that are wanted."""

    players: int | None
    skip_bad: bool


@dataclass
class _Share:
    """What one process found."""

    tally: StyleTally = field(default_factory=StyleTally)
    broken: Broken = field(default_factory=Broken)
    others: int = 0
    sizes: set[int] = field(default_factory=set)
    unplayed: int = 0
    reason: str = ""


def read_styles(
    logs: Sequence[Path | str],
    *,
    game: Game | None = None,
    players: int | None = None,
    skip_bad: bool = False,
    workers: int = 1,
    progress: Count | None = None,
) -> Styles:
    """The style of every player in `logs`: files, archives and folders of any known format.

    game      the rules of ACPC logs, whatever they name
    players   count only tables of so many players
    skip_bad  pass over broken hands instead of raising
    progress  is told the number of hands read so far, now and then
    """
    files = tuple(list_files([Path(log) for log in logs]))
    workers = max(1, workers)
    tasks = [_Task(files, game, each, workers, players, skip_bad) for each in range(workers)]
    shares = share_out(_work, tasks, progress)
    bad, first = Broken.of_all((share.broken for share in shares), skip_bad)
    whole = shares[0]
    for share in shares[1:]:
        whole.tally.merge(share.tally)
        whole.others, whole.unplayed = whole.others + share.others, whole.unplayed + share.unplayed
        whole.sizes |= share.sizes
        whole.reason = whole.reason or share.reason
    tally = whole.tally
    if not tally.hands:
        raise KibitzError(_why_none(whole, players, bad))
    chips = next(iter(tally.stakes))[0] if len(tally.stakes) == 1 else None
    return Styles(
        tally.hands,
        tally.players,
        tally.positions,
        tally.transfers,
        tally.unit,
        chips,
        dict(sorted(tally.tables.items())),
        whole.others,
        tally.unknown,
        whole.unplayed,
        whole.reason,
        bad,
        first,
    )


def _work(task: _Task, progress: Count | None = None) -> _Share:
    share = _Share()
    for read, (place, event) in enumerate(task.events(), 1):
        bad: Refusal | None = None
        if isinstance(event, Note):
            share.unplayed += 1
            share.reason = share.reason or str(event)
        elif isinstance(event, Refusal):
            bad = event
        elif task.players not in (None, len(event.players)):
            share.others += 1
            share.sizes.add(len(event.players))
        else:
            bad = share.tally.add(event)
        if bad is not None:
            share.broken.add(place, bad)
            if not task.skip_bad:
                break
        if progress and read % CHUNK == 0:
            progress(read)
    share.tally.close()
    return share


def _why_none(found: _Share, players: int | None, bad: int) -> str:
    if found.others:
        sizes = " and ".join(map(str, sorted(found.sizes)))
        return f"no hand at a table of {players} players: the {found.others:,} hands are of tables of {sizes}"
    if bad:
        return f"no hand to count: all of {bad:,} are broken"
    if found.unplayed:
        return f"no hand to count: {found.unplayed:,} of games that are not played here: {found.reason}"
    return "no hand to count: these files and folders hold no hand history"
