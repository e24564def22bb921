"""Rule agents: each number of a style does what its name says, measured over many hands."""

from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.rules import STYLES, RuleAgent
from kibitz.arena.match import play_match
from kibitz.cards import parse_cards
from kibitz.equity.matchups import preflop_equity
from kibitz.equity.strength import hand_strength
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, Deal, State, deal_hands, load_game
from kibitz.policy.rules import Style, standing_opponents
from kibitz.policy.strengths import hand_quality


class Counted(RuleAgent):
    """A rule agent that counts its actions, those with weak hands apart."""

    def reset(self, game, seed):
        super().reset(game, seed)
        self.counts = Counter()

    def act(self, state):
        action = super().act(state)
        weak = hand_quality(state) < 0.35
        self.counts[action[0]] += 1
        self.counts["weak " + action[0]] += weak
        self.counts["weak"] += weak
        return action


def shares(style, opponent="example-player", game="holdem-nolimit-2p", hands=400, seed=0):
    agent = Counted(style)
    play_match(load_game(game), [agent, load_agent(opponent)], [seed, seed + 1], hands, AcpcCards(seed))
    decisions = sum(agent.counts[action] for action in "fcr")
    return {action: agent.counts[action] / decisions for action in "fcr"} | {
        "weak r": agent.counts["weak r"] / agent.counts["weak"]
    }


def test_tighter_folds_more():
    hands = 4000
    loose, middle, tight = (shares(Style(tightness=tightness), hands=hands)["f"] for tightness in (0.0, 0.5, 1.0))
    for less, more in ((loose, middle), (middle, tight)):
        variance = less * (1 - less) + more * (1 - more)
        assert more - less > 4 * (variance / hands) ** 0.5  # at least one decision a hand


def test_who_is_tighter_folds_wherever_the_looser_does():
    game, states = load_game("holdem-nolimit-2p"), []
    watcher = Counted(Style(tightness=0.0))
    watcher.act = lambda state: states.append(state) or "c"
    play_match(game, [watcher, load_agent("example-player")], [0, 1], 300, AcpcCards(2))
    agents = [RuleAgent(Style(tightness=step / 4)) for step in range(5)]
    folds = []
    for agent in agents:
        agent.reset(game, 0)
        answers = []
        for state in states:
            answers.append(agent.act(state) == "f")
            agent.observe(state, 0)
        folds.append(answers)
    for looser, tighter in pairwise(folds):
        assert all(fold <= fold_too for fold, fold_too in zip(looser, tighter, strict=True))
        assert sum(looser) < sum(tighter)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["holdem-nolimit-2p", "holdem-limit-2p"])
def test_more_aggressive_raises_more(game, seed):
    never, some, always = (shares(Style(aggression=a), game=game, seed=seed)["r"] for a in (0.0, 0.5, 1.0))
    assert never == 0
    assert some > 0
    assert some * 1.3 < always


@pytest.mark.parametrize("seed", range(3))
def test_bluffing_raises_weak_hands_more(seed):
    never, some, often = (shares(Style(bluffing=b), seed=seed)["weak r"] for b in (0.0, 0.3, 0.9))
    assert never == 0
    assert 0.1 < some < often - 0.2


@pytest.mark.parametrize("game", ["holdem-nolimit-2p", "holdem-limit-2p", "leduc", "holdem-nolimit-3p"])
def test_probabilities_are_the_frequencies_of_many_dice(game):
    game, states = load_game(game), []
    watcher = Counted(Style())
    watcher.act = lambda state: states.append(state) or "c"
    others = [load_agent("example-player") for _ in range(game.players - 1)]
    play_match(game, [watcher, *others], list(range(game.players)), 25, AcpcCards(4))
    draws, seen = 400, set()
    for number, state in enumerate(states):
        style = Style(tightness=number % 5 / 4, aggression=0.6, bluffing=0.3)
        agent, counts = RuleAgent(style), Counter()
        agent.reset(game, number)
        for _ in range(draws):
            counts[agent.act(state)] += 1
            agent.observe(state, state.player)
        wanted = agent.policy.by_strength(state, np.array([hand_quality(state)]))[:, 0]
        assert wanted.sum() == pytest.approx(1)
        for (action, _sizes), chance in zip(agent.policy.actions(state), wanted, strict=True):
            assert counts.pop(action, 0) / draws == pytest.approx(
                chance, abs=5 * (chance * (1 - chance) / draws) ** 0.5
            )
            seen.add((action[0], round(chance, 3)))
        assert not counts  # nothing else is ever done
    assert {("r", 0.6), ("r", 0.3)} < seen
    assert any(letter == "f" and chance > 0 for letter, chance in seen)


def test_cuts_are_where_probabilities_change():
    game = load_game("holdem-limit-2p")
    agent = RuleAgent(Style(tightness=0.3, aggression=0.6, bluffing=0.3))
    strengths = np.linspace(0, 1, 4001)
    for history in ("", "r", "rr", "rc/r", "cc/cr", "rc/cc/rr"):
        state = State.start(game).play(history)
        found = agent.policy.by_strength(state, strengths)
        changes = np.flatnonzero((found[:, 1:] != found[:, :-1]).any(axis=0))
        cuts = agent.policy.cuts(state)
        assert changes.size
        for change in changes:
            assert any(strengths[change] < cut <= strengths[change + 1] for cut in cuts)
        dear = cuts[1]  # the first strength that is raised
        below, at = agent.policy.by_strength(state, np.array([np.nextafter(dear, 0), dear])).T
        assert at[2] == 0.6 > below[2]


