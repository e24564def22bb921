"""Matches one hand at a time: who sits where, what is seen, what is refused."""

from itertools import islice

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.arena.match import make_agent, play_hand, play_match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, State, deal_hands, load_game


class Recorder:
    """Calls, and keeps all it is shown."""

    def __init__(self, name="recorder", action="c"):
        self.name = name
        self.action = action

    def reset(self, game, seed):
        self.game, self.seed = game, seed
        self.shown, self.ends = [], []

    def act(self, state):
        self.shown.append(state)
        return self.action

    def observe(self, state, position):
        self.ends.append((state, position))


@pytest.mark.parametrize("name", ["kuhn", "holdem-limit-3p", "holdem-nolimit-6p"])
def test_position_p_of_hand_h_is_seat_p_plus_h(name):
    game = load_game(name)
    players = game.players
    agents = [Recorder(f"seat-{seat}") for seat in range(players)]
    finals = []
    chips = play_match(
        game, agents, list(range(10, 10 + players)), 13, AcpcCards(4), lambda hand, state: finals.append(state)
    )
    for seat, agent in enumerate(agents):
        assert (agent.game, agent.seed) == (game, 10 + seat)
        assert [position for _state, position in agent.ends] == [(seat - hand) % players for hand in range(13)]
    for hand, state in enumerate(finals):
        by_seat = [state.returns()[(seat - hand) % players] for seat in range(players)]
        assert chips[hand].tolist() == by_seat


@pytest.mark.parametrize("name", ["leduc", "leduc-nolimit", "holdem-nolimit-3p", "clairvoyance"])
def test_chips_only_change_hands(name):
    game = load_game(name)
    agents = [load_agent(text) for text in ("loose-aggressive", "tight-passive-bluffing", "random")[: game.players]]
    chips = play_match(game, agents, [1, 2, 3][: game.players], 100, AcpcCards(8))
    assert chips.shape == (100, game.players)
    assert np.abs(chips.sum(axis=1)).max() < 1e-9
    assert chips.any()


def test_cards_are_those_of_the_deal_seed():
    game, finals = load_game("holdem-nolimit-2p"), []
    play_match(
        game, [Recorder(), Recorder()], [0, 0], 5, AcpcCards(99), lambda hand, state: finals.append((hand, state))
    )
    assert [hand for hand, _state in finals] == [0, 1, 2, 3, 4]
    assert [state.deal for _hand, state in finals] == list(islice(deal_hands(game, 99), 5))


def test_a_witness_sees_final_states_with_all_cards():
    game, finals = load_game("holdem-limit-2p"), []
    agents = [load_agent("random"), load_agent("random")]
    chips = play_match(game, agents, [1, 2], 20, AcpcCards(0), lambda hand, state: finals.append(state))
    assert len(finals) == len(chips) == 20
    assert all(state.finished and all(map(len, state.hole)) for state in finals)


def test_agents_see_only_what_their_position_may_see():
    game = load_game("holdem-limit-3p")
    agents = [Recorder(), load_agent("always-fold"), Recorder()]
    play_match(game, agents, [0, 0, 0], 6, AcpcCards(3))
    for agent in (agents[0], agents[2]):
        assert agent.shown
        for state in agent.shown:
            assert [position for position, cards in enumerate(state.hole) if cards] == [state.player]
            assert len(state.deal.board) == game.board_ends[state.round]
        for state, position in agent.ends:
            assert state.finished
            # At the end: those who were shown down, not those who folded.
            for other, cards in enumerate(state.hole):
                assert bool(cards) == (other == position or (state.showdown and not state.folded >> other & 1))


@pytest.mark.parametrize("action", ["r", "f", "r20001", "r150", "", None, "check"])
def test_an_illegal_action_names_the_agent_and_the_place(action):
    game = load_game("holdem-nolimit-2p")
    agents = [Recorder("sinner", action), Recorder()]
    with pytest.raises(AgentError) as caught:
        play_match(game, agents, [0, 0], 1, AcpcCards(0))
    message = str(caught.value)
    assert message.startswith(f"sinner answered {action!r} in c:")
    assert "legal are c, r200..r20000" in message


def test_as_many_agents_and_seeds_as_seats():
    game = load_game("leduc")
    with pytest.raises(AgentError, match="1 agents for 2 seats of leduc"):
        play_match(game, [Recorder()], [0], 1, AcpcCards(0))
    with pytest.raises(ValueError, match="shorter"):
        play_match(game, [Recorder(), Recorder()], [0], 1, AcpcCards(0))


def test_a_single_hand():
    game = load_game("kuhn")
    deal = next(deal_hands(game, 5))
    agents = [Recorder(action="r"), Recorder(action="c")]
    for agent in agents:
        agent.reset(game, 0)
    final = play_hand(game, deal, agents)
    assert final == State.start(game, deal).play("rc")
    assert [len(agent.ends) for agent in agents] == [1, 1]


def test_specifications_make_new_agents():
    assert make_agent("always-call").name == "always-call"
    assert make_agent(Recorder) is not make_agent(Recorder)
