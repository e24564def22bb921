"""The reference implementation of counting: one hand at a time, over states and beliefs, in plain Python."""

from __future__ import annotations

from collections import Counter
from copy import copy

from kibitz.games import State, split_actions
from kibitz.translation import Reader, TreePlace


def count_plainly(records, player, problem, reading):
    """{(node, action, private state): expected count} of all decisions of `player`, and how many there were."""
    counts, decisions, deal, tree = Counter(), 0, problem.sampled_deal, problem.tree
    for record in records:
        for seat in (seat for seat, name in enumerate(record.players) if name == player):
            state = State.start(record.game, record.deal)
            beliefs = [(Reader(TreePlace(tree), reading), 1.0)]
            for action in split_actions(record.history):
                after = []
                for reader, weight in beliefs:
                    place = copy(reader).tree_place(state)
                    for read in reader.read(state, action):
                        after.append((read, weight * read.chance))
                        if state.player == seat and place is not None:
                            hole, board = record.deal.hole[seat], state.board
                            bucket = private_state(deal, seat, state.round, hole, board)
                            number = read.place.node - tree.first_child[place.node]
                            counts[place.node, int(number), bucket] += weight * read.chance
                decisions += state.player == seat
                beliefs, state = after, state.apply(action)
    return counts, decisions


def private_state(deal, seat, round_, hole, board):
    if hasattr(deal, "abstractions"):
        return deal.abstractions[seat].bucket(hole, board)
    return deal.state(seat, round_, hole, board)
