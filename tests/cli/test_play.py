"""`kibitz play`, with the answers typed ahead."""

import re

import pytest
from click.testing import CliRunner

from kibitz.agents.human import signed_chips
from kibitz.cli import main
from kibitz.games import State, load_game
from kibitz.io.acpc.log import read_hands_of_log


def play(*options, answers=""):
    return CliRunner().invoke(main, ["play", *options], input=answers)


def test_a_session_ends_with_totals():
    result = play("--against", "always-call", "--hands", "3", "--seed", "5", answers="c\n" * 30)
    assert result.exit_code == 0, result.output
    outcomes = re.findall(
        r"You (win|lose|come out even)\.? ?([\d,]+)?\.? After (\d) hands?: ([-+][\d,]+) chips", result.output
    )
    assert [hand for _verb, _chips, hand, _total in outcomes] == ["1", "2", "3"]
    running = 0
    for verb, chips, _hand, total in outcomes:
        running += {"win": 1, "lose": -1}.get(verb, 0) * int(chips.replace(",", "") or 0)
        assert int(total.replace(",", "")) == running
    last = result.output.splitlines()[-1]
    assert re.fullmatch(rf"3 hands: {re.escape(format(running, '+,'))} chips, [-+][\d,.]+ ± [\d,.]+ mbb/hand\.", last)
    mean = float(re.search(r"chips, ([-+][\d,.]+) ±", last)[1].replace(",", ""))
    assert mean == pytest.approx(running / 3 / 100 * 1000, abs=0.06)


@pytest.mark.parametrize("answers", ["c\nc\nc\nc\nq\n", "c\nc\nc\nc\n"])
def test_leaving_shows_the_total_so_far(answers):
    result = play("--against", "always-call", "--hands", "3", "--seed", "5", answers=answers)
    assert result.exit_code == 0
    assert "You leave the table." in result.output
    assert re.fullmatch(r"1 hand: [-+][\d,]+ chips, [-+][\d,.]+ mbb/hand\.", result.output.splitlines()[-1])


def test_leaving_at_once():
    result = play("--against", "always-call")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "No hand was finished."


def test_the_same_seed_deals_the_same_cards():
    first, again, other = (play("--seed", seed, answers="c\n").output for seed in ("1", "1", "2"))
    assert first == again
    assert first != other
    assert "seed 1." in first


def test_without_a_seed_every_session_is_new():
    seeds = {re.search(r"seed (\d+)", play().output)[1] for _ in range(3)}
    assert len(seeds) == 3


def test_antes_are_counted_in_antes():
    result = play("--game", "leduc", "--against", "always-call", "--hands", "2", "--seed", "0", answers="r\nc\n" * 10)
    assert result.exit_code == 0
    assert "milli-antes/hand" in result.output.splitlines()[-1]


def test_what_is_typed_goes_in_on_this_street(tmp_path):
    """Bets, raises and all-ins of every street; the log counts the chips of the whole hand."""
    log = tmp_path / "session.log"
    options = ["--against", "always-call", "--hands", "2", "--seed", "5", "--log", str(log)]
    result = play(*options, answers="r300\nb100\nb200\nc\nr250\nb1,000\nb400\n18350\n")
    assert result.exit_code == 0, result.output
    assert "b100 .. b19700  bet 100 .. 19,700 in this round" in result.output
    assert "flop      you bet 100, always-call calls 100" in result.output
    assert "you bet 18,350 all-in, always-call calls 18,350 all-in" in " ".join(result.output.split())
    with log.open() as lines:
        histories = [record.history for record in read_hands_of_log(lines)]
    assert histories == ["cr300c/r400c/r600c/cc", "r250c/cr1250c/cr1650c/cr20000c"]


def test_several_opponents():
    options = ["--game", "holdem-limit-3p", "--hands", "1", "--seed", "3"]
    result = play(*options, "--against", "always-call", "--against", "always-fold", answers="f\n")
    assert "You sit with always-call, always-fold." in result.output
    assert "You sit with always-call, always-call-2." in play(*options, "--against", "always-call").output
    wrong = play(*options, *["--against", "random"] * 3)
    assert wrong.exit_code == 2
    assert "3 opponents: holdem-limit-3p needs 2, or one for all seats" in wrong.output


def test_the_first_lines_fit_and_count():
    result = play("--game", "holdem-nolimit-6p", "--against", "loose-aggressive-bluffing", "--hands", "1")
    first, second, third, *_ = result.output.splitlines()
    assert "at most 1 hand, seed" in first
    assert second.startswith("You sit with loose-aggressive-bluffing, ")
    assert third.startswith("  loose-aggressive-bluffing-3, ")
    assert max(map(len, (first, second, third))) <= 80


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--against", "nobody"], "no agent 'nobody'"),
        (["--game", "bridge"], "no game 'bridge'"),
        (["--hands", "0"], "0 is not in the range"),
        (["--seed", "-1"], "'-1' is neither a whole number"),
    ],
)
def test_bad_options(options, message):
    result = play(*options)
    assert result.exit_code == 2
    assert message in result.output


def test_a_log_whose_last_line_was_left_open_is_gone_on_with(tmp_path):
    file = tmp_path / "session.log"
    file.write_text("STATE:0:cc:As|Ks:1|-1:a|b")
    play("--game", "kuhn", "--against", "random", "--hands", "1", "--seed", "1", "--log", str(file), answers="c\n" * 9)
    assert file.read_text().startswith("STATE:0:cc:As|Ks:1|-1:a|b\n# GAMEDEF kuhn\n")


@pytest.mark.parametrize("game", ["holdem-nolimit-3p", "leduc", "kuhn-half-street"])
def test_the_log_can_be_read_back(tmp_path, game):
    file = tmp_path / "session.log"
    for session in (1, 2):  # a second session is appended
        result = play(
            "--game", game, "--against", "random", "--hands", "6", "--seed", "3", "--log", str(file), answers="c\n" * 99
        )
        assert result.exit_code == 0, result.output
        with file.open() as lines:
            records = list(read_hands_of_log(lines))
        assert [int(record.hand) for record in records] == [*range(6)] * session
    rules = load_game(game)
    total = 0.0
    for record in records[:6]:
        assert record.game == rules
        state = State.start(record.game, record.deal).play(record.history)
        assert state.returns() == pytest.approx(record.returns, abs=1e-6)
        assert record.players.index("you") == -int(record.hand) % rules.players
        total += record.returns[record.players.index("you")]
    assert f"6 hands: {signed_chips(total)} chips" in result.output


def test_a_name_that_cannot_be_logged_is_told_before_the_first_hand(tmp_path):
    own, log = tmp_path / "own.py", tmp_path / "session.log"
    own.write_text(
        "from kibitz.agents.frequency import always_call\n"
        "def make():\n    agent = always_call()\n    agent.name = 'a|b'\n    return agent\n"
    )
    result = play("--against", f"{own}:make", "--log", str(log), answers="c\n" * 30)
    assert result.exit_code == 2
    assert result.output.startswith("Error: --log: the name 'a|b' cannot stand in an ACPC log: no ':' or '|'")
    assert not log.exists()
    assert play("--against", f"{own}:make").exit_code == 0
