"""What PHH can say of hands by the ACPC's rules: exactly what PokerKit plays out."""

import io
import random
import re
from dataclasses import replace

import pytest

from kibitz.errors import FormatError
from kibitz.games import Deal, Game, State, deal_hands, load_game
from kibitz.io.convert import convert
from kibitz.io.phh import read_phh, write_phh
from kibitz.io.record import HandRecord

pokerkit = pytest.importorskip("pokerkit")


def table(kind: str, stacks: tuple[int, ...]) -> Game:
    """Hold'em of the ACPC with these stacks, small blind and big blind first."""
    game, players = load_game(f"holdem-{kind}-2p"), len(stacks)
    if players == 2:
        return replace(game, stacks=stacks)
    return replace(
        load_game(f"holdem-{kind}-3p"),
        stacks=stacks,
        blinds=(game.blinds[1], game.blinds[0], *(0,) * (players - 2)),
        first_players=(2, 0, 0, 0),
        antes=(0,) * players,
        bettors=(True,) * players,
        sighted=(True,) * players,
        name="",
    )


def play(game: Game, rng: random.Random) -> State:
    state = State.start(game, next(deal_hands(game, rng.randrange(1 << 32))))
    while not state.finished:
        legal, chance = state.legal(), rng.random()
        if chance < 0.1 and legal.fold:
            state = state.apply("f")
        elif chance < 0.7 or not legal.max_raise_to:
            state = state.apply("c")
        elif legal.limit:
            state = state.apply("r")
        else:
            most = rng.choice((legal.max_raise_to, min(legal.max_raise_to, 3 * legal.min_raise_to)))
            state = state.apply(f"r{rng.randint(min(legal.min_raise_to, most), most)}")
    return state


def recorded(state: State, number: int) -> HandRecord:
    game = state.game
    deal = Deal(state.deal.hole, state.board)
    names = tuple(f"player {position}" for position in range(game.players))
    return HandRecord(game, str(number), state.history, deal, names, state.returns())


def is_played_out(text: str) -> bool:
    try:
        *_, end = pokerkit.HandHistory.loads(text)
    except ValueError:
        return False
    assert not end.status
    return True


@pytest.mark.parametrize("kind", ["nolimit", "limit"])
@pytest.mark.parametrize("players", range(2, 11))
def test_random_hands_are_refused_or_played_out_by_pokerkit(kind, players):
    rng = random.Random(players)
    refused = 0
    for number in range(40):
        if number % 10 == 0:
            game = table(kind, tuple(rng.randint(1, 600) for _ in range(players)))
        record = recorded(play(game, rng), number)
        out = io.StringIO()
        losses = convert([record], "phhs", out, lossy=True).losses
        if losses:
            assert re.match(r"PHH cannot say this hand: (a raise |player \d+ raises to )", next(iter(losses)))
            if "raises to" not in next(iter(losses)):  # such a raise lowers the bet: it cannot even be written
                assert not is_played_out(write_phh(record))
            refused += 1
        else:
            assert is_played_out(out.getvalue().removeprefix("[1]\n"))
            (again,) = read_phh(out.getvalue())
            assert (again.game, again.history, again.deal) == (game, record.history, record.deal)
    assert refused < 20


@pytest.mark.parametrize(
    ("stacks", "history", "reason"),
    [
        ((380, 20_000, 20_000), "r300r380cr1000c/cc/cc/cc", "faces only a short all-in"),
        ((380, 20_000, 20_000), "r300r380r500c/cc/cc/cc", "less than the last full raise"),
        ((20_000, 300, 400), "r400r800c///", "nobody could answer"),
    ],
)
def test_what_card_rooms_refuse(stacks, history, reason):
    game = table("nolimit", stacks)
    record = recorded(State.start(game, next(deal_hands(game, 1))).play(history), 1)
    with pytest.raises(FormatError, match=reason):
        convert([record], "phh", io.StringIO())
    losses = convert([record], "phhs", io.StringIO(), lossy=True).losses
    assert losses.total() == 1


@pytest.mark.parametrize("seed", range(12))
def test_odd_games_are_refused_or_played_out_by_pokerkit(seed):
    rng = random.Random(seed)
    players = rng.randint(2, 10)
    game = table(rng.choice(("limit", "nolimit")), tuple(rng.randint(40, 900) for _ in range(players)))
    game = replace(game, blinds=tuple(rng.choice((0, 0, 5, 10, 10, 20)) for _ in range(players)))
    if seed % 3 == 0:
        game = replace(game, first_players=tuple(rng.randrange(players) for _ in range(4)))
    if game.betting == "limit":
        game = replace(game, raise_sizes=tuple(rng.choice((5, 10, 20)) for _ in range(4)), max_raises=(6,) * 4)
    for number in range(8):
        record = recorded(play(game, rng), number)
        out = io.StringIO()
        if not convert([record], "phhs", out, lossy=True).losses:
            assert is_played_out(out.getvalue().removeprefix("[1]\n"))


def test_other_orders_of_turns():
    game = replace(table("nolimit", (20_000,) * 3), first_players=(0, 0, 0, 0))
    record = recorded(State.start(game, next(deal_hands(game, 1))).play("ccc/ccc/ccc/ccc"), 1)
    with pytest.raises(FormatError, match="an order of turns"):
        convert([record], "phh", io.StringIO())
    assert not is_played_out(write_phh(record))


def test_more_raises_than_pokerkit_allows():
    game = replace(load_game("holdem-limit-2p"), max_raises=(5, 5, 5, 5))
    record = recorded(State.start(game, next(deal_hands(game, 1))).play("cc/rrrrrc/cc/cc"), 1)
    with pytest.raises(FormatError, match="more than 4 raises in a round"):
        convert([record], "phh", io.StringIO())
    assert not is_played_out(write_phh(record))


def test_hands_of_a_phh_file_stay_as_they_are():
    game = table("nolimit", (380, 20_000, 20_000))
    record = recorded(State.start(game, next(deal_hands(game, 1))).play("r300r380cr1000c/cc/cc/cc"), 1)
    text = write_phh(record)
    out = io.StringIO()
    convert(read_phh(text), "phh", out)
    assert out.getvalue() == text
