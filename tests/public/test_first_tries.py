"""What a person writes first works, or is refused with a sentence that says what to write."""

import re
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.equity import Range
from kibitz.games import Deal

LEDUC = kibitz.load_game("leduc")
LOG = "STATE:0:r300c/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:-300|300:a|b\n"
PAIR = ["always-call", "always-fold"]
RIVER = ("Qs Jh 2h 8d 3c", 6, 100, "QQ", "AA")


class Caller:
    """An agent as one writes it in a notebook."""

    name = "caller"

    def reset(self, game, seed): ...

    def act(self, state):
        return "c"

    def observe(self, state, position): ...


class Nobody:
    pass


@pytest.fixture(scope="module")
def solution():
    return kibitz.solve("leduc", 10)


@pytest.fixture(scope="module")
def folder(solution, tmp_path_factory):
    """A folder with what a newcomer has: two strategies and a log."""
    place = tmp_path_factory.mktemp("first")
    solution.save(place / "mine")
    solution.save(place / "run")
    (place / "one.log").write_text(LOG)
    return place


def match(*agents, **how):
    return kibitz.play_match(*agents, **{"game": "leduc", "hands": 2, **how})


def spot(*changed, **how):
    """The river above, its first arguments changed."""
    return kibitz.solve_spot(*changed, *RIVER[len(changed) :], **{"iterations": 2, **how})


