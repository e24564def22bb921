"""A person at a terminal, with the terminal in the hands of the test."""

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.agents import Agent, load_agent
from kibitz.agents.human import HumanAgent, PlayerLeftError, format_choices, format_table, read_action, round_base
from kibitz.arena.match import play_match
from kibitz.cards import parse_cards
from kibitz.errors import AgentError, IllegalActionError
from kibitz.games import GAMES, AcpcCards, Deal, State, deal_hands, load_game

NOLIMIT, LIMIT = load_game("holdem-nolimit-2p"), load_game("holdem-limit-2p")
DEAL = Deal((parse_cards("AsKd"), parse_cards("7h7c")), parse_cards("Qh7d2c5s5c"))


def sit(answers, game=NOLIMIT, opponents=(), **output):
    """A person who will type `answers`, and what the terminal shows."""
    screen = io.StringIO(**output)
    human = HumanAgent(opponents=opponents, input=io.StringIO(answers), output=screen)
    human.reset(game, 0)
    return human, screen


# Words


@pytest.mark.parametrize(
    ("history", "text", "action"),
    [
        ("", "f", "f"),
        ("", " FOLD ", "f"),
        ("", "c", "c"),
        ("", "k", "c"),
        ("", "check", "c"),
        ("", "Call", "c"),
        ("", "r300", "r300"),
        ("", "b300", "r300"),
        ("", "300", "r300"),
        ("", "raise to 300", "r300"),
        ("", "bet 300", "r300"),
        ("", "1,000", "r1000"),
        ("", "min", "r200"),
        ("", "half", "r200"),
        ("", "pot", "r300"),
        ("", "allin", "r20000"),
        ("", "all-in", "r20000"),
        ("r300c/", "pot", "r900"),
        ("r300c/", "half", "r600"),
        ("r300c/", "min", "r400"),
        ("cc/", "b100", "r200"),  # what is typed goes in on this street
        ("cc/", "300", "r400"),
        ("r300c/", "b100", "r400"),
        ("r300c/", "b19700", "r20000"),
        ("r300c/r700", "r800", "r1100"),
        ("r300c/r700", "raise to 1,000", "r1300"),
        ("r300c/r700c/c", "bet 700", "r1400"),
        ("r300r900r2700", "4500", "r4500"),  # the first round counts the blinds
        ("r20000", "allin", "c"),  # no raise is left, all goes into the call
    ],
)
def test_words_at_a_no_limit_table(history, text, action):
    assert read_action(text, State.start(NOLIMIT).play(history)) == action


@pytest.mark.parametrize("text", ["r", "b", "raise", "bet"])
def test_words_at_a_limit_table(text):
    assert read_action(text, State.start(LIMIT)) == "r"


@pytest.mark.parametrize(("history", "text"), [("", "r20"), ("rc/", "b10"), ("rc/r", "20"), ("rc/cc/r", "raise to 40")])
def test_the_fixed_size_may_be_typed(history, text):
    assert read_action(text, State.start(LIMIT).play(history)) == "r"


@pytest.mark.parametrize(
    ("name", "history", "text", "action"),
    [
        ("leduc-nolimit", "", "b1", "r2"),  # the ante is no part of the bet
        ("leduc-nolimit", "", "b11", "r12"),
        ("leduc-nolimit", "r2", "2", "r3"),
        ("leduc-nolimit", "r3c/", "b9", "r12"),
        ("clairvoyance", "", "b50", "r55"),
        ("kuhn", "", "b1", "r"),
        ("leduc", "r", "4", "r"),
        ("holdem-nolimit-3p", "cr300cc/c", "b100", "r400"),
    ],
)
def test_words_at_other_tables(name, history, text, action):
    assert read_action(text, State.start(load_game(name)).play(history)) == action


def test_antes_beside_blinds_are_no_part_of_a_bet():
    game = replace(NOLIMIT, antes=(20, 20))
    assert read_action("r300", State.start(game)) == "r300"
    assert read_action("b100", State.start(game).play("cc/")) == "r200"
    assert "r200 .. r19980" in format_choices(State.start(game))


