"""Player types computed plainly: one (card-type, type) pair at a time, from `State` and the formulas."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kibitz.games import Deal, State
from kibitz.learning.player_types import TypedModel
from learning.plain_structure import ACTIONS, Decision, Plain, bet_features


@dataclass
class Walked:
    decisions: list[Decision] = field(default_factory=list)
    summed: list[np.ndarray] = field(default_factory=list)  # Q of every decision
    chances: list[np.ndarray] = field(default_factory=list)  # float64[3, p, c]
    with_cards: list[np.ndarray] = field(default_factory=list)  # float64[3, p]
    seen: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # marginals of all before the decision
    states: list[State] = field(default_factory=list)
    joint: np.ndarray | None = None  # J(p, c) by seat at the end
    kinds: np.ndarray | None = None  # types by seat after those shown are corrected


class PlainTyped:
    def __init__(self, model: TypedModel) -> None:
        self.model, self.plain = model, Plain(model.base)
        self.own = model.weights.own[:, : model.count]
        self.others = model.weights.opponents[:, : model.count]

    def walk(self, game, holes, board, actions, start, shown=()) -> Walked:
        """Follow recorded actions; start : float64[seat, p] is what is believed of types before the deal."""
        plain, found = self.plain, Walked()
        state = State.start(game, Deal(tuple(map(tuple, holes)), tuple(board)))
        joint = start[:, :, None] * plain.weights.initial[None, None, :]
        actions, stage = list(actions), 0
        while not state.finished:
            while stage < state.round:
                stage += 1
                for p in range(game.players):
                    if not state.folded >> p & 1:
                        joint[p] = joint[p] @ plain.moves(stage, board)
                        joint[p] /= joint[p].sum()
            if not actions:
                state = state.apply("c")
                continue
            actor, legal = state.player, state.legal()
            options = (0, 1) if "r" in legal else (0,)
            others = [p for p in range(game.players) if p != actor and not state.folded >> p & 1]
            decision = Decision(
                actor, stage, int(actions.pop(0)), state.spent[actor], "f" in legal,
                {option: bet_features(state, option, plain.structure.bet_scales) for option in options},
                joint[others].sum(axis=(0, 1)), {},
            )  # fmt: skip
            summed = joint[others].sum(axis=(0, 2))
            shared = summed @ self.others[stage]
            public = plain.public_logits(stage, board) if plain.structure.public_observer else np.zeros(8)
            by_type = np.array(
                [
                    [
                        plain.chances(decision, plain.weights.types[stage, :, c] + public + shared + own, False)
                        for c in range(8)
                    ]
                    for own in self.own[stage]
                ]
            ).transpose(2, 0, 1)
            hand = plain.card_logits(stage, holes[actor], board)
            found.with_cards.append(
                np.array([plain.chances(decision, hand + shared + own, False) for own in self.own[stage]]).T
            )
            found.seen.append((joint.sum(axis=1), joint.sum(axis=2)))
            found.states.append(state)
            joint[actor] *= by_type[decision.action]
            joint[actor] /= joint[actor].sum()
            found.decisions.append(decision)
            found.summed.append(summed)
            found.chances.append(by_type)
            state = state.apply(ACTIONS[decision.action])
        found.joint, found.kinds = joint, joint.sum(axis=2)
        for p in shown:
            likely = start[p].copy()
            for decision, chance in zip(found.decisions, found.with_cards, strict=True):
                if decision.player == p:
                    likely *= chance[decision.action]
            found.kinds[p] = likely / likely.sum()
        return found