REFUSED = {
    "load_game": [
        (lambda: kibitz.load_game(42), "42 is not a game: give a Game, the path"),
        (lambda: kibitz.load_game(b"leduc"), "is not a game"),
        (lambda: kibitz.load_game("Leduk"), "did you mean leduc?"),
        (lambda: kibitz.load_game("holdem"), "did you mean holdem-limit-2p or"),
    ],
    "State": [
        (lambda: kibitz.State.start("leduk"), "did you mean leduc?"),
        (lambda: kibitz.State.start(42), "42 is not a game"),
        (lambda: kibitz.State.start(LEDUC, "Ks|Qs"), "'Ks|Qs' is not a Deal"),
        (lambda: kibitz.State.start(LEDUC).apply(7), "7 in :|: legal are c, r"),
        (lambda: kibitz.State.start(LEDUC).play(7), "7 is not betting text"),
    ],
    "load_strategy": [
        (lambda: kibitz.load_strategy(42), "42 is not a strategy's folder"),
        (lambda: kibitz.load_strategy("nowhere"), "there is no folder nowhere"),
        (lambda: kibitz.load_strategy(""), "holds no strategy"),
        (lambda: kibitz.load_strategy("x" * 300), "manifest.json cannot be read"),
    ],
    "load_agent": [
        (lambda: kibitz.load_agent(42), "42 is not an agent: give a name"),
        (lambda: kibitz.load_agent(["random"]), "['random'] is not an agent"),
        (lambda: kibitz.load_agent("Always Call"), "did you mean always-call?"),
        (lambda: kibitz.load_agent("leduc"), "it is a game: give it as game="),
        (lambda: kibitz.load_agent(Nobody), "Nobody makes Nobody, which lacks name, reset, act or observe"),
        (lambda: kibitz.load_agent("x" * 300), "no agent 'xxx"),
        (lambda: kibitz.load_agent(f"{'x' * 300}.py:Agent"), "no agent 'xxx"),
        (lambda: kibitz.load_agent(lambda: 1 / 0), "makes no agent: ZeroDivisionError"),
    ],
    "compute_equity": [
        (lambda: kibitz.compute_equity(), "0 hands: equity is for two to ten players"),
        (lambda: kibitz.compute_equity("AsAh"), "1 hand: equity"),
        (lambda: kibitz.compute_equity(42), "1 hand: equity"),
        (lambda: kibitz.compute_equity("AsAh", 42), "42 is not a range: give a Range or one text"),
        (lambda: kibitz.compute_equity([(51, 50), (46, 44)]), "(51, 50) is not a range"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", board=42), "42 is not a list of cards"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", board=b"Qs"), "81 is not a card"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", board=[99]), "99 is not a card"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", method="sampling"), "there are auto, exact, sample"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", samples=100.5), "samples = 100.5: a whole number"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", samples=0), "samples = 0: a whole number is needed, at least 1"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", threads="all"), "threads = 'all'"),
        (lambda: kibitz.compute_equity("AsAh", "KdKc", seed=None), "seed = None: a whole number"),
        (lambda: kibitz.compute_equity(["AsAh", "KdKc"], "", "exact", 5), "too many"),
    ],
    "solve": [
        (lambda: kibitz.solve("leduc", -1), "iterations = -1: a whole number is needed, at least 1"),
        (lambda: kibitz.solve("leduc", 0), "iterations = 0"),
        (lambda: kibitz.solve("leduc", 2.5), "iterations = 2.5"),
        (lambda: kibitz.solve("leduc", "many"), "iterations = 'many'"),
        (lambda: kibitz.solve("leduc", until=-1), "until = -1: a number above 0"),
        (lambda: kibitz.solve("leduc", until=float("nan")), "until = nan"),
        (lambda: kibitz.solve(2, "leduc"), "2 is not a game"),
        (lambda: kibitz.solve("leduc", 5, algorithm="CFR"), "no algorithm 'CFR' (did you mean cfr?)"),
        (lambda: kibitz.solve("leduc", 5, algorithm=["cfr"]), "no algorithm ['cfr']"),
        (lambda: kibitz.solve("leduc-nolimit", 5, menus=0.5), "0.5 is not a menu: write all sizes"),
        (lambda: kibitz.solve("leduc-nolimit", 5, menus=[0.5, 1]), "0.5 is not a menu"),
        (lambda: kibitz.solve("leduc", 5, menus="potty"), "'potty' in the menu"),
        (lambda: kibitz.solve("leduc", 5, cards=5), "cards 5: the name of a card abstraction"),
        (lambda: kibitz.solve("leduc", 5, seed="a"), "seed = 'a'"),
        (lambda: kibitz.solve("leduc", 5, algorithm="external", seed=-1), "seed = -1"),
        (lambda: kibitz.solve("leduc", 5, threads=0), "threads = 0"),
        (lambda: kibitz.solve("kuhn-3p", 5), "dcfr is for two players, not 3"),
    ],
    "exploitability": [
        (lambda: kibitz.exploitability(42), "42 is not a strategy: give a Strategy, what `solve` returns, or a folder"),
        (lambda: kibitz.exploitability(LEDUC), "Game(leduc, limit, 2 players, 2 rounds) is not a strategy"),
        (lambda: kibitz.exploitability("always-call"), "there is no folder always-call"),
    ],
    "best_response": [(lambda: kibitz.best_response(None), "None is not a strategy")],
    "train_agent": [
        (lambda: kibitz.train_agent("quik"), "no preset 'quik' (did you mean quick?)"),
        (lambda: kibitz.train_agent("quick", threads=0), "threads = 0"),
        (lambda: kibitz.train_agent("quick", seed="a"), "seed = 'a'"),
        (lambda: kibitz.train_agent(["quick"]), "no preset ['quick']"),
        (lambda: kibitz.train_agent("quick", "no-limit"), "no kind 'no-limit' of agent (did you mean nolimit?)"),
    ],
    "play_match": [
        (lambda: kibitz.play_match(), "0 agents: holdem-nolimit-2p seats 2"),
        (lambda: match("always-call"), "1 agent: leduc seats 2"),
        (lambda: kibitz.play_match("a", "b"), "no agent 'a'"),
        (lambda: kibitz.play_match("leduc", PAIR), "no agent 'leduc' (it is a game: give it as game=)"),
        (lambda: kibitz.play_match(*PAIR, "leduc", 10), "4 agents for the 2 seats of holdem-nolimit-2p: give game="),
        (lambda: kibitz.play_match(PAIR, 100), "100 is not a game"),
        (lambda: match(*PAIR, "random"), "3 agents for the 2 seats of leduc"),
        (lambda: match(*PAIR, game="kuhn-3p"), "2 agents: kuhn-3p seats 3"),
        (lambda: match("random", 42), "42 is not an agent"),
        (lambda: match("random", Nobody()), "is not an agent"),
        (lambda: match(*[kibitz.load_agent("random")] * 2), "one agent object in two seats"),
        (lambda: match(*PAIR, hands=10.5), "hands = 10.5: a whole number is needed, at least 1"),
        (lambda: match(*PAIR, hands="10"), "hands = '10'"),
        (lambda: match(*PAIR, hands=-5), "hands = -5"),
        (lambda: match(*PAIR, seed="x"), "seed = 'x'"),
    ],
    "play_tournament": [
        (lambda: kibitz.play_tournament(42), "1 agent: holdem-nolimit-2p seats 2"),
        (lambda: kibitz.play_tournament(PAIR, "leduc", 10, 0), "matches = 0: a whole number is needed, at least 1"),
        (lambda: kibitz.play_tournament(PAIR, "leduc", 10, "all"), "matches = 'all'"),
    ],
    "read_hands": [
        (lambda: kibitz.read_hands("nofile"), "nofile: no such file or folder"),
        (lambda: kibitz.read_hands(["nofile"]), "nofile: no such file or folder"),
        (lambda: kibitz.read_hands(""), ": no such file or folder"),
        (lambda: kibitz.read_hands("STATE:0:cc:" * 400), "no such file or folder"),
        (lambda: kibitz.read_hands(42), "42 is not a path of hand histories"),
        (lambda: kibitz.read_hands(".", 42), "42 is not a game"),
    ],
    "translate_bet": [
        (lambda: kibitz.translate_bet("half", [0, 1]), "'half': a bet is a number of pots"),
        (lambda: kibitz.translate_bet([0, 1], "half"), "sizes are a list of pot fractions"),
        (lambda: kibitz.translate_bet(0.7, "0.5, 1"), "sizes are a list of pot fractions, such as [0.5, 1]"),
        (lambda: kibitz.translate_bet(0.7, None), "sizes [nan]"),
        (lambda: kibitz.translate_bet(0.7, [1, 0]), "sizes [1.0, 0.0]: pot fractions in ascending order"),
        (lambda: kibitz.translate_bet(0.7, []), "at least one"),
        (lambda: kibitz.translate_bet(0.7, [0, 1], "psharmonic"), "did you mean det-psharmonic"),
        (lambda: kibitz.translate_bet(0.7, [0, 1], 3), "no mapping 3"),
    ],
    "solve_spot": [
        (lambda: spot(42), "42 is not a list of cards"),
        (lambda: spot("Qs Jh"), "three, four or five different cards"),
        (
            lambda: spot(RIVER[0], 6.5),
            "pot = 6.5: a whole number is needed of chips; with amounts such as 6.5",
        ),
        (lambda: spot(RIVER[0], "6"), "pot = '6'"),
        (lambda: spot(RIVER[0], 6, 97.5), "stack = 97.5"),
        (lambda: spot(RIVER[0], 6, "100"), "stack = '100'"),
        (lambda: spot(RIVER[0], 6, (97, 50, 40)), "3 stacks: give one for both players, or two"),
        (lambda: spot(RIVER[0], 0), "all must be at least 1 chip"),
        (lambda: spot(RIVER[0], 6, 100, 42), "42 is not a range"),
        (lambda: spot(sizes=0.5), "0.5 is not a menu"),
        (lambda: spot(sizes=["0.5", "1", "all-in"]), "3 menus for 2 players: give one, or one per player"),
        (lambda: spot(sizes=[]), "0 menus for 2 players"),
        (lambda: spot(iterations=0), "iterations = 0"),
        (lambda: spot(iterations=2.5), "iterations = 2.5"),
        (lambda: spot(accuracy="x"), "accuracy = 'x'"),
        (lambda: spot(accuracy=-1), "accuracy = -1"),
        (lambda: spot(threads=0), "threads = 0"),
        (lambda: spot(rake="5%"), "a rake of '5%'"),
        (lambda: spot(min_bet=0.5), "min_bet = 0.5"),
        (lambda: spot().at(3), "3 is not betting text"),
    ],
}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [pytest.param(*case, id=f"{name}-{i}") for name, cases in REFUSED.items() for i, case in enumerate(cases)],
)
def test_bad_input_is_one_sentence(call, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kibitz.KibitzError, match=re.escape(sentence)) as caught:
        call()
    assert "\n" not in str(caught.value).strip()
    assert not list(tmp_path.iterdir())


