"""Opponent cluster hand strength against going through every opponent."""

import numpy as np

from kibitz.abstraction.features.boards import get_boards, pair_cards
from kibitz.abstraction.features.distributions import SURE_WIN, OpponentRows
from kibitz.cards import parse_cards
from kibitz.evaluator import evaluate


def plain_vector(hole, board, clusters):
    """Strength of one hand against each of eight clusters, as the kernel rounds it."""
    own = evaluate(hole + board)
    wins, others = [0] * 8, [0] * 8
    for opponent, cluster in zip(pair_cards().tolist(), clusters, strict=True):
        if not set(opponent) & set(hole + board):
            theirs = evaluate((*opponent, *board))
            wins[cluster] += 2 * (own > theirs) + (own == theirs)
            others[cluster] += 2
    return [
        int(SURE_WIN * won / most + 0.5) if most else (SURE_WIN + 1) // 2
        for won, most in zip(wins, others, strict=True)
    ]


def test_against_every_opponent():
    clusters = np.random.default_rng(0).integers(8, size=1326)
    clusters[clusters == 5] = 4  # a cluster that nobody is in
    boards = get_boards(5)
    texts = ("KsQs8s3d2c", "7h7d7c2s2d", "AsKsQsJsTs")
    rows = np.array([boards.place(parse_cards(text))[0] for text in texts], dtype=np.int64)
    found = OpponentRows(clusters).rows(rows)
    for row, vectors in zip(rows, found, strict=True):
        board = tuple(boards.cards[row].tolist())
        for pair in range(0, 1326, 97):
            hole = tuple(pair_cards()[pair].tolist())
            if set(hole) & set(board):
                assert not vectors[pair].any()
            else:
                assert vectors[pair].tolist() == plain_vector(hole, board, clusters)
