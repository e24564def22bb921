"""Aces against kings over all 1,712,304 boards, against a plain Python loop over phevaluator's C function.

The loop is what a user writes first: `itertools.combinations` of the 48 cards left, two calls per board, a
comparison. Both sides must count 1,388,072 wins and 6,538 ties, or there is nothing to compare.
"""

from itertools import combinations
from time import perf_counter

from phevaluator import _pheval

from kibitz.cards import parse_cards
from kibitz.equity import compute_equity

BOARDS = 1_712_304
EXPECTED = (1_388_072, 6_538)
ROUNDS = 3
OURS_PER_ROUND = 5  # ours takes milliseconds: several tries a round give it as fair a chance of a quiet moment


def run() -> list[dict[str, object]]:
    """A row for one thread and one for two; rates in boards per second, each the best of interleaved rounds."""
    best = {1: 0.0, 2: 0.0}
    peer = 0.0
    compute_equity(["AsAh", "KdKc"])
    for _ in range(ROUNDS):
        for _ in range(OURS_PER_ROUND):
            for threads in best:
                start = perf_counter()
                result = compute_equity(["AsAh", "KdKc"], method="exact", threads=threads)
                best[threads] = max(best[threads], BOARDS / (perf_counter() - start))
                assert (result.wins[0], result.ties[0]) == EXPECTED
        start = perf_counter()
        assert plain_loop() == EXPECTED
        peer = max(peer, BOARDS / (perf_counter() - start))
    return [
        {
            "name": f"AA v KK exact, {threads} thread{'s' * (threads > 1)} v Python loop over phevaluator",
            "ours": rate,
            "peer": peer,
            "ratio": rate / peer,
            "unit": "boards/s",
            "target": 100.0 if threads == 1 else None,
        }
        for threads, rate in best.items()
    ]


def plain_loop() -> tuple[int, int]:
    """Wins and ties of AsAh against KdKc, board by board; phevaluator numbers cards as we do, lower is better."""
    evaluate = _pheval.evaluate_7cards
    a, b, c, d = parse_cards("AsAhKdKc")
    wins = ties = 0
    for board in combinations([card for card in range(52) if card not in (a, b, c, d)], 5):
        ours, theirs = evaluate(a, b, *board), evaluate(c, d, *board)
        if ours < theirs:
            wins += 1
        elif ours == theirs:
            ties += 1
    return wins, ties