def test_every_public_function_is_tried():
    assert {*REFUSED, "KibitzError", "__version__"} == set(kibitz.__all__)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda: kibitz.load_game(LEDUC), lambda: kibitz.load_game(Path("leduc"))),
        (lambda: kibitz.State.start("leduc"), lambda: kibitz.State.start(LEDUC)),
        (lambda: kibitz.compute_equity("AsAh", "KdKc"), lambda: kibitz.compute_equity(["AsAh", "KdKc"])),
        (lambda: kibitz.compute_equity("As Ah", Range.parse("KdKc")), lambda: kibitz.compute_equity(("AsAh", "KdKc"))),
        (
            lambda: kibitz.compute_equity("AA", "KK", board=["2c", "3c", "4c"], method="exact"),
            lambda: kibitz.compute_equity(np.array(["AA", "KK"]), [0, np.int64(4), 8], "exact"),
        ),
        (
            lambda: kibitz.compute_equity("AA", "KK", method="sample", samples=1e3, seed=np.int64(3)),
            lambda: kibitz.compute_equity("AA", "KK", method="sample", samples=np.int32(1000), seed=3),
        ),
        (lambda: kibitz.solve("kuhn", 3.0).value, lambda: kibitz.solve(kibitz.load_game("kuhn"), np.int64(3)).value),
        (
            lambda: str(match("random", "always-call", seed=np.int64(3))),
            lambda: str(kibitz.play_match(["random", "always-call"], LEDUC, 2.0, seed=3)),
        ),
        (lambda: str(match("random", Caller)), lambda: str(match(iter(["random", Caller()])))),
        (lambda: str(match("random", kibitz.load_agent("always-call"))), lambda: str(match("random", "always-call"))),
        (
            lambda: kibitz.play_tournament(*PAIR, "random", game="leduc", hands=4, matches=2).ranking,
            lambda: kibitz.play_tournament([*PAIR, "random"], "leduc", 4, 2.0).ranking,
        ),
        (lambda: kibitz.translate_bet(0.7, 0, 0.5, 1), lambda: kibitz.translate_bet("0.7", np.array([0, 0.5, 1]))),
        (
            lambda: kibitz.translate_bet(0.7, 0, 1, mapping="det-geo"),
            lambda: kibitz.translate_bet(0.7, (0, 1), "det-geo"),
        ),
        (
            lambda: spot(["Qs", "Jh", "2h", "8d", "3c"], 6.0, [100.0, np.int64(120)], Range.parse("QQ")).values,
            lambda: spot(RIVER[0], 6, (100, 120), min_bet=1.0, rake=0).values,
        ),
    ],
)
def test_what_means_the_same_is_the_same(one, other):
    assert one() == other()