def test_a_bluff_is_never_made_into_a_second_raise():
    game = load_game("holdem-nolimit-2p")
    agent = RuleAgent(Style(bluffing=1.0, tightness=1.0))
    agent.reset(game, 0)
    weak = Deal((parse_cards("7d2c"), parse_cards("3h2s")))
    assert agent.act(State.start(game, weak)).startswith("r")
    assert agent.act(State.start(game, weak).play("r300r900")) == "f"


@pytest.mark.parametrize(
    ("size", "action"), [(0.0, "r200"), (0.5, "r200"), (1.0, "r300"), (2.0, "r500"), (10.0, "r2100")]
)
def test_size_is_in_pots_after_the_call(size, action):
    game = load_game("holdem-nolimit-2p")
    agent = RuleAgent(Style(aggression=1.0, size=size))
    agent.reset(game, 0)
    assert agent.act(State.start(game, Deal(((), parse_cards("AsAh"))))) == action


def test_checks_rather_than_folds_for_nothing():
    game = load_game("holdem-nolimit-2p")
    agent = RuleAgent(Style(tightness=1.0, aggression=0.0))
    agent.reset(game, 0)
    assert agent.act(State.start(game, Deal((parse_cards("7d2c"), ()))).apply("c")) == "c"


def test_hand_quality():
    game = load_game("holdem-nolimit-3p")
    aces, board = parse_cards("AsAh"), parse_cards("Kd7c2s")
    deal = Deal(((), (), aces), board)
    start = State.start(game, deal)
    assert hand_quality(start) == preflop_equity(aces)
    flop = start.play("ccc/cc")
    assert flop.player == 2
    assert hand_quality(flop) == hand_strength(aces, board)
    assert standing_opponents(flop) == 2
    assert standing_opponents(start.play("cfc/c")) == 1
    assert hand_quality(State.start(game)._replace(deal=Deal(((), (), ())))) == 0.5  # plays blind


@pytest.mark.parametrize("name", ["tight-aggressive", "loose-aggressive"])
def test_styles_keep_playing_at_full_tables(name):
    game = load_game("holdem-nolimit-6p")
    agent = Counted(STYLES[name])
    play_match(game, [agent, *(load_agent("always-call") for _ in range(5))], list(range(6)), 300, AcpcCards(1))
    raises = agent.counts["r"] / sum(agent.counts[action] for action in "fcr")
    assert raises > 0.05


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc-nolimit", "rhode-island", "kuhn-3p", "clairvoyance", "holdem-nolimit-6p"]
)
def test_plays_every_game(name):
    game = load_game(name)
    agents = [load_agent(style) for style in islice(STYLES, game.players)]
    chips = play_match(game, agents, list(range(game.players)), 60, AcpcCards(1))
    assert chips.any()
    assert abs(chips.sum(axis=1)).max() < 1e-9


def test_hands_do_not_depend_on_the_hands_before():
    # Randomness belongs to (seed, hand, decision): after as many hands the same state gets the same answer.
    game = load_game("holdem-limit-2p")
    states = [State.start(game, deal) for deal in islice(deal_hands(game, 3), 50)]
    one, other = RuleAgent(Style(bluffing=0.5)), RuleAgent(Style(bluffing=0.5))
    for agent in (one, other):
        agent.reset(game, 9)
    answers = []
    for state in states:
        answers.append(one.act(state.seen_by(1)))
        one.observe(state, 1)
    for number, state in enumerate(states):
        if number == len(states) - 1:
            assert other.act(state.seen_by(1)) == answers[-1]
        other.observe(state, 1)
    assert len(set(answers)) > 1


def test_the_eight_styles():
    assert len(STYLES) == 8
    assert STYLES["tight-passive"].tightness > STYLES["loose-passive"].tightness
    assert STYLES["loose-aggressive"].aggression > STYLES["loose-passive"].aggression
    assert STYLES["loose-passive"].bluffing == 0 < STYLES["loose-passive-bluffing"].bluffing
    assert all(load_agent(name).name == name for name in STYLES)


@pytest.mark.parametrize("field", ["tightness", "aggression", "bluffing"])
@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan")])
def test_numbers_of_a_style_lie_between_0_and_1(field, value):
    with pytest.raises(AgentError, match=f"{field} = {value}: between 0 and 1"):
        Style(**{field: value})


def test_size_may_be_several_pots():
    assert Style(size=10).size == 10
    with pytest.raises(AgentError, match="size = 11: between 0 and 10"):
        Style(size=11)


def test_parsing_rules():
    assert load_agent("rules:tightness=0.8, aggression=0.2").policy.style == Style(tightness=0.8, aggression=0.2)
    assert load_agent("rules:").policy.style == Style()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules:tightness", "'tightness' in 'rules:tightness': settings are written like"),
        ("rules:tightness=much", "tightness=much in 'rules:tightness=much': a number is needed"),
        ("rules:courage=1", "courage in 'rules:courage=1': settings are aggression, bluffing, size, tightness"),
        ("rules:size=1,tightness=0.2, size=2", "size is set twice in 'rules:size=1,tightness=0.2, size=2'"),
        ("rules:tightness=2", "tightness = 2.0: between 0 and 1"),
    ],
)
def test_parse_errors_say_what_would_have_been_right(text, message):
    with pytest.raises(AgentError) as caught:
        load_agent(text)
    assert message in str(caught.value)


def test_plays_without_blinds():
    game = replace(load_game("holdem-nolimit-2p"), blinds=(0, 0))
    chips = play_match(game, [RuleAgent(), RuleAgent()], [0, 1], 200, AcpcCards(0))
    assert chips.any()  # somebody bets into the empty pot
    assert not chips.sum(axis=1).any()
