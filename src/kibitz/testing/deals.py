"""The contract of a deal: who may hold what, and who wins, in the ways that solvers take it.

>>> from kibitz.deals import matrix_deal
>>> from kibitz.games import load_game
>>> check_deal(matrix_deal(load_game("leduc")))
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.cards import format_cards
from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.deals.board import BoardDeal
from kibitz.deals.sampled import Draws, ListedDeal, SampledDeal
from kibitz.strategy import Layout

if TYPE_CHECKING:
    from kibitz.deals.bucketed import BucketedDeal

CLOSE = 1e-9
MOST_DEALS = 60_000  # of cards that are listed one by one
DRAWN = 2_000  # deals that are drawn
ALLOWED = 6.0  # standard deviations of a frequency
MOST_BOARDS = 200  # of a round that are looked at hand by hand

Floats = npt.NDArray[np.float64]
Deal = MatrixDeal | BoardDeal | SampledDeal


def check_deal(deal: Deal, layout: Layout | None = None, seed: int = 0) -> None:
    """Raise AssertionError, with a sentence, unless `deal` keeps the contract of its kind.

    - matrix   The weights of every round add up to 1, and no sign is larger than its weight. Blocks are all the states
               there are, one after the other. States of a round refine those of the round before, and what they weigh
               and win adds up to what those do. Seats that know the same are alike: weights are symmetric, signs change
               theirs. In a small game every entry is what all its deals, one by one, come to.
    - sampled  A deal depends on the seed and its number alone, and its states are below the counts. With perfect recall
               a state tells those before it. In a small game states come as often as the matrices say; the cards of a
               deal, looked up, are its states.
    - board    Every card that may follow a board does, once. Hands avoid the board and keep their cards from round to
               round; those of the last round stand in the order of their strength. The mass is that of all pairs of
               hands without a common card.

    layout   whose counts and fingerprint must be the deal's
    """
    if layout is not None:
        _require(np.array_equal(layout.counts, deal.counts), f"{deal.counts.tolist()} states", "the layout has others")
        _require(layout.cards == deal.fingerprint, deal.fingerprint, f"the layout is for {layout.cards}")
    if isinstance(deal, MatrixDeal):
        _check_matrix(deal)
    elif isinstance(deal, BoardDeal):
        _check_board(deal)
    else:
        _check_sampled(deal, seed)


def _require(kept: object, where: str, sentence: str) -> None:
    if not kept:
        raise AssertionError(f"{where}: {sentence}")


def _check_matrix(deal: MatrixDeal) -> None:
    rounds = deal.game.rounds
    _require(len(deal.rounds) == rounds, f"a deal of {len(deal.rounds)} rounds", f"the game has {rounds}")
    for r, each in enumerate(deal.rounds):
        where = f"round {r}"
        _check_blocks(where, each)
        _require(np.isfinite(each.weight).all() and (each.weight >= 0).all(), where, "a weight below 0")
        total = float(each.weight.sum())
        _require(abs(total - 1) < CLOSE, where, f"weights add up to {total:.9g}, not 1")
        _require((np.abs(each.sign) <= each.weight + CLOSE).all(), where, "a sign is larger than its weight")
        if each.labels[0] == each.labels[1] and len(set(deal.game.sighted)) == 1:
            weight, sign = each.dense(each.weight), each.dense(each.sign)
            _require(np.allclose(weight, weight.T, atol=CLOSE), where, "seats that know the same have other weights")
            _require(np.allclose(sign, -sign.T, atol=CLOSE), where, "what one seat wins the other does not lose")
        if r:
            _check_refinement(where, each, deal.rounds[r - 1])
    if not deal.cards and _count_deals(deal) <= MOST_DEALS:
        _check_every_deal(deal)


def _check_blocks(where: str, each: RoundDeal) -> None:
    """Blocks partition the states of both players, and their matrices stand one after the other."""
    for player, edges in enumerate(each.edges):
        states = len(each.labels[player])
        _require(edges[0] == 0 and edges[-1] == states, where, f"blocks end at {edges[-1]} of {states} states")
        _require((np.diff(edges) > 0).all(), where, f"a block without states of player {player}")
        _require(len(set(each.labels[player])) == states, where, f"two states of player {player} have one name")
        _require(len(each.parent[player]) == states, where, f"{len(each.parent[player])} parents of {states} states")
    sizes = np.diff(each.edges[0]) * np.diff(each.edges[1])
    _require(np.array_equal(np.diff(each.start), sizes), where, "matrices of other sizes than their blocks")
    entries = {len(each.weight), len(each.sign), int(each.start[-1])}
    _require(len(entries) == 1, where, f"{sorted(entries)} entries: as many weights as signs are due")


def _check_refinement(where: str, each: RoundDeal, before: RoundDeal) -> None:
    for player, parent in enumerate(each.parent):
        above = len(before.labels[player])
        _require(((parent >= 0) & (parent < above)).all(), where, f"a parent beyond the {above} states before")
        blocks = np.searchsorted(before.edges[player], parent, side="right")
        for begin, end in zip(each.edges[player][:-1], each.edges[player][1:], strict=True):
            _require(len(set(blocks[begin:end].tolist())) == 1, where, "the states of a block come from several")
    for what, entries, wanted in (("weigh", each.weight, before.weight), ("win", each.sign, before.sign)):
        found = np.zeros((len(before.labels[0]), len(before.labels[1])))
        np.add.at(found, np.ix_(each.parent[0], each.parent[1]), each.dense(entries))
        _require(
            np.allclose(found, before.dense(wanted), atol=CLOSE), where, f"states {what} other than those they refine"
        )


def _count_deals(deal: MatrixDeal | ListedDeal) -> int:
    game = deal.game
    return prod(len(game.deck) - i for i in range(game.hole_cards * game.players + game.board_ends[-1]))


def _check_every_deal(deal: MatrixDeal) -> None:
    """The matrices against all orders of the cards, one by one."""
    from kibitz.deals.sampled import sampled_deal

    listed = sampled_deal(deal.game, deal.suits_merged)
    found = [np.zeros((2, *each.dense(each.weight).shape)) for each in deal.rounds]
    rows, total = _every_deal(listed), 0
    for row in rows:
        total += 1
        lead = np.sign(int(row.strengths[0, 0]) - int(row.strengths[0, 1]))
        for r, matrices in enumerate(found):
            one, two = row.states[0, r]
            matrices[0, one, two] += 1
            matrices[1, one, two] += lead
    for r, each in enumerate(deal.rounds):
        for what, matrix, entries in zip(("weight", "sign"), found[r] / total, (each.weight, each.sign), strict=True):
            miss = float(np.abs(matrix - each.dense(entries)).max())
            _require(miss < CLOSE, f"round {r}", f"a {what} is {miss:.3g} away from what all deals come to")


def _every_deal(deal: ListedDeal) -> list[Draws]:
    game = deal.game
    held, count = game.hole_cards, game.hole_cards * game.players + game.board_ends[-1]
    return [
        deal.look_up(
            tuple(cards[held * p : held * (p + 1)] for p in range(game.players)), tuple(cards[held * game.players :])
        )
        for cards in permutations(game.deck, count)
    ]


def _check_sampled(deal: SampledDeal, seed: int) -> None:
    game = deal.game
    where = f"deals of {game.name or 'the game'}"
    shape = (game.rounds, game.players)
    _require(deal.counts.shape == shape, where, f"counts of shape {deal.counts.shape}, not {shape}")
    draws = deal.draw(seed, 0, DRAWN)
    _require(draws.states.shape == (DRAWN, *shape), where, f"states of shape {draws.states.shape}")
    _require(draws.strengths.shape == (DRAWN, game.players), where, f"strengths of shape {draws.strengths.shape}")
    inside = (draws.states >= 0) & (draws.states < deal.counts)
    _require(inside.all(), where, "a state beyond the counts")
    part = deal.draw(seed, DRAWN // 3, 100)
    for whole, some in zip(draws, part, strict=True):
        alike = np.array_equal(whole[DRAWN // 3 : DRAWN // 3 + 100], some)
        _require(alike, where, "a deal depends on more than the seed and its number")
    other = deal.draw(seed + 1, 0, DRAWN)
    _require(not np.array_equal(other.states, draws.states), where, "another seed deals the same cards")
    _check_recall(deal, where, draws)
    if isinstance(deal, ListedDeal):
        if game.players == 2 and _count_deals(deal) <= MOST_DEALS:
            _check_frequencies(deal, where, draws)
    elif hasattr(deal, "deal") and hasattr(deal, "look_up"):
        _check_cards(deal, where, draws, seed)  # type: ignore[arg-type]


def _check_recall(deal: SampledDeal, where: str, draws: Draws) -> None:
    """With perfect recall a state has one parent."""
    abstractions: Any = getattr(deal, "abstractions", (None,) * deal.game.players)
    for player, abstraction in enumerate(abstractions):
        if abstraction is not None and abstraction.parents is None:
            continue  # imperfect recall
        for r in range(1, deal.game.rounds):
            pairs = np.unique(draws.states[:, r - 1 : r + 1, player], axis=0)
            once = len(set(pairs[:, 1].tolist())) == len(pairs)
            _require(once, where, f"a state of player {player} in round {r} comes after two of the round before")


def _check_frequencies(deal: ListedDeal, where: str, draws: Draws) -> None:
    """How often pairs of states are drawn, against the matrices."""
    from kibitz.deals import matrix_deal

    for r, each in enumerate(matrix_deal(deal.game, deal.suits_merged).rounds):
        weight = each.dense(each.weight)
        counts = np.zeros(weight.shape)
        np.add.at(counts, (draws.states[:, r, 0], draws.states[:, r, 1]), 1)
        allowed = ALLOWED * np.sqrt(len(draws.states) * weight * (1 - weight)) + 1
        _require((np.abs(counts - len(draws.states) * weight) <= allowed).all(), where, f"odd frequencies in round {r}")


def _check_cards(deal: BucketedDeal, where: str, draws: Draws, seed: int) -> None:
    """The cards of some deals are of the deck, none twice, and looked up they are the states drawn."""
    for number, hands in enumerate(deal.deal(seed, 0, 20).tolist()):
        hole, board = [tuple(cards[:2]) for cards in hands], tuple(hands[0][2:])
        cards = [card for each in hole for card in each] + list(board)
        _require(len(set(cards)) == len(cards), where, f"{format_cards(cards)}: a card is dealt twice")
        _require(all(tuple(each[2:]) == board for each in hands), where, "players see different boards")
        found = deal.look_up(hole, board)
        _require(np.array_equal(found.states[0], draws.states[number]), where, f"{format_cards(cards)}: other states")
        order = np.argsort(found.strengths[0], kind="stable")
        _require(np.array_equal(order, np.argsort(draws.strengths[number], kind="stable")), where, "another winner")


def _check_board(deal: BoardDeal) -> None:
    where = format_cards(deal.board)
    chance = 1.0
    for r, boards in enumerate(deal.boards):
        if r:
            chance /= 48 - len(deal.board) - (r - 1)
            followed = [0] * len(deal.boards[r - 1])
            for board in boards:
                followed[board.above] += len(board.copies)
                above = deal.boards[r - 1][board.above]
                _require(board.cards[:-1] == above.cards, format_cards(board.cards), "it is below another board")
            left = 52 - len(boards[0].cards) + 1
            _require(set(followed) == {left}, where, f"{sorted(set(followed))} cards follow a board: {left} are due")
        _require(abs(deal.chances[r] - chance) < CLOSE, where, f"a board of round {r} has chance {deal.chances[r]}")
        for number in range(min(len(boards), MOST_BOARDS)):
            _check_hands(deal, r, number)
    pairs = [list(zip(each.hands, each.weights, strict=True)) for each in deal.ranges]
    free = [[(set(hand), weight) for hand, weight in each if not set(hand) & set(deal.board)] for each in pairs]
    mass = sum(one * two for held, one in free[0] for other, two in free[1] if not held & other)
    _require(abs(deal.mass - mass) < CLOSE * max(mass, 1), where, f"a mass of {deal.mass:.9g}, not {mass:.9g}")


def _check_hands(deal: BoardDeal, round_: int, number: int) -> None:
    from kibitz.evaluator import evaluate

    board, states = deal.boards[round_][number].cards, deal.states[round_]
    where, strengths = format_cards(board), []
    for p in range(2):
        count = int(states.count[number, p])
        _require(count < states.width[p], where, f"player {p} has no empty state")
        hands = [tuple(hand) for hand in states.hands[p][number, :count].tolist()]
        wanted = {
            tuple(sorted(hand))
            for hand in combinations(range(52), 2)
            if deal.weights[p][hand] > 0 and not set(hand) & set(board)
        }
        _require(set(hands) == wanted and len(hands) == len(wanted), where, f"other hands of player {p} than his range")
        if round_:
            above = deal.states[round_ - 1].hands[p][deal.boards[round_][number].above]
            kept = np.array_equal(above[states.parent[p][number, :count]], states.hands[p][number, :count])
            _require(kept, where, f"a state of player {p} comes from one of other cards")
        if len(board) == 5:
            strengths.append([evaluate((*hand, *board)) for hand in hands])
    if strengths:
        values = sorted(set(strengths[0]) | set(strengths[1]))
        ends = [[int(np.searchsorted(each, value, side="right")) for value in values] for each in strengths]
        ordered = all(each == sorted(each) for each in strengths)
        told = states.groups[number].T.tolist()
        _require(ordered and told == ends, where, "hands do not stand in the order of their strength")
