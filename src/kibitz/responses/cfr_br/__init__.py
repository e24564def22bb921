"""CFR-BR of hold'em: a player in buckets learns against one who sees all real cards (Johanson et al. 2012).

In each iteration the opponent of either seat plays a best response to the learner's current strategy. Over the whole
game that takes hours, and a best response on one sampled board would know the cards to come. So the game is divided, as
in the paper. In the trunk, before and on the flop, the opponent keeps regrets for its real hands. Below it, from the
turn on, it plays a best response to the current strategy, which needs no memory. An iteration samples a flop, a turn
card and some rivers:

1. The best response on this turn board, over all of its rivers: exact, by the kernels of real-game best responses.
2. The opponent's trunk on this flop: values of its actions, regrets.
3. On every sampled river, the learner's regrets and average in all rounds, against trunk, turn and river strategies of
   that opponent.

Sampling a turn board, not a whole flop, is the cheapest version that is right: the best response on a flop is that on
49 turn boards. Its price is the trunk's memory, which is known and not small (428 kB a flop and seat in limit hold'em),
and that an opponent's choice on a flop is learnt only when that flop comes again. With few `flops` these come again
often, and the learner meets fewer boards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.parallel.threads import stoppable_threads
from kibitz.policy.hands import HandPolicy
from kibitz.responses.cfr_br.trunk import HANDS_ON_FLOP, TrunkRegrets, TrunkWalk, TurnBoard, rows_of, starts_of
from kibitz.responses.real.boards import BoardHands, Flops
from kibitz.responses.real.response import Responder
from kibitz.responses.real.walk import CHANCES
from kibitz.solvers.base import StepwiseSolver
from kibitz.solvers.compiled.boards import HANDS, BoardGame
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.strategy import Strategy
from kibitz.tree import Tree

Floats = npt.NDArray[np.float64]
ALL_FLOPS = 1755  # up to the names of suits
RIVERS = 3  # of a turn board on which the learner learns: as long as the best response on all of them takes


def trunk_bytes(tree: Tree, flops: int) -> int:
    """Memory of the opponents' regrets in the trunk, for that many flops or, with 0, all."""
    rows = sum(rows_of(tree, seat)[1] - rows_of(tree, seat)[0] for seat in range(2))
    return (flops or ALL_FLOPS) * rows * HANDS_ON_FLOP * np.dtype(np.float32).itemsize


