"""What there is to make and to keep: the tables of plans, of kinds of artefacts, and of what plans are made from.

Whoever adds a method adds a line here. Names are texts, `module:name`, and are imported when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from kibitz.files import shown

# The plans, by the kind that manifests call them; it is the name of their command too.
PLANS: dict[str, str] = {
    "solve": "kibitz.training.solving:SolvePlan",
    "train style": "kibitz.arena.style_search:StylePlan",
    "sweep": "kibitz.plans.sweep:SweepPlan",
    "train blueprint": "kibitz.training.blueprints:BlueprintPlan",
    "train self-play": "kibitz.learning.self_play:SelfPlayPlan",
    "train best-response": "kibitz.learning.responses.plan:BestResponsePlan",
    "train exploiter": "kibitz.learning.exploiters.plan:ExploiterPlan",
    "train opponent": "kibitz.learning.opponents.plan:OpponentPlan",
    "train types": "kibitz.learning.opponents.plan:TypesPlan",
    "train small-game": "kibitz.learning.small_games.plan:SmallGamePlan",
    "opponents population make": "kibitz.learning.population.calibration:PopulationPlan",
    "measure rollouts": "kibitz.learning.rollouts.plan:RolloutPlan",
    "match": "kibitz.arena.playing:DuplicatePlan",
    "tournament": "kibitz.arena.playing:TournamentPlan",
    "opponents pool make": "kibitz.pools.plan:PoolPlan",
    "opponents pool member": "kibitz.pools.plan:MemberPlan",
    "adapt build": "kibitz.portfolios.plan:PortfolioPlan",
    "adapt expert": "kibitz.portfolios.plan:ExpertPlan",
    "opponents cluster": "kibitz.pools.clusters:ClusterPlan",
    "exploit": "kibitz.training.responding:RespondPlan",
    "hands model build": "kibitz.modelling.building:ModelPlan",
    "spot": "kibitz.spots.plan:SpotPlan",
    "abstract cards": "kibitz.abstraction.plan:CardsPlan",
    "abstract bets": "kibitz.bet_sizing.seats:BetsPlan",
    "imitate build": "kibitz.modelling.cases.plan:CasesPlan",
}

# How the content of a plan's inputs is told, by what they are: functions of what the setting says.
INPUTS: dict[str, str] = {
    "game": "kibitz.games.named:rules_of",
    "artefact": "kibitz.plans.artefacts:fingerprint_of",
    "agent": "kibitz.agents.registry:agent_content",
    "model": "kibitz.learning.fields:model_content",
    "small game": "kibitz.learning.small_games.plan:content",
    "opponent": "kibitz.portfolios.opponents:opponent_content",
    "logs": "kibitz.modelling.building:logs_content",
}


class Kind(NamedTuple):
    """What an artefact can be.

    what      for people
    load      gives the object in a folder
    agent     gives the agent of a text FOLDER,setting=value,...; empty where it is not an agent
    show      prints it, given the folder and what else `kibitz show` was told
    """

    what: str
    load: str
    agent: str = ""
    show: str = ""


KINDS: dict[str, Kind] = {
    "strategy": Kind(
        "a strategy",
        load="kibitz.strategy.files:load_strategy",
        agent="kibitz.agents.strategic:load_strategy_agent",
        show="kibitz.cli.show:show_strategy",
    ),
    "learned": Kind(
        "a learned model",
        load="kibitz.learning.files:load_model",
        agent="kibitz.agents.learned:load_learned_agent",
        show="kibitz.cli._learned:show_learned",
    ),
    "response": Kind(
        "a learned response",
        load="kibitz.learning.responses.files:load_response",
        agent="kibitz.agents.learned:load_responding_agent",
        show="kibitz.cli._learned:show_learned",
    ),
    "types": Kind(
        "a model of player types",
        load="kibitz.learning.player_types:load_typed",
        show="kibitz.cli._learned:show_learned",
    ),
    "exploiter": Kind(
        "an exploiter of player types",
        load="kibitz.learning.exploiters:load_exploiter",
        agent="kibitz.agents.exploiting:load_exploiting_agent",
        show="kibitz.cli._learned:show_learned",
    ),
    "population": Kind(
        "a population of bots",
        load="kibitz.learning.population.bots:load_population",
        show="kibitz.cli.population:show_population",
    ),
    "rollout errors": Kind(
        "a measurement of rollout errors",
        load="kibitz.learning.rollouts.plan:load_report",
        show="kibitz.cli.rollout_error:show_rollouts",
    ),
    "seats": Kind(
        "a strategy for each seat",
        load="kibitz.strategy.seats:load_seats",
        agent="kibitz.agents.strategic:load_seated_agent",
        show="kibitz.cli.show:show_seats",
    ),
    "bets": Kind(
        "learned bet sizes",
        load="kibitz.bet_sizing.files:load_bets",
        show="kibitz.cli.abstract_bets:show_bets",
    ),
    "spot": Kind(
        "a solved spot",
        load="kibitz.spots.files:load_spot",
        show="kibitz.cli.spot:show_spot",
    ),
    "cards": Kind(
        "a card abstraction",
        load="kibitz.abstraction.files:read_abstraction",
        show="kibitz.cli.abstract:show_cards",
    ),
    "cases": Kind(
        "a file of cases",
        load="kibitz.modelling.cases.files:load_cases",
        agent="kibitz.agents.case_based:load_case_agent",
        show="kibitz.cli.imitate:show_cases",
    ),
    "series": Kind(
        "the results of a match or tournament",
        load="kibitz.arena.played:read_standings",
        show="kibitz.cli.match:show_series",
    ),
    "style": Kind(
        "a rule-based style",
        load="kibitz.plans.artefacts:open_artefact",
        agent="kibitz.arena.style_search:load_style_agent",
        show="kibitz.cli.show:show_about",
    ),
    "sweep": Kind("a sweep", load="kibitz.plans.artefacts:open_artefact", show="kibitz.cli.show:show_sweep"),
    "pool": Kind("a pool", load="kibitz.pools.plan:load_pool", show="kibitz.cli.pool:show_pool"),
    "clusters": Kind(
        "clusters of opponents", load="kibitz.pools.clusters:load_clusters", show="kibitz.cli.cluster:show_clusters"
    ),
    "portfolio": Kind(
        "a portfolio",
        load="kibitz.portfolios:load_portfolio",
        agent="kibitz.agents.implicit:load_portfolio_agent",
        show="kibitz.cli.adapt:show_portfolio",
    ),
    "front": Kind(
        "a front of responses",
        load="kibitz.responses.robust.fronts:load_front",
        show="kibitz.cli.exploit:show_front",
    ),
    "model": Kind(
        "a model of a player",
        load="kibitz.strategy.files:load_model",
        agent="kibitz.agents.strategic:load_strategy_agent",
        show="kibitz.cli.show:show_strategy",
    ),
}


def named(text: str) -> Any:
    """What `module:name` names."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)


def what_is(kind: str) -> str:
    """A kind in words; one that this version does not know, as its name."""
    return KINDS[kind].what if kind in KINDS else f"a {shown(kind, quoted=False)}"
