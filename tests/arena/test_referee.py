"""The match without wires: the original dealer's logs and transcript to the byte, and what odd answers become."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.arena.referee import Referee, conduct, rule_action
from kibitz.errors import AgentError, KibitzError
from kibitz.games import State, load_game, split_actions

LOGS = ["2p.limit.h1000.r0", "2p.nolimit.h1000.r0", "3p.limit.h1000.r0"]
NOLIMIT = load_game("holdem-nolimit-2p")


class Script:
    """A seat that plays the next of a list of actions shared by the whole table, and keeps what was said."""

    def __init__(self, seat: int, actions: Iterator[str], said: list[str]) -> None:
        self.seat, self.actions, self.said = seat, actions, said

    def tell(self, hand, message, more):
        self.message = message
        self.said.append(f"TO {self.seat + 1} {message}")

    def ask(self, rule):
        answer = f"{self.message}:{next(self.actions)}"
        self.said.append(f"FROM {self.seat + 1} {answer}")
        action, warning = rule(answer)
        assert not warning
        return action


def replay(text: str) -> tuple[list[str], list[str]]:
    """The log and the messages of the match whose log is `text`, its actions replayed."""
    lines = text.splitlines()
    _, _, match_name, game_name, hands, seed = lines[0].split()
    game = load_game(game_name)
    names = tuple(lines[-1].split(":")[-1].split("|"))
    plan = MatchPlan(game, int(hands), int(seed), names, match_name, game_name)
    actions = iter([a for line in lines if line[:5] == "STATE" for a in split_actions(line.split(":")[2])])
    log, said = [plan.opening], []
    conduct(Referee(plan), [Script(seat, actions, said) for seat in range(game.players)], log.append)
    return log, said


@pytest.mark.parametrize("name", LOGS)
def test_the_log_is_the_original_dealers_to_the_byte(data, name):
    text = (data / "acpc" / "logs" / f"{name}.log").read_text()
    log, _ = replay(text)
    assert "\n".join(log) + "\n" == text


def test_the_messages_are_the_original_dealers_in_order(data):
    logs = data / "acpc" / "logs"
    _, said = replay((logs / f"{LOGS[1]}.log").read_text())
    head = (logs / "2p.nolimit.h1000.r0.transcript-head.log").read_bytes().decode().split("\r\n")
    head[0] = head[0].splitlines()[-1]  # what stands before the first message are header lines
    expected = [re.sub(r" at [0-9.]+", "", line) for line in head if line]
    assert len(expected) > 2900
    assert said[: len(expected)] == expected


def a_match(**options) -> Referee:
    return Referee(MatchPlan(NOLIMIT, 3, 0, ("ann", "bob"), **options))


@pytest.mark.parametrize(
    ("answer", "action", "warned"),
    [
        ("c", "c", False),
        ("f", "f", False),
        ("r300", "r300", False),
        ("k", "c", False),
        ("K", "c", False),
        ("C", "c", False),
        ("b300", "r300", False),
        ("B300", "r300", False),
        ("R300", "r300", False),
        ("r300 or so", "r300", False),
        ("r0300", "r300", False),
        ("cold", "c", False),
        ("r199", "r200", True),
        ("r0", "r200", True),
        ("r-7", "r200", True),
        ("r20001", "r20000", True),
        ("r" + "9" * 3000, "r20000", True),
        ("r", "c", True),
        ("rr", "c", True),
        ("", "c", True),
        ("/", "c", True),
        ("x300", "c", True),
        ("\x00", "c", True),
    ],
)
def test_what_an_answer_becomes(answer, action, warned):
    referee = a_match()
    ruling = referee.rule(f"{referee.messages[1]}:{answer}")
    assert (ruling.action, bool(ruling.warning)) == (action, warned)


def test_an_answer_without_its_action_is_a_call():
    referee = a_match()
    assert referee.rule(referee.messages[1]).action == "c"


def test_a_fold_that_saves_nothing_becomes_a_call():
    state = State.start(NOLIMIT).play("c")
    ruling = rule_action(state, ":f")
    assert ruling.action == "c"
    assert ruling.warning


def test_a_raise_beyond_the_last_becomes_a_call():
    state = State.start(load_game("holdem-limit-2p")).play("rrr")
    assert rule_action(state, ":r") == ("c", "'r' is not legal (legal are f, c), changed to call")
    assert rule_action(State.start(NOLIMIT).play("r20000"), ":r20000").action == "c"


def test_limit_raises_need_no_size_and_ignore_one():
    state = State.start(load_game("holdem-limit-2p"))
    assert rule_action(state, ":r") == rule_action(state, ":r300") == ("r", "")


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:1:1::|9hQd:c",  # another hand
        "MATCHSTATE:0:0::5d5c|:c",  # the other seat's state
        "MATCHSTATE:1:0:c:|9hQd:c",  # another betting
        "MATCHSTATE:1:0::|9hQs:c",  # other cards
        "MATCHSTATE:1:0:|9hQd:c",
        "c",
        "",
        "VERSION:2.0.0",
    ],
)
def test_lines_that_answer_something_else_are_ignored(line):
    assert a_match().rule(line).action is None


def test_the_echo_may_use_other_letters():
    referee = a_match()
    referee.play("c")
    assert referee.messages[0] == "MATCHSTATE:0:0:c:5d5c|"
    assert referee.rule("MATCHSTATE:0:00:k:5d5c|:b500") == ("r500", "")


def test_the_echo_may_show_cards_of_others():
    referee = Referee(MatchPlan(load_game("kuhn"), 1, 0, ("ann", "bob")))
    assert referee.rule("MATCHSTATE:0:0::As|Ks:r") == ("r", "")
    assert referee.rule("MATCHSTATE:0:0::As|Qs:r:and so on") == ("r", "")
    assert referee.rule("MATCHSTATE:0:0::As|Ks").action == "c"
    assert referee.rule("MATCHSTATE:0:0::Qs|Ks:r").action is None
    assert referee.rule("MATCHSTATE:0:0::As|KsQs:r").warning


def test_position_moves_with_the_hand_unless_seats_are_fixed():
    def positions(referee: Referee) -> list[list[str]]:
        seen = []
        while not referee.over:
            seen.append([message.split(":")[1] for message in referee.messages])
            referee.play("f")
            referee.close_hand()
        return seen

    assert positions(a_match()) == [["0", "1"], ["1", "0"], ["0", "1"]]
    assert positions(a_match(fixed_seats=True)) == [["0", "1"]] * 3


def test_folded_cards_stay_hidden_at_the_showdown():
    referee = Referee(MatchPlan(load_game("holdem-limit-3p"), 1, 0, ("a", "b", "c")))
    for action in split_actions("rfc/cc/cc/cc"):
        assert all(message.split(":")[4].split("/")[0].count("|") == 2 for message in referee.messages)
        shown = [[bool(cards) for cards in m.split(":")[4].split("/")[0].split("|")] for m in referee.messages]
        assert shown == [[True, False, False], [False, True, False], [False, False, True]]
        referee.play(action)
    cards = [message.split(":")[4].split("/")[0] for message in referee.messages]
    assert cards == ["5d5c|9hQd|8dAs", "|9hQd|8dAs", "|9hQd|8dAs"]


@pytest.mark.parametrize("name", ["two words", "a:b", "a|b", "", "tab\t", "line\n"])
def test_names_that_would_break_the_log_are_refused(name):
    with pytest.raises(KibitzError, match="name"):
        MatchPlan(NOLIMIT, 1, 0, ("ann", name))


@pytest.mark.parametrize(
    ("hands", "seed", "names"), [(0, 0, ("a", "b")), (1, -1, ("a", "b")), (1, 2**32, ("a", "b")), (1, 0, ("a",))]
)
def test_plans_that_cannot_be_played_are_refused(hands, seed, names):
    with pytest.raises(KibitzError):
        MatchPlan(NOLIMIT, hands, seed, names)


def test_a_local_agent_that_cheats_is_caught():
    class Cheat:
        name = "cheat"

        def reset(self, game, seed): ...

        def act(self, state):
            return "r1"

        def observe(self, state, position): ...

    with pytest.raises(AgentError, match="cheat answered 'r1'"):
        play_locally(MatchPlan(NOLIMIT, 1, 0, ("a", "b")), [Cheat(), Cheat()], [0, 0], print)


@given(st.text(alphabet=st.characters(max_codepoint=255)))
def test_no_line_breaks_the_referee(line):
    referee = a_match()
    ruling = referee.rule(line)
    assert ruling.action is None or ruling.action in referee.state.legal()


@given(st.text(alphabet=st.one_of(st.sampled_from("fcrkbCKBR:/|0123456789+- "), st.characters(max_codepoint=255))))
def test_whatever_follows_the_echo_becomes_a_legal_action(text):
    for betting in ("", "c", "r20000", "cc/", "cc/cc/cc/r500r900"):
        state = State.start(NOLIMIT).play(betting)
        assert rule_action(state, f":{text}").action in state.legal()
        assert rule_action(state, text).action in state.legal()
