"""Self-play as a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from kibitz.learning.fields import hands_field, learning_field, seats_of, seed_field, threads_field
from kibitz.learning.files import load_model, model_artefact
from kibitz.learning.model import ModelError
from kibitz.learning.presets import PRESETS, Preset
from kibitz.learning.rivals import rivals_of
from kibitz.learning.runs import LearningRun
from kibitz.learning.tables import TableRules, rules_of_model
from kibitz.learning.training import SelfPlay
from kibitz.plans import HERE, Means, Plan, setting

ROWS = 20  # of the curve
LEARNING = (
    "batch", "parts", "rate", "card_rate", "type_rate", "move_rate", "showdown_rate", "entropy", "halving", "least",
    "least_entropy", "floor", "window", "value_scale",
)  # fmt: skip
STRUCTURE = ("profile", "public_observer", "self_aware", "chips")


@dataclass(frozen=True)
class SelfPlayPlan(Plan):
    """Train an agent by playing it against itself, and save it in --out.

    All seats share one policy, which learns by REINFORCE; an observer learns to read hidden cards from the betting. In
    some deals others sit down who never look at their cards (--against), or the agent would not know what to do against
    a player who always raises. The columns are deals so far, deals per second, the share of seats that put chips in
    voluntarily (VP$IP), shares of fold, call and raise, bits of entropy per decision, the standard deviation of a
    return in small blinds, the use of the rarest card-type, and the norms of the gradients of policy and observer, per
    deal.
    """

    kind: ClassVar[str] = "train self-play"

    players: str = setting("6", "Players at the table, 2 to 10, or irc for a mix")
    hands: int = hands_field(1_000_000)
    seed: int = seed_field("Seed for cards, actions and first weights")
    preset: Literal["default", "thesis"] = setting("default", "What works best, or what the thesis prints")
    start: Path | None = setting(
        None, "Agent from self-play to go on from, its rates as at the start", option="from", input="artefact",
        unsaid="random weights",
    )  # fmt: skip
    against: str | None = setting(
        None, "Others at the table and their shares of all deals, such as always-raise:0.05,random:0.02, or none",
        unsaid="the preset's",
    )  # fmt: skip
    threads: int = threads_field()
    profile: Literal["complete", "listed"] | None = setting(
        None, "Card features: as printed (listed), or with additions that tell all hands apart", unsaid="the preset's"
    )
    public_observer: bool = setting(False, "Let the observer see public card features at decisions")
    self_aware: bool = setting(False, "Let players look ahead to what others would believe of them")
    chips: Literal["linear", "saturating", "logarithm"] | None = setting(
        None, "How bet features count pots and what is owed", unsaid="the preset's"
    )
    cap: int | None = setting(None, "Bets in a round", at_least=1, at_most=100, unsaid=f"{TableRules.cap}")
    capped_heads_up: bool = setting(False, "Keep the cap when two players are left")
    decision_cap: int | None = setting(
        None, "Decisions in a deal, after which everybody calls", at_least=1, at_most=1000,
        unsaid=f"{TableRules.decision_cap}",
    )  # fmt: skip
    fold_when_free: bool = setting(False, "Allow folds where a check is free")
    forward_blinds: bool = setting(False, "Heads-up, let the player after the button post the small blind")
    chip_rewards: bool = setting(False, "Count returns in chips, not in pots")
    reward_scale: float | None = learning_field("reward_scale")
    batch: int | None = learning_field("batch")
    parts: int | None = learning_field("parts")
    rate: float | None = learning_field("rate")
    card_rate: float | None = learning_field("card_rate")
    type_rate: float | None = learning_field("type_rate")
    move_rate: float | None = learning_field("move_rate")
    showdown_rate: float | None = learning_field("showdown_rate")
    entropy: float | None = learning_field("entropy")
    halving: float | None = learning_field("halving")
    least: float | None = learning_field("least")
    least_entropy: float | None = learning_field("least_entropy")
    floor: float | None = learning_field("floor")
    window: float | None = learning_field("window")
    value_scale: float | None = learning_field("value_scale")

    @cached_property
    def chosen(self) -> Preset:
        """The preset with what was said beside it."""
        preset = PRESETS[self.preset]
        learning = replace(preset.learning, **self._said(LEARNING))
        if self.chip_rewards:
            learning = replace(learning, pot_scaling=False)
        if self.reward_scale is not None:
            if learning.pot_scaling:
                raise ModelError("a reward scale counts chips: ask for chip rewards too", settings=("reward_scale",))
            learning = replace(learning, reward_scale=self.reward_scale)
        against = preset.against if self.against is None else self.against
        return Preset(replace(preset.structure, **self._said(STRUCTURE)), learning, against)

    def _said(self, names: tuple[str, ...]) -> dict[str, Any]:
        """What was said of these settings."""
        found = {name: getattr(self, name) for name in names}
        return {name: value for name, value in found.items() if value is not None and value is not False}

    def begin(self, means: Means = HERE) -> LearningRun:
        trainer = self._trainer()
        every = max(self.hands // ROWS, 10 * trainer.learning.batch)
        stage = f"self-play, {self.players} players"
        return LearningRun(trainer, self.hands, every, lambda: model_artefact(trainer.model), stage)

    def _trainer(self) -> SelfPlay:
        structure, learning, against = self.chosen
        begun, rules = None, self._rules(TableRules())
        if self.start is not None:
            begun = load_model(self.start)
            structure = replace(begun.structure, **self._said(STRUCTURE))
            if structure != begun.structure:
                raise ModelError(
                    f"{self.start} has another structure: an agent goes on with its own", settings=STRUCTURE
                )
            rules = self._rules(rules_of_model(begun))
        return SelfPlay(
            seats_of(self.players), self.seed, structure, rules, learning, rivals_of(against), begun, self.threads
        )

    def _rules(self, known: TableRules) -> TableRules:
        """The rules of the table, where something was said other than those known."""
        found = self._said(("cap", "decision_cap", "fold_when_free", "forward_blinds"))
        if self.capped_heads_up:
            found["uncapped_heads_up"] = False
        return replace(known, **found)