@pytest.mark.parametrize("name", GAMES)
@given(st.integers(0, 2**32))
@settings(max_examples=5)
def test_what_the_menu_offers_is_what_goes_in(name, seed):
    """Both ends of the menu are legal, one chip beyond is not, and the chips in front of the player say the same."""
    state, agent = State.start(load_game(name)), load_agent("random")
    agent.reset(state.game, seed)
    while not state.finished:
        offered = re.search(r"^([rb])([0-9]+)(?: \.\. [rb]([0-9]+))?  (?:bet|raise to) ", format_choices(state), re.M)
        if offered:
            letter, low, high = offered[1], int(offered[2]), int(offered[3] or offered[2])
            for chips in (low, high):
                after = state.apply(read_action(f"{letter}{chips}", state))
                assert after.bet - round_base(state) == chips
                assert after.spent[state.player] - round_base(state) == chips
            for chips in (low - 1, high + 1):
                with pytest.raises(IllegalActionError, match=f"{chips:,} is no legal "):
                    read_action(f"{letter}{chips}", state)
        state = state.apply(agent.act(state))


@pytest.mark.parametrize(
    ("game", "history", "text", "advice"),
    [
        (NOLIMIT, "c", "f", "c checks for nothing"),
        (NOLIMIT, "", "r", "raise to how much?"),
        (NOLIMIT, "", "r150", "150 is no legal raise"),
        (NOLIMIT, "", "20001", "r200 .. r20000"),
        (NOLIMIT, "r300c/", "b99", "99 is no legal bet: c check; b100 .. b19700 bet 100 .. 19,700 in this round"),
        (NOLIMIT, "r300c/r700", "r700", "700 is no legal raise: "),
        (NOLIMIT, "r300c/r700", "r700", "r800 .. r19700 raise to 800 .. 19,700 in this round"),
        (NOLIMIT, "r300c/", "b", "bet how much?"),
        (NOLIMIT, "r300c/r19000", "r19000", "r19700 raise to 19,700 in this round"),
        (NOLIMIT, "", "", "'' is no action"),
        (NOLIMIT, "", "r-300", "is no action"),
        (NOLIMIT, "", "r99999999999999999999", "is no action"),
        (NOLIMIT, "", "r３００", "is no action"),
        (NOLIMIT, "r20000", "r20000", "no raise is possible here: f fold; c call 19,900"),
        (LIMIT, "", "r30", "fixed in this game: r  raise to 20"),
        (LIMIT, "rc/", "r30", "fixed in this game: r  bet 10"),
        (LIMIT, "", "pot", "fixed in this game"),
        (LIMIT, "rrr", "r", "no raise is possible here"),
        (LIMIT, "rrr", "allin", "no raise is possible here"),
    ],
)
def test_wrong_words_are_explained(game, history, text, advice):
    with pytest.raises(IllegalActionError) as caught:
        read_action(text, State.start(game).play(history))
    assert advice in str(caught.value)


# The table


def test_the_table_shows_what_a_player_needs():
    state = State.start(NOLIMIT, DEAL).play("r300c/r700").seen_by(1)
    text = format_table(state, 1, ["villain", "you"], 12)
    lines = text.splitlines()
    assert lines[0].startswith("--- Hand 12, flop ---")
    assert lines[0].endswith(" pot 1,000 ---")
    assert lines[1].split() == ["board", "Q♥", "7♦", "2♣"]
    assert lines[4].split() == ["you", "7♥", "7♣", "0", "19,700", "button"]
    assert lines[5].split() == ["villain", "??", "??", "400", "19,300"]
    assert "preflop   you raise to 300, villain calls 200" in text
    assert text.endswith("flop      villain bets 400")


def test_choices_count_the_chips_of_this_round():
    state = State.start(NOLIMIT).play("r300c/r700")
    assert format_choices(state).splitlines() == [
        "f  fold",
        "c  call 400",
        "r800 .. r19700  raise to 800 .. 19,700 in this round",
        "min, half, pot, allin",
        "?  help, q  leave",
    ]
    assert format_choices(State.start(LIMIT).play("rc/")).splitlines()[:2] == ["c  check", "r  bet 10"]
    lowered = State.start(replace(LIMIT, stacks=(1000, 15))).play("crr")  # all-in for 15 after a raise to 20
    assert format_choices(lowered).splitlines()[:2] == ["f  fold", "c  take back 5"]
    kuhn = State.start(load_game("kuhn"))
    assert format_choices(kuhn).splitlines()[:2] == ["c  check", "r  bet 1"]
    assert "c  call 1" in format_choices(kuhn.play("r"))


def test_rounds_count_from_what_was_in_before():
    assert round_base(State.start(NOLIMIT).play("r300")) == 0
    assert round_base(State.start(NOLIMIT).play("r300c/r700c/r900")) == 700
    assert round_base(State.start(load_game("leduc"))) == 1


def test_the_end_shows_hands_and_results():
    state = State.start(NOLIMIT, DEAL).play("r300c/cc/cc/cc").seen_by(0)
    rows = [line.split() for line in format_table(state, 0, ["you", "villain"], 1).splitlines()]
    assert ["you", "A♠", "K♦", "-300", "pair"] in rows
    assert ["villain", "7♥", "7♣", "+300", "full", "house"] in rows


