"""Cases as a policy: what is said of the player is what its agent does, whatever it may have read or named."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import polars as pl
import pytest

from kibitz.agents.case_based import CaseBasedAgent
from kibitz.cards import parse_cards
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, Deal, State, load_game
from kibitz.io.files import read_records
from kibitz.modelling.cases import CaseBase, CaseIndex, CasePolicy, Description, Reuse, build_cases
from kibitz.modelling.cases.base import SCHEMA, merge
from kibitz.modelling.estimators import CheckDown, Evaluation
from kibitz.policy import known_policy, policy_of
from kibitz.responses.local import local_response
from kibitz.testing import check_policy
from kibitz.translation import blurred, blurred_sizes
from modelling.expert_logs import play_log

GAME, LIMIT = load_game("holdem-nolimit-2p"), load_game("holdem-limit-2p")
QUICK = Description(strength="made-hand")
LETTERS = QUICK.alphabet
SETTINGS = [Reuse(), Reuse("majority", spread=0.0), Reuse("best-outcome", "rand-psharmonic", 1.0, 0.9)]


@pytest.fixture(scope="module")
def index(built):
    return CaseIndex(built.base)


@pytest.fixture(scope="module")
def limit_log(tmp_path_factory):
    return play_log(tmp_path_factory.mktemp("limit") / "match.log", ("tight-aggressive", "random"), 300, 3, LIMIT.name)


@pytest.fixture(scope="module")
def limit_agent(limit_log):
    base = build_cases([limit_log], "tight-aggressive", Description("fcr", "made-hand")).base
    return partial(CaseBasedAgent, CaseIndex(base), name="tight-aggressive")


@pytest.mark.parametrize("reuse", SETTINGS)
def test_cases_keep_the_contract(index, reuse):
    check_policy(lambda: CaseBasedAgent(index, reuse), [GAME], hands=25, draws=300)


def test_cases_of_limit_games_keep_the_contract(limit_agent):
    check_policy(limit_agent, [LIMIT], hands=25, draws=300)


def policy_from(*rows: tuple, **reuse) -> CasePolicy:
    base = CaseBase(merge([pl.DataFrame(list(rows), schema=SCHEMA, orient="row")]), QUICK)
    return CasePolicy(CaseIndex(base), Reuse(**reuse))


def row(sequence: str, letter: str, count: int = 1, strength: int = 20) -> tuple:
    return sequence, strength, 1, 0, LETTERS.index(letter), count, 0


def state_after(history: str, hole: str, board: str = "") -> State:
    state = State.start(GAME).play(history)
    holes = tuple(parse_cards(hole) if player == state.player else () for player in range(2))
    return state._replace(deal=Deal(holes, parse_cards(board)))


def said_of(policy: CasePolicy, state: State) -> dict[str, float]:
    """The chances of fold, call and raises with the hand of the player to act, sizes put together by hundreds."""
    hand = np.array([state.hole[state.player]], dtype=np.uint8)
    found: Counter[str] = Counter()
    for action, chance in zip(policy.actions(state), policy.probabilities(state, hand, state.board)[:, 0], strict=True):
        first, last = action.sizes or ((int(action.text[1:]),) * 2 if action.text[0] == "r" else (0, 0))
        for size in range(first, last + 1):
            found[f"r{size // 100}" if size else action.text] += chance / (last - first + 1)
    return {text: chance for text, chance in found.items() if chance > 0}


def done_in(policy: CasePolicy, hands: list[State], seeds: int) -> Counter[str]:
    """What agents do in the last of `hands`, the decisions of one hand, if they did in the others what is there."""
    counts: Counter[str] = Counter()
    agent = CaseBasedAgent(policy.index, policy.reuse)
    for seed in range(seeds):
        agent.reset(GAME, seed)
        actions = [agent.act(state) for state in hands]
        played = all(
            hands[-1].history.startswith(state.history + action)
            for state, action in zip(hands, actions[:-1], strict=False)
        )
        if played:
            text = actions[-1]
            counts[f"r{int(text[1:]) // 100}" if text[0] == "r" else text] += 1
    return counts


def check_close(counts: Counter[str], chances: dict[str, float]) -> None:
    total = counts.total()
    assert total > 200
    assert set(counts) <= set(chances)
    for text, chance in chances.items():
        assert abs(counts[text] - total * chance) <= 5 * np.sqrt(total * chance * (1 - chance)) + 1, text


def test_sizes_that_overlap_add_up():
    """Half a pot and a pot with a spread of a half: 25 to 75 and 50 to 150 hundredths of the pot."""
    policy = policy_from(row("", "f", 1), row("", "h", 2), row("", "p", 3), spread=0.5)
    state = state_after("", "AhKd")
    check_close(done_in(policy, [state], 3000), said_of(policy, state))


@pytest.mark.parametrize("mapping", ["rand-geo-1", "rand-psharmonic"])
def test_bets_are_read_in_more_than_one_way(mapping):
    """A raise to 640 over 250 is 0.78 pots: three quarters, or a pot."""
    rows = row("", "i"), row("ii", "c", 9), row("ii", "f"), row("ip", "c"), row("ip", "f", 9)
    policy = policy_from(*rows, mapping=mapping, spread=0.0)
    decisions = [state_after("", "AhKd"), state_after("r250r640", "AhKd")]
    chances = said_of(policy, decisions[-1])
    assert 0.1 < chances["f"] < 0.9
    check_close(done_in(policy, decisions, 3000), chances)


@pytest.mark.parametrize("mapping", ["rand-geo-1", "rand-psharmonic"])
def test_what_it_did_tells_what_it_has_read(mapping):
    """A raise of 0.875 pots was called, so it was most likely read as the smaller size, after which all is checked."""
    rows = row("i", "c", 9), row("i", "f"), row("p", "c"), row("p", "f", 9), row("ic-", "c"), row("pc-", "p")
    policy = policy_from(*rows, mapping=mapping)
    decisions = [state_after("r275", "AhKd"), state_after("r275c/", "AhKd", "2c7d9h")]
    chances = said_of(policy, decisions[-1])
    assert 0.8 < chances["c"] < 0.99
    check_close(done_in(policy, decisions, 4000), chances)


@pytest.mark.parametrize("spread", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("history", "pots"), [("", 0.25), ("", 1.0), ("r600", 5.0), ("r9000", 10.0), ("r20000", 1.0)])
def test_all_blurred_sizes_are_told(history, pots, spread):
    state = state_after(history, "AhKd")
    found = blurred_sizes(state, pots, spread)
    draws = Counter(blurred(state, pots, spread, (number + 0.5) / 20_000) for number in range(20_000))
    if isinstance(found, str):
        assert set(draws) == {found}
        return
    chances = {f"r{size}": share for first, last, share in found for size in range(first, last + 1)}
    assert sum(chances.values()) == pytest.approx(1)
    assert set(draws) <= set(chances)
    assert all(draws[text] / 20_000 == pytest.approx(share, abs=1e-4) for text, share in chances.items())


def test_hands_that_the_board_blocks_do_nothing(index):
    policy, state = CasePolicy(index), state_after("cc/", "AhKd", "2c7d9h")
    hands = np.array([parse_cards("AhKd"), parse_cards("2cKd"), *([0, 51],) * 20], dtype=np.uint8)
    found = policy.probabilities(state, hands, state.board)
    assert found[:, 0].sum() == pytest.approx(1)
    assert not found[:, 1:].any()


def test_fingerprints_tell_cases_and_settings_apart(index):
    policies = [CasePolicy(index, reuse) for reuse in SETTINGS]
    policies += [policy_from(row("", "f")), policy_from(row("", "f", 2))]
    assert len({policy.fingerprint for policy in policies}) == len(policies)
    assert CasePolicy(CaseIndex(index.base)).fingerprint == policies[0].fingerprint


def test_an_agent_has_its_policy(index):
    agent = CaseBasedAgent(index, SETTINGS[1], name="copy")
    assert known_policy(agent) is agent.policy
    assert (agent.policy.name, agent.policy.reuse, agent.policy.draws_sizes) == ("copy", SETTINGS[1], False)
    with pytest.raises(AgentError, match="copy does not play leduc"):
        policy_of(agent, load_game("leduc"))


def test_a_local_best_response_wins_against_cases(limit_agent):
    """The belief that it follows gives the same as the average over all beliefs, asked state by state."""
    policy = limit_agent().policy
    by_sequences = local_response(policy, LIMIT, 1, seed=4, call_until=3)

    class Averaged(CasePolicy):
        start, key = CasePolicy.__mro__[1].start, CasePolicy.__mro__[1].key
        chances = CasePolicy.__mro__[1].chances

    averaged = local_response(Averaged(policy.index, policy.reuse), LIMIT, 1, seed=4, call_until=3)
    assert by_sequences.samples == pytest.approx(averaged.samples, rel=1e-4)
    assert by_sequences.chips > 0


def test_a_belief_in_no_limit_averages_to_the_policy():
    """Hypotheses by sequence, each with its reach, against the chances of the policy itself."""
    policy = policy_from(
        row("i", "c", 9), row("i", "f"), row("p", "c"), row("p", "f", 9), row("ic-", "c"), row("pc-", "p"), spread=0.0
    )
    holes = np.array([parse_cards("AhKd"), parse_cards("QsJs")], dtype=np.uint8)
    state = State.start(GAME)
    belief, matrix = policy.start(GAME, 0).update(state, "r275")
    assert belief.hypotheses == 2
    state = state.apply("r275")
    answer = next(each for each in belief.answers(state, lambda: 0.5) if each.action == "c")
    chances, reach = policy.chances(0, holes, ()), matrix @ np.ones((1, 2))
    after = np.zeros((answer.belief.hypotheses, 2))
    for before, number, key, choice in answer.transitions:
        after[number] += reach[before] * chances(key)[choice]
    called = dict(zip(policy.actions(state), policy.probabilities(state, holes, ()), strict=True))
    assert after.sum(axis=0) == pytest.approx(next(each for action, each in called.items() if action.text == "c"))
    board, state = parse_cards("2c7d9h"), state.apply("c")
    chances, raised = policy.chances(0, holes, board), np.zeros(2)
    for each in answer.belief.answers(state, lambda: 0.5):
        for before, _after, key, choice in each.transitions if each.action[0] == "r" else ():
            raised += after[before] * chances(key)[choice] / after.sum(axis=0)
    wanted = policy.probabilities(state, holes, board)[[action.text[0] == "r" for action in policy.actions(state)]]
    assert raised == pytest.approx(wanted.sum(axis=0))
    assert (raised > 0).all()


def test_cases_are_evaluated_from_logs(index, tmp_path):
    """AIVAT and imaginary observations of an imitation, from hands that it played itself."""
    from kibitz.agents import load_agent
    from kibitz.arena.match import play_match
    from kibitz.io.acpc import format_hand
    from kibitz.io.acpc.log import LogHeader
    from kibitz.io.record import HandRecord

    agents, lines = [CaseBasedAgent(index, name="copy"), load_agent("always-call")], []

    def keep(hand, state):
        names = tuple(agents[(seat + hand) % 2].name for seat in range(2))
        deal = state.deal._replace(board=state.board)
        lines.append(format_hand(HandRecord(GAME, str(hand), state.history, deal, names, state.returns())))

    play_match(GAME, agents, [1, 2], 60, AcpcCards(9), keep)
    path = tmp_path / "copy.log"
    header = LogHeader("match", "holdem.nolimit.2p.reverse_blinds.game", 60, 9)
    path.write_text("\n".join([str(header), *lines]) + "\n")
    for method in ("aivat", "imaginary"):
        value = CheckDown() if method == "aivat" else None
        evaluation = Evaluation("copy", value, {"copy": agents[0]}, method=method)
        for record in read_records(path):
            evaluation.add(record)
        result = evaluation.result()
        assert result.hands == 60
        assert not result.doubtful
