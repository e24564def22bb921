"""Table 7.9 in small: an agent with learnt sizes against agents with fixed ones, of the same cards and effort."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from kibitz.arena.chance import ACPC
from kibitz.arena.duplicate import hands_per_deal
from kibitz.arena.series import Series, play_series
from kibitz.bet_sizing import BetAbstraction, load_bets
from kibitz.bet_sizing.play import playing_strategy, solve_tree
from kibitz.errors import KibitzError
from kibitz.experiments.hawkin2014.curves import SPECS, plan_of
from kibitz.experiments.hawkin2014.efforts import prepared
from kibitz.experiments.ledger import work_folder
from kibitz.experiments.published import Cells, Effort, Experiment, Found, unprinted
from kibitz.games.stakes import Stake, win_rate
from kibitz.plans import carry_out
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.solvers.problem import Problem
from kibitz.statistics import Estimate, Moments, merge
from kibitz.strategy import Strategy, load_strategy, save_strategy
from kibitz.strategy.seats import join_seats
from kibitz.tree import build_tree

NAMES = ("refined", "acpc-2011", "fcpa")
LEARNT = ("REFINED 2 ranges e=25, P1", "REFINED 2 ranges e=25, P2")
MATCH = 500  # deals
PUBLISHED = unprinted(
    "Hawkin 2014, table 7.9 in small: REFINED-BETS against fixed sizes, what the first wins in mbb/hand",
    "agents",
    ("win rate",),
    map(" v ".join, combinations(NAMES, 2)),
    1,
)


class Contest(NamedTuple):
    """A preset.

    learn, runs   iterations of a run that learns sizes, and how many runs
    weighed       deals on which the importance of bets is found
    solve         iterations for every agent
    deals         played in both seatings
    """

    cards: str
    boards: int
    learn: int
    runs: int
    weighed: int
    solve: int
    deals: int


CONTESTS: dict[str, Contest] = {
    "smoke": Contest("3-bucket", 200, 60, 1, 500, 30, 100),
    "short": Contest("3-bucket", 4_000, 300, 2, 5_000, 300, 100_000),
    "full": Contest("5-bucket", 40_000, 1000, 5, 20_000, 1000, 1_000_000),
}


def agents(effort: Effort) -> Experiment:
    """The contest at an effort."""
    contest = CONTESTS[effort.preset]

    def find() -> Cells:
        for row, found in play_contest(effort).items():
            yield row, "win rate", Found(found.mean, found.low, found.high)

    notes = (
        "The agents of the thesis need hundreds of gigabytes. Ours are small: one with the sizes that REFINED-BETS "
        "learnt (two ranges, e = 25), one with the sizes of 2011 (acpc-2011), both solved against an opponent with "
        "pot and all-in (fcpa), a strategy for each seat; and one with pot and all-in for both.",
        f"{effort.preset}: {contest.cards}, {contest.boards:,} boards; sizes learnt in {contest.runs} x "
        f"{contest.learn:,} iterations, every agent solved by {contest.solve:,}; {contest.deals:,} deals in both "
        "seatings. Bets that a strategy does not know are translated. Intervals are over deals, 95 %.",
    )
    return Experiment(PUBLISHED, find, notes)


@cache
def play_contest(effort: Effort) -> dict[str, Estimate]:
    """What the first of every two wins, by row."""
    contest = CONTESTS[effort.preset]
    specs = make_agents(contest, effort, work_folder(effort, effort.preset, "agents"))
    length = min(MATCH, contest.deals)
    problem = prepared(contest.cards, contest.boards, effort)
    series = Series(problem.game, tuple(map(str, specs)), length, contest.deals // length, effort.seed, cards=ACPC)
    won: dict[tuple[int, ...], list[Moments]] = {}
    for done, ((table, _match), moments) in enumerate(play_series(series, effort.executor), 1):
        won.setdefault(table, []).append(moments[0])
        effort.tell("playing", done, len(series.keys))
    stake, hands = Stake.of(problem.game), hands_per_deal(2)
    return {" v ".join(NAMES[i] for i in table): win_rate(merge(each), stake, hands) for table, each in won.items()}


def make_agents(contest: Contest, effort: Effort, folder: Path) -> list[Path]:
    """The folders of the agents, in the order of `NAMES`; what is in `folder` already is not made again."""
    problem = prepared(contest.cards, contest.boards, effort)

    def fixed(*menus: str) -> Strategy:
        effort.tell(f"solving {' against '.join(menus)}", 0, 1)
        return solve_tree(build_tree(problem.game, menus), problem, contest.solve, effort.threads)

    def refined(seat: int) -> Strategy:
        found = _learnt(contest, problem, effort, seat, folder / "sizes" / f"seat-{seat}")
        effort.tell(f"solving learnt sizes, seat {seat}", 0, 1)
        return playing_strategy(found, problem, contest.solve, effort.threads)

    for seat in (0, 1):
        menus = ("acpc-2011", "fcpa") if seat == 0 else ("fcpa", "acpc-2011")
        _kept(folder / "refined" / f"seat-{seat}", contest, problem, partial(refined, seat))
        _kept(folder / "acpc-2011" / f"seat-{seat}", contest, problem, partial(fixed, *menus))
    for name in ("refined", "acpc-2011"):
        join_seats(folder / name, 2)
    _kept(folder / "fcpa", contest, problem, partial(fixed, "fcpa", "fcpa"))
    return [folder / name for name in NAMES]


def _learnt(contest: Contest, problem: Problem, effort: Effort, seat: int, folder: Path) -> BetAbstraction:
    """The sizes of one seat, learnt or gone on with."""
    spec = SPECS[LEARNT[seat]]
    plan = plan_of(spec, problem, contest.learn, contest.runs, threads=effort.threads, weighed=contest.weighed)
    for report in carry_out(plan, folder, resume=(folder / CHECKPOINT).exists()):
        effort.tell(f"learning sizes, seat {seat}, {report.stage}", int(report.done), int(report.goal or 0))
    return load_bets(folder)


def _kept(folder: Path, contest: Contest, problem: Problem, make: Callable[[], Strategy]) -> None:
    """Make a strategy and keep it in `folder`, unless one of the same cards and effort is there."""
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        save_strategy(make(), folder)
        return
    made = load_strategy(folder).manifest
    wanted = {"iterations": contest.solve, **problem.describe_cards()}
    if made != made | wanted:
        raise KibitzError(f"{folder}: made with other cards or effort than {wanted}, choose another folder")