class RealCFRBR(StepwiseSolver):
    """CFR-BR on sampled turn boards; both seats learn in every iteration, each against an opponent of its own.

    Iteration t counts t times, in the regrets of all as in the average strategy: what was learnt against an opponent
    whose trunk had learnt nothing is soon forgotten.

    seed      of the flops, and of the boards of every iteration
    flops     how many are sampled for the whole run; 0 for all 1,755
    threads   two work at both seats at once; the result is the same
    """

    algorithm = "cfr-br-real"

    def __init__(self, compiled: SampledGame, seed: int = 0, flops: int = 0, threads: int = 1) -> None:
        if flops < 0 or flops == 1:
            raise KibitzError(f"{flops} flops: at least two, or 0 for all")
        self.boards = BoardGame(compiled)
        first, second = self.boards.deal.abstractions
        self._abstractions = (first, second)
        self.compiled, self.seed, self.flops, self.threads = compiled, seed, flops, threads
        sampled = Flops.all() if not flops else Flops.sampled(flops, seed)
        self._flops = [BoardHands(tuple(cards)) for cards in sampled.cards.tolist()]
        self._chances = sampled.weights / sampled.weights.sum()
        tree = compiled.tree
        self.regret, self.average = np.zeros(compiled.layout.size), np.zeros(compiled.layout.size)
        self.trunks = tuple(TrunkRegrets.zeros(tree, seat, len(self._flops)) for seat in range(2))
        self._starts = tuple(starts_of(tree, seat) for seat in range(2))
        self._work = tuple(self._scratch(learner) for learner in range(2))
        self._choices = tuple(np.zeros((len(tree), HANDS), dtype=np.uint8) for _ in range(2))
        self._responders: list[Responder | None] = [None, None]

    def step(self, count: int = 1) -> None:
        if not count:
            self._iterate(1, 0.0)  # which changes nothing, and loads the kernels
        for _ in range(count):
            self._iterate(self.iteration + 1, float(self.iteration + 1))
            self.iteration += 1

    def average_strategy(self) -> Strategy:
        return Strategy(self.compiled.layout, self.compiled.match(self.average), self.manifest())

    def current_strategy(self) -> Strategy:
        """The strategy of the next iteration."""
        return Strategy(self.compiled.layout, self.compiled.match(self.regret), self.parameters())

    def parameters(self) -> dict[str, Any]:
        return {"algorithm": self.algorithm, "seed": self.seed, "flops": self.flops}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        found: dict[str, npt.NDArray[np.generic]] = {"regret": self.regret, "average": self.average}
        for seat, trunk in enumerate(self.trunks):
            found |= {f"before-flop-{seat}": trunk.before, f"on-flop-{seat}": trunk.on}
        return found

    def _iterate(self, number: int, weight: float) -> None:
        """Iteration number 1, 2, ..., which counts `weight` times."""
        generator = np.random.default_rng((self.seed, number))
        flop = int(generator.choice(len(self._flops), p=self._chances))
        hands = self._flops[flop]
        left = np.setdiff1d(np.arange(52), hands.board)
        turn, *rivers = generator.choice(left, 1 + RIVERS, replace=False).tolist()
        policy = HandPolicy(self.current_strategy(), self._abstractions)
        dealt, source = TurnBoard(flop, hands, turn), self.regret.copy()

        def work(learner: int) -> None:
            """One seat, which writes nothing that the other reads."""
            plan = self._respond(policy, learner, dealt, weight).plan
            for river in rivers:
                self._learn(learner, (*dealt.board, river), plan, source, weight)

        with stoppable_threads(min(self.threads, 2)) as (pool, _check):
            list(pool.map(work, range(2)))

    def _respond(self, policy: HandPolicy, learner: int, dealt: TurnBoard, weight: float) -> TrunkWalk:
        """The opponent of a learner: its trunk learns, and its best response on the turn is in the plan."""
        known = self._responders[1 - learner]
        responder = known.updated(policy) if known else Responder(policy, 1 - learner)
        self._responders[1 - learner] = responder
        below = responder.below_turn(dealt.hands, dealt.next_card)
        trees = {node: tree for tree, node in enumerate(responder.rounds[-1].rows.roots.tolist())}
        walk = TrunkWalk(policy, learner, dealt, lambda node: below[trees[node]].astype(np.float64))
        walk.walk(self.trunks[1 - learner], weight, CHANCES[2])
        return walk

    def _learn(self, learner: int, board: tuple[int, ...], plan: Floats, source: Floats, weight: float) -> None:
        """The learner's regrets on a full board, against an opponent who plays `plan` before the last round."""
        from kibitz.solvers.board_sampling.best_response import _kernels

        ranked = self.boards.rank(np.array([board], dtype=np.uint8))
        place = np.full((52, 52), -1)
        flop = BoardHands(board[:3]).cards
        place[flop[:, 0], flop[:, 1]] = np.arange(len(flop))
        given = plan[:, place[ranked.cards[0, :, 0], ranked.cards[0, :, 1]]]
        opponent = (given, self._starts[1 - learner], self._choices[learner])
        sums = (source, self.regret, self.average)
        _kernels.learn(weight, learner, self.boards.tree, tuple(ranked), sums, opponent, self._work[learner])

    def _scratch(self, learner: int) -> tuple[Any, ...]:
        """`work` of the kernels, in which every hand of the opponent is a bucket."""
        work = self.boards.scratch()
        work[1][:, 1 - learner] = np.arange(HANDS)
        return work
