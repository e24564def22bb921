"""The engine, one step at a time, and everything that drives it: the same hands from the same seeds."""

import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from arena.dealer_thread import Table
from arena.text_seats import play_through_text
from kibitz.agents import load_agent
from kibitz.agents.human import HumanAgent
from kibitz.arena.local import play_locally
from kibitz.arena.match import Match, play_match
from kibitz.arena.plan import MatchPlan, log_line
from kibitz.arena.referee import Referee
from kibitz.cli import main
from kibitz.errors import AgentError, IllegalActionError
from kibitz.games import AcpcCards, Deal, State, deal_hands, load_game, split_actions
from kibitz.io.acpc import format_hand
from kibitz.io.record import HandRecord

GAMES = ["holdem-nolimit-2p", "holdem-limit-3p", "holdem-nolimit-6p", "leduc", "clairvoyance"]
HANDS, SEED = 60, 5


def the_agents(game):
    return [load_agent(("tight-aggressive-bluffing", "example-player")[seat % 2]) for seat in range(game.players)]


def by_hand(game) -> list[str]:
    """The log told a second time, without the engine: states, agents and a rotating table."""
    agents, lines, players = the_agents(game), [], game.players
    names = [f"p{seat}" for seat in range(players)]
    for seat, agent in enumerate(agents):
        agent.reset(game, seat)
    for number, deal in zip(range(HANDS), deal_hands(game, SEED), strict=False):
        seats = [(position + number) % players for position in range(players)]
        state = State.start(game, deal)
        while not state.finished:
            state = state.apply(agents[seats[state.player]].act(state.seen_by(state.player)))
        for position, seat in enumerate(seats):
            agents[seat].observe(state.seen_by(position), position)
        cards, seated = Deal(deal.hole, state.board), tuple(names[seat] for seat in seats)
        lines.append(format_hand(HandRecord(game, str(number), state.history, cards, seated, state.returns())))
    return lines


def step_by_step(game) -> list[str]:
    """A match whose seats are all played from outside: whoever drives it asks the agents."""
    agents, names = the_agents(game), [f"p{seat}" for seat in range(game.players)]
    for seat, agent in enumerate(agents):
        agent.reset(game, seat)
    match, lines = Match(game, AcpcCards(SEED), hands=HANDS), []
    while not match.over:
        while match.acting >= 0:
            match.play(agents[match.acting].act(match.view(match.acting)))
        for seat, agent in enumerate(agents):
            agent.observe(match.view(seat), match.seats.index(seat))
        lines.append(log_line(match.close_hand(), names))
    return lines


def watched(game) -> list[str]:
    """What a witness of `play_match` sees."""
    lines, players = [], game.players

    def witness(number, state):
        names = tuple(f"p{(position + number) % players}" for position in range(players))
        cards = Deal(state.hole, state.board)
        lines.append(format_hand(HandRecord(game, str(number), state.history, cards, names, state.returns())))

    play_match(game, the_agents(game), range(players), HANDS, AcpcCards(SEED), witness)
    return lines


def logged(play):
    def lines_of(game) -> list[str]:
        lines: list[str] = []
        plan = MatchPlan(game, HANDS, SEED, tuple(f"p{seat}" for seat in range(game.players)))
        play(plan, the_agents(game), range(game.players), lines.append)
        assert lines[0].startswith("# name/game/hands/seed")
        assert lines[-1].startswith("SCORE:")
        return lines[1:-1]

    return lines_of


@pytest.mark.parametrize("drive", [step_by_step, watched, logged(play_locally), logged(play_through_text)])
@pytest.mark.parametrize("name", GAMES)
def test_all_drivers_play_the_same_hands(name, drive):
    game = load_game(name)
    lines = drive(game)
    assert len(lines) == HANDS
    assert lines == by_hand(game)


def test_so_do_the_dealer_and_the_log_of_a_match(tmp_path):
    """Over sockets and from the command line, the players' names aside."""
    agents = ("always-raise", "tight-passive")
    table = Table("leduc", hands=40, seed=7)
    for seat, agent in enumerate(agents):
        table.seat(seat, agent, seed=7)
    table.finish()
    words = f"match {' '.join(agents)} --game leduc --hands 40 --seed 7 --cards acpc --log {tmp_path}/one.log"
    answer = CliRunner().invoke(main, words.split())
    assert answer.exit_code == 0, answer.output
    written = [line for line in (tmp_path / "one.log").read_text().splitlines() if line.startswith("STATE")]
    assert len(written) == 40
    assert [line.rpartition(":")[0] for line in written] == [line.rpartition(":")[0] for line in table.hands]