def test_a_strategy_is_given_as_itself_its_folder_its_solution_or_its_agent(folder, solution):
    wanted = solution.exploitability
    mine = folder / "mine"
    loaded = kibitz.load_strategy(str(mine))
    given = (solution, loaded, mine, str(folder / "run"), kibitz.load_agent(mine))
    assert [kibitz.exploitability(each) for each in given] == pytest.approx([wanted] * len(given))
    assert kibitz.load_strategy(folder / "run").values.tolist() == loaded.values.tolist()
    assert loaded.at("r").tolist() == loaded.at(loaded.layout.tree.find("r")).tolist()
    players = [kibitz.load_agent(each) for each in given[:4]]
    assert {str(match("random", each).rates["random"]) for each in (*given[:4], *players)} == {
        str(match("random", str(mine)).rates["random"])
    }


def test_hands_are_read_from_a_list_of_paths(folder):
    log = folder / "one.log"
    assert [hand.players for hand in kibitz.read_hands([log, str(log)], "holdem-nolimit-2p")] == [("a", "b")] * 2


def test_what_is_shown_at_a_prompt_is_one_line(folder, solution):
    long = kibitz.State.start("holdem-nolimit-6p", Deal()).play("r300c" + "c" * 20)
    things = {
        "Game(leduc, limit, 2 players, 2 rounds)": LEDUC,
        "State(leduc, :|, player 0 to act)": kibitz.State.start("leduc"),
        "Strategy(leduc, 672 infoset-action pairs, dcfr, 10 iterations)": kibitz.load_strategy(folder / "mine"),
        "StrategyAgent('mine')": kibitz.load_agent(folder / "mine"),
        "FrequencyAgent('always-call')": kibitz.load_agent("always-call"),
        "81.2555% 18.7445% (exact, 1,712,304 boards)": kibitz.compute_equity("AsAh", "KdKc"),
        "HandRecord(": next(kibitz.read_hands(folder / "one.log", "holdem-nolimit-2p")),
        "State(holdem-nolimit-6p, r300c": long,
        "leduc: exploitability": solution,
        "leduc: always-call +0.0": match(*PAIR),
        "leduc: 1 always": kibitz.play_tournament(PAIR, "leduc", 2, 2),
        "EV ": spot(),
        "Tree(leduc, ": solution.strategy.layout.tree,
        "Layout(leduc, ": solution.strategy.layout,
        "Strategy(leduc": kibitz.best_response(solution),
    }
    assert " chips by these bets" in str(things["EV "])
    shown = {begin: repr(thing) for begin, thing in things.items()}
    assert [text for begin, text in shown.items() if not text.startswith(begin)] == []
    assert [text for text in shown.values() if len(text) > 100 or "\n" in text] == []