def test_hidden_cards_stay_hidden():
    state = State.start(NOLIMIT, DEAL).play("r300f").seen_by(0)
    text = format_table(state, 0, ["you", "villain"], 1)
    assert "7♥" not in text
    assert "you fold" in text
    assert "folded" in text


@pytest.mark.parametrize("name", GAMES)
def test_every_game_fits_80_columns(name):
    game = load_game(name)
    names = ["tight-aggressive-bluffing"] * game.players
    agents = [load_agent("random") for _ in range(game.players)]
    screens = []

    class Looking(HumanAgent):
        def act(self, state):
            screens.append(format_table(state, state.player, names, 100) + "\n" + format_choices(state))
            return agents[0].act(state)

    looking = Looking(output=io.StringIO(), opponents=names[1:])
    agents[0].reset(game, 0)
    play_match(game, [looking, *agents[1:]], list(range(game.players)), 12, AcpcCards(0))
    for screen in [*screens, looking._output.getvalue()]:
        assert max(map(len, screen.splitlines())) <= 80


# The dialogue


def test_it_is_an_agent():
    assert isinstance(HumanAgent(), Agent)


def test_wrong_input_is_asked_again():
    human, screen = sit("hello\nr1\n?\nr300\n")
    assert human.act(State.start(NOLIMIT, DEAL).seen_by(1)) == "r300"
    text = screen.getvalue()
    assert text.count("  > ") == 4
    assert "  > hello\n" in text  # what was typed stands there although no terminal has echoed it
    assert "'hello' is no action" in text
    assert "1 is no legal raise" in text
    assert "give the hand up" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("answers", ["", "q\n", "nonsense\nQUIT\n"])
def test_leaving_ends_the_match(answers):
    screen = io.StringIO()
    human = HumanAgent(input=io.StringIO(answers), output=screen)
    with pytest.raises(PlayerLeftError, match="you left the table in hand 1"):
        play_match(NOLIMIT, [human, load_agent("always-call")], [0, 1], 3, AcpcCards(0))


def test_interrupting_leaves_too():
    class Interrupted(io.StringIO):
        def readline(self, *_):
            raise KeyboardInterrupt

    human = HumanAgent(input=Interrupted(), output=io.StringIO())
    human.reset(NOLIMIT, 0)
    with pytest.raises(PlayerLeftError):
        human.act(State.start(NOLIMIT, DEAL).seen_by(1))


def test_a_whole_match():
    human, screen = sit("", opponents=("villain",))
    human._input = io.StringIO("c\n" * 20)
    chips = play_match(NOLIMIT, [human, load_agent("always-call")], [0, 1], 3, AcpcCards(7))
    text = screen.getvalue()
    assert [f"Hand {hand}, over" in text for hand in (1, 2, 3, 4)] == [True, True, True, False]
    first = text.index("Hand 1, over")
    assert f"{chips[0, 0]:+,.0f}" in text[first : text.index("Hand 2")]


def test_names_follow_the_seats_when_the_button_moves():
    game = load_game("holdem-limit-3p")
    human, _screen = sit("", game=game, opponents=("left", "right"))
    deal = next(deal_hands(game, 0))
    for own, names in [(0, ["you", "left", "right"]), (1, ["right", "you", "left"]), (2, ["left", "right", "you"])]:
        assert human._names(State.start(game, deal), own) == names
    with pytest.raises(AgentError, match="2 names of opponents: the game has 1"):
        human.reset(NOLIMIT, 0)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_red_suits_are_red_on_a_terminal_only(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    state = State.start(NOLIMIT, DEAL).seen_by(0)
    for screen, colour in [(io.StringIO(), False), (Terminal(), True)]:
        human = HumanAgent(input=io.StringIO("c\n"), output=screen)
        human.reset(NOLIMIT, 0)
        human.act(state._replace(player=0))
        assert ("\x1b[31mK♦\x1b[0m" in screen.getvalue()) == colour
        assert "\x1b[31mA♠" not in screen.getvalue()


def test_letters_where_the_terminal_has_no_signs():
    raw = io.BytesIO()
    human = HumanAgent(input=io.StringIO("c\n"), output=io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    human.reset(NOLIMIT, 0)
    human.act(State.start(NOLIMIT, DEAL).seen_by(1))
    assert b"7h 7c" in raw.getvalue()


def test_closed_standard_input_is_told(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(AgentError, match="at the terminal types: standard input is closed"):
        HumanAgent()