class Clicks:
    """A person at a page: calls, and raises in every third decision if that is possible."""

    def __init__(self):
        self.made: list[str] = []

    def choose(self, state: State) -> str:
        legal = state.legal()
        action = f"r{legal.min_raise_to}" if len(self.made) % 3 == 2 and legal.max_raise_to else "c"
        self.made.append(action)
        return action


def with_a_guest(seed=9) -> Match:
    agents = [load_agent("loose-aggressive"), None, load_agent("random")]
    return Match(load_game("holdem-nolimit-3p"), AcpcCards(seed), agents, [1, 2, 3])


def play_clicks(match: Match, clicks: Clicks, decisions: int) -> list[tuple]:
    """Let the guest on seat 1 take so many decisions; what it saw, and the hands that ended."""
    seen: list[tuple] = []
    while len(clicks.made) < decisions:
        if match.advance().finished:
            seen.append(match.close_hand())
            continue
        assert match.acting == 1
        view = match.view(1)
        assert [bool(cards) for cards in view.hole] == [position == view.player for position in range(3)]
        seen.append(view)
        match.play(clicks.choose(view))
    return seen


def test_a_guest_plays_when_it_likes():
    match, clicks = with_a_guest(), Clicks()
    seen = play_clicks(match, clicks, 40)
    ended = [hand for hand in seen if not isinstance(hand, State)]
    assert [hand.number for hand in ended] == list(range(match.hand))
    assert np.sum([hand.chips for hand in ended], axis=0) == pytest.approx(match.scores)
    assert sum(match.scores) == pytest.approx(0)


@pytest.mark.parametrize("decisions", [0, 1, 7, 40])
def test_a_match_is_resumed_from_its_seeds_and_the_actions_of_guests(decisions):
    match, clicks = with_a_guest(), Clicks()
    play_clicks(match, clicks, decisions)
    kept = json.loads(json.dumps(clicks.made))
    resumed = with_a_guest()
    assert resumed.replay(kept) == match.advance()
    assert (resumed.hand, resumed.scores) == (match.hand, match.scores)
    again = Clicks()
    again.made = kept
    assert play_clicks(resumed, again, decisions + 20) == play_clicks(match, clicks, decisions + 20)


def test_a_terminal_and_a_page_play_the_same_hands():
    game, agents = load_game("leduc"), [None, load_agent("tight-aggressive")]
    page = Match(game, AcpcCards(3), agents, [1, 2], hands=5)
    typed: list[str] = []
    finished = []
    while not page.over:
        if page.advance().finished:
            finished.append(page.close_hand())
        else:
            typed.append("c")
            page.play("c")
    human = HumanAgent(input=io.StringIO("\n".join(typed) + "\n"), output=io.StringIO())
    assert list(Match(game, AcpcCards(3), [human, agents[1]], [1, 2], hands=5).play_out()) == finished


def test_the_referee_is_the_engine():
    plan = MatchPlan(load_game("kuhn"), 2, 0, ("ann", "bob"))
    referee, match = Referee(plan), Match(plan.game, AcpcCards(plan.seed), hands=2)
    for action in split_actions("crfrc"):
        for each in (referee, match):
            if each.acting < 0:
                each.close_hand()
            each.play(action)
        assert referee.state == match.state
    assert referee.close_hand() == match.close_hand()
    assert referee.over
    assert match.over


def test_nothing_illegal_is_played():
    match = with_a_guest()
    match.advance()
    before = match.state
    with pytest.raises(IllegalActionError, match="'r1' in"):
        match.play("r1")
    with pytest.raises(IllegalActionError, match="is not over"):
        match.close_hand()
    assert match.state == before


def test_a_match_without_all_its_agents_cannot_be_played_out():
    with pytest.raises(IllegalActionError, match="seat 1 has no agent"):
        next(with_a_guest().play_out())
    with pytest.raises(AgentError, match="1 agents for 2 seats of leduc"):
        Match(load_game("leduc"), AcpcCards(0), [None])


def test_fixed_seats_keep_the_button():
    match = Match(load_game("kuhn"), AcpcCards(0), fixed_seats=True)
    for _hand in range(3):
        assert match.seats == (0, 1)
        match.play("r")
        match.play("f")
        assert match.close_hand().chips == (1, -1)
