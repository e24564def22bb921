"""The structure of Sweeney 2012 computed plainly: one number at a time, from `State` and the formulas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import exp, log

import numpy as np

from kibitz.games import Deal, State
from kibitz.learning.cards.names import private_names
from kibitz.learning.model import Model, views
from kibitz.learning.records import CONSTANT, FLOP, MOVES, PRIVATE, PUBLIC, RIVER, SHORT, TURN, list_length
from learning.described import describe_board, describe_hands

ACTIONS = "fcr"
ACTING = {0: (), 1: (FLOP,), 2: (FLOP, TURN), 3: (SHORT,)}
MOVING = {1: (FLOP,), 2: (FLOP, TURN), 3: (FLOP, TURN, RIVER)}


@dataclass
class Decision:
    player: int
    stage: int
    action: int
    paid: int
    can_fold: bool
    bets: dict[int, np.ndarray]  # option -> nine features and the cost, scaled
    opponents: np.ndarray
    ahead: dict[int, np.ndarray]  # option -> the belief about the actor after it
    pot: float = 0.0  # chips after a call


def bent(chips: float, how: str) -> float:
    """A number of chips, scaled, as a bet feature."""
    if how == "saturating":
        return chips / (1 + chips / 32)
    return log(1 + chips, 2) if how == "logarithm" else chips


def bet_features(state: State, option: int, scales, how: str = "linear") -> np.ndarray:
    """What a player sees of the betting after calling (0) or raising (1), from the states themselves."""
    game, actor = state.game, state.player
    after = state.apply("cr"[option])
    spent = list(state.spent)
    spent[actor] = state.bet + (game.raise_sizes[state.round] if option else 0)
    bet = spent[actor]
    opponents = [p for p in range(game.players) if p != actor and not state.folded >> p & 1]
    ends = after.player < 0 or after.round != state.round
    to_act = 0 if ends else sum(after.pending >> p & 1 for p in opponents)
    owed = sum(bet - spent[p] for p in opponents)
    left = game.max_raises[state.round] - state.raises - option
    if game.uncapped_heads_up and len(opponents) == 1:
        left = 4
    found = [
        len(opponents),
        float(ends),
        sum(spent),
        owed,
        (sum(spent) + owed) / (len(opponents) + 1),
        to_act,
        sum(p > actor for p in opponents) if state.round < 3 else 0,
        float(len(opponents) == 1),
        left,
        bet - state.spent[actor],
    ]
    found = np.array(found) / np.array(scales)
    found[2:5] = [bent(each, how) for each in found[2:5]]  # pot, amount owed and fair share
    return found


def softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def dense(numbers, values, length) -> np.ndarray:
    found = np.zeros(length)
    found[numbers] = values
    return found


@lru_cache(maxsize=1000)
def public_features(structure, kind: int, board) -> np.ndarray:
    return dense(*describe_board(kind, board, structure.mode), list_length(kind))


@lru_cache(maxsize=1000)
def private_features(structure, stage: int, hole, board) -> np.ndarray:
    (numbers,), (values,), (count,) = describe_hands(stage, [hole], board, structure.mode)
    return dense(numbers[:count], values[:count], len(private_names("complete", stage)))


class Plain:
    """A model, one deal of its, and all that follows from them."""

    def __init__(self, model: Model, flat: np.ndarray | None = None) -> None:
        self.structure = model.structure
        self.weights = views(model.flat if flat is None else flat)

    def public(self, kind: int, board) -> np.ndarray:
        return public_features(self.structure, kind, tuple(board))

    def private(self, stage: int, hole, board) -> np.ndarray:
        return private_features(self.structure, stage, tuple(hole), tuple(board))

    def public_logits(self, stage: int, board) -> np.ndarray:
        logits = np.zeros(8)
        for kind in ACTING[stage]:
            features = self.public(kind, board)
            base = PUBLIC[stage, kind]
            logits += features @ self.weights.cards[base : base + len(features)]
        return logits

    def card_logits(self, stage: int, hole, board) -> np.ndarray:
        features = self.private(stage, hole, board)
        base = PRIVATE[stage]
        return self.public_logits(stage, board) + features @ self.weights.cards[base : base + len(features)]

    def moves(self, stage: int, board) -> np.ndarray:
        logits = self.weights.transitions[CONSTANT[stage]].copy()
        for kind in MOVING[stage]:
            features = self.public(kind, board)
            base = MOVES[stage, kind]
            logits += features @ self.weights.transitions[base : base + len(features)]
        return np.exp(logits).reshape(8, 8)

    def chances(self, decision: Decision, extra: np.ndarray, own: bool) -> np.ndarray:
        """Probabilities of fold, call and raise; `extra` are the logits of the cards or of a card-type."""
        w, stage = self.weights, decision.stage
        values = {0: 0.0} if decision.can_fold else {}
        for option, found in decision.bets.items():
            logits = found[:9] @ w.bets[stage, :9] + w.bets[stage, 9] + decision.opponents @ w.beliefs[stage] + extra
            if own and self.structure.self_aware:
                logits = logits + decision.ahead[option] @ w.own[stage]
            values[option + 1] = softmax(logits) @ (found[:9] @ w.values[stage]) - w.costs[stage] * found[9]
        chances = np.zeros(3)
        chances[list(values)] = softmax(np.array(list(values.values())))
        return chances

    def type_chances(self, decision: Decision, board) -> np.ndarray:
        """The same of every card-type: float64[3, c]."""
        extra = self.public_logits(decision.stage, board) if self.structure.public_observer else np.zeros(8)
        found = [self.chances(decision, self.weights.types[decision.stage, :, c] + extra, False) for c in range(8)]
        return np.array(found).T

    def walk(self, game, holes, board, actions):
        """Play recorded actions; returns decisions, their probabilities, the last beliefs, and the state."""
        state = State.start(game, Deal(tuple(map(tuple, holes)), tuple(board)))
        beliefs = np.tile(self.weights.initial, (game.players, 1))
        decisions, chances, stage = [], [], 0
        actions, scaled = list(actions), (self.structure.bet_scales, self.structure.chips)
        while not state.finished:
            while stage < state.round:
                stage += 1
                for p in range(game.players):
                    if not state.folded >> p & 1:
                        beliefs[p] = beliefs[p] @ self.moves(stage, board)
                        beliefs[p] /= beliefs[p].sum()
            if not actions:  # the cap on decisions
                assert str(state.legal()) == "c"
                state = state.apply("c")
                continue
            actor, legal = state.player, state.legal()
            options = (0, 1) if "r" in legal else (0,)
            others = [p for p in range(game.players) if p != actor and not state.folded >> p & 1]
            decision = Decision(
                actor, stage, int(actions.pop(0)), state.spent[actor], "f" in legal,
                {option: bet_features(state, option, *scaled) for option in options},
                beliefs[others].sum(axis=0), {}, sum(state.apply("c").spent),
            )  # fmt: skip
            by_type = self.type_chances(decision, board)
            for option in options:
                ahead = beliefs[actor] * by_type[option + 1]
                decision.ahead[option] = ahead / ahead.sum()
            chances.append(self.chances(decision, self.card_logits(stage, holes[actor], board), True))
            beliefs[actor] = beliefs[actor] * by_type[decision.action]
            beliefs[actor] /= beliefs[actor].sum()
            decisions.append(decision)
            state = state.apply(ACTIONS[decision.action])
        return decisions, chances, beliefs, state

    def policy_objective(self, decisions, advantages, holes, board) -> float:
        """The sum of advantage times ln probability, what others do and believe being given."""
        total = 0.0
        for decision, advantage in zip(decisions, advantages, strict=True):
            logits = self.card_logits(decision.stage, holes[decision.player], board)
            total += advantage * log(self.chances(decision, logits, True)[decision.action])
        return total

    def policy_entropy(self, decisions, holes, board) -> float:
        """The sum of the entropies of decisions in nats, what others do and believe being given."""
        total = 0.0
        for decision in decisions:
            logits = self.card_logits(decision.stage, holes[decision.player], board)
            total -= sum(chance * log(chance) for chance in self.chances(decision, logits, True) if chance > 0)
        return total

    def factors(self, decisions, players, last, board, tilt=None):
        """Products of action probabilities, forward factors and totals by player and stage.

        tilt : float64[players, stages, types]   is added to the logarithms of the products
        """
        likely = np.ones((players, 4, 8)) if tilt is None else np.exp(tilt)
        for each in decisions:
            likely[each.player, each.stage] *= self.type_chances(each, board)[each.action]
        alpha, totals = np.zeros((players, 4, 8)), np.zeros((players, 4, 2))
        for p in range(players):
            for stage in range(last[p] + 1):
                prior = alpha[p, stage - 1] @ self.moves(stage, board) if stage else self.weights.initial
                alpha[p, stage] = prior * likely[p, stage]
                totals[p, stage] = prior.sum(), alpha[p, stage].sum()
        return likely, alpha, totals

    def likelihood(self, decisions, players, last, board, shown=(), winner=-1, tilt=None) -> float:
        """The conditional log-likelihood T of actions and of the winner of a worked showdown between `shown`."""
        _, alpha, totals = self.factors(decisions, players, last, board, tilt)
        found = 0.0
        for p in range(players):
            for stage in range(last[p] + 1):
                if stage:
                    found -= log(totals[p, stage, 0])
                if stage < last[p] or p not in shown:
                    found += log(totals[p, stage, 1])
        if shown:
            q = [exp(each) for each in self.weights.showdown]
            joint = 0.0
            for types in product(range(8), repeat=len(shown)):
                weight = q[types[shown.index(winner)]] / sum(q[c] for c in types)
                for p, c in zip(shown, types, strict=True):
                    weight *= alpha[p, 3, c]
                joint += weight
            found += log(joint)
        return found
