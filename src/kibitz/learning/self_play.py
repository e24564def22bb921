"""Self-play as a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from kibitz.errors import KibitzError
from kibitz.learning.fields import (
    batch_field,
    card_rate_field,
    halving_field,
    hands_field,
    rate_field,
    seats_of,
    seed_field,
)
from kibitz.learning.files import model_artefact
from kibitz.learning.model import Structure
from kibitz.learning.runs import LearningRun
from kibitz.learning.settings import Learning
from kibitz.learning.tables import TableRules
from kibitz.learning.training import SelfPlay
from kibitz.plans import HERE, Means, Plan, setting

ROWS = 20  # of the curve
LEARNING = (  # settings that are called so in `Learning` too
    "batch", "rate", "card_rate", "type_rate", "move_rate", "showdown_rate", "baseline", "entropy", "halving",
    "anchor_pull", "anchor_rate", "value_scale",
)  # fmt: skip


@dataclass(frozen=True)
class SelfPlayPlan(Plan):
    """Train an agent by playing it against itself, and save it in --out.

    All seats share one policy, which learns by REINFORCE; an observer learns to read hidden cards from the betting. The
    columns are deals so far, deals per second, the share of seats that put chips in voluntarily (VP$IP), shares of
    fold, call and raise, bits of entropy per decision, the standard deviation of a return in small blinds, the use of
    the rarest card-type, and the norms of the gradients of policy and observer, per deal.
    """

    kind: ClassVar[str] = "learn self-play"

    players: str = setting("6", "Players at the table, 2 to 10, or irc for a mix")
    hands: int = hands_field(1_000_000)
    seed: int = seed_field("Seed for cards, actions and first weights")
    profile: Literal["complete", "listed"] = setting(
        "complete", "Card features: as printed (listed), or with additions that tell all hands apart"
    )
    public_observer: bool = setting(False, "Let the observer see public card features at decisions")
    self_aware: bool = setting(False, "Let players look ahead to what others would believe of them")
    cap: int = setting(TableRules.cap, "Bets in a round", at_least=1, at_most=100)
    capped_heads_up: bool = setting(False, "Keep the cap when two players are left")
    decision_cap: int = setting(
        TableRules.decision_cap, "Decisions in a deal, after which everybody calls", at_least=1, at_most=1000
    )
    fold_when_free: bool = setting(False, "Allow folds where a check is free")
    forward_blinds: bool = setting(False, "Heads-up, let the player after the button post the small blind")
    batch: int = batch_field(Learning.batch)
    rate: float = rate_field(Learning.rate)
    card_rate: float = card_rate_field(Learning.card_rate)
    type_rate: float = setting(Learning.type_rate, "Learning rate of the observer's card-types", at_least=0)
    move_rate: float = setting(Learning.move_rate, "Learning rate of the observer's transitions", at_least=0)
    showdown_rate: float = setting(
        Learning.showdown_rate, "Learning rate of the observer's showdown estimator", at_least=0
    )
    baseline: Literal["none", "fold", "mean", "linear"] = setting("fold", "What returns are compared with")
    reward_scale: float | None = setting(
        None, "Small blinds that make a reward of 1, with --chip-rewards", at_least=1e-6,
        unsaid=f"{Learning.reward_scale:g}",
    )  # fmt: skip
    chip_rewards: bool = setting(False, "Count returns in chips, not in pots")
    value_scale: float = setting(
        Learning.value_scale, "Standard deviation of the first values of outcome states", at_least=0
    )
    entropy: float = setting(
        Learning.entropy, "Weight of the policy's entropy, in pots, at the start; falls as rates do", at_least=0
    )
    halving: float = halving_field(Learning.halving)
    anchor_pull: float = setting(
        Learning.anchor_pull, "Weight of the distance to a lagging anchor; 0 for none", at_least=0
    )
    anchor_rate: float = setting(Learning.anchor_rate, "How fast the anchor follows, per deal", at_least=0)

    def begin(self, means: Means = HERE) -> LearningRun:
        trainer = self._trainer()
        every = max(self.hands // ROWS, 10 * self.batch)
        stage = f"self-play, {self.players} players"
        return LearningRun(trainer, self.hands, every, lambda: model_artefact(trainer.model), stage)

    def _trainer(self) -> SelfPlay:
        if self.reward_scale is not None and not self.chip_rewards:
            raise KibitzError("--reward-scale counts chips: give --chip-rewards too")
        rules = TableRules(
            self.cap, not self.capped_heads_up, self.decision_cap, self.fold_when_free, self.forward_blinds
        )
        scale = Learning.reward_scale if self.reward_scale is None else self.reward_scale
        given = {name: getattr(self, name) for name in LEARNING}
        learning = Learning(**given, reward_scale=scale, pot_scaling=not self.chip_rewards)
        structure = Structure(self.profile, self.public_observer, self.self_aware)
        return SelfPlay(seats_of(self.players), self.seed, structure, rules, learning)
