"""Cards from a seed are the original dealer's cards; keyed ones are even, and the same in kernels."""

import lzma
from hashlib import blake2b
from itertools import islice
from math import perm

import numpy as np
import pytest

from kibitz.cards import cards_to_mask
from kibitz.games import AcpcCards, Deal, KeyedCards, deal_hands, format_deal, load_game
from kibitz.games.batch import TableDealer, deal_cards
from kibitz.games.dealing import cards_per_hand, deal_from, mersenne_twister, pass_over, words_per_hand

LOGS = ["2p.limit.h1000.r0.log", "2p.nolimit.h1000.r0.log", "3p.limit.h1000.r0.log", "leduc.limit.2p.h50000.log.xz"]


def test_the_generators_words():
    draw = mersenne_twister(0).getrandbits
    assert [draw(32) for _ in range(4)] == [2357136044, 2546248239, 3071714933, 3626093760]


@pytest.mark.parametrize("seed", [0, 1, 1524397313, 2**32 - 1])
def test_the_generator_is_numpys_legacy_one(seed):
    draw = mersenne_twister(seed).getrandbits
    words = np.random.RandomState(seed).randint(0, 2**32, size=2000, dtype=np.uint32)
    assert [draw(32) for _ in range(2000)] == words.tolist()


def test_seeds_count_modulo_two_to_the_32():
    assert mersenne_twister(2**32 + 5).getstate() == mersenne_twister(5).getstate()


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("holdem-nolimit-2p", ["5d5c|9hQd/8dAs8s/4h/6d", "6sKs|5dJd/2sTh2h/Qh/8h"]),
        ("holdem-limit-2p", ["5d5c|9hQd/8dAs8s/4h/6d", "6sKs|5dJd/2sTh2h/Qh/8h"]),
        ("holdem-limit-3p", ["5d5c|9hQd|8dAs/8s4h6d/5s/Js"]),
    ],
)
def test_the_hands_of_seed_nought(name, hands):
    game = load_game(name)
    assert [format_deal(game, deal, 3) for deal in islice(deal_hands(game, 0), len(hands))] == hands


SOURCES = [AcpcCards(3), KeyedCards(bytes(range(32)))]
GAMES = [
    "kuhn",
    "kuhn-3p",
    "clairvoyance",
    "leduc",
    "rhode-island",
    "holdem-limit-3p",
    "holdem-nolimit-6p",
    "holdem-limit-10p",
]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_of_distinct_cards_of_the_deck(name, source):
    game = load_game(name)
    for deal in islice(source.hands(game), 200):
        cards = [card for hole in deal.hole for card in hole] + list(deal.board)
        assert isinstance(deal, Deal)
        assert [len(hole) for hole in deal.hole] == [game.hole_cards] * game.players
        assert len(deal.board) == sum(game.board_cards)
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(game.deck)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", GAMES)
def test_kernels_deal_the_same_hands_from_any_of_them_on(name, source):
    game = load_game(name)
    hands = [[*(card for hole in deal.hole for card in hole), *deal.board] for deal in islice(source.hands(game), 60)]
    assert deal_cards(game, source, 60).tolist() == hands
    dealer = TableDealer(game, source)
    dealer.next_hands(7)
    cards, masks = np.empty((20, len(hands[0])), dtype=np.uint8), np.empty((20, game.players), dtype=np.uint64)
    dealer.next_hands(50)(13, cards, masks)
    assert cards.tolist() == hands[20:40]
    held, board = game.hole_cards, game.hole_cards * game.players
    shown = [[hand[held * p : held * (p + 1)] + hand[board:] for p in range(game.players)] for hand in hands[20:40]]
    assert masks.tolist() == [[cards_to_mask(each) for each in hand] for hand in shown]


def test_keyed_hands_are_dealt_from_their_words_of_a_digest():
    """By whole numbers, in another way: the first place is the fraction times 52."""
    game, key = load_game("holdem-nolimit-2p"), bytes(range(32))
    words = int.from_bytes(blake2b((2).to_bytes(8, "little"), key=key).digest(), "little")
    deals = list(islice(KeyedCards(key).hands(game), 15))
    for number in range(5):
        fraction = words >> 96 * number & (1 << 96) - 1
        assert deals[10 + number].hole[0][0] == game.deck[fraction * 52 >> 96]
    assert deals[10] != next(KeyedCards(bytes(32)).hands(game))


def test_every_hand_has_bits_to_spare():
    for name in GAMES:
        game = load_game(name)
        assert perm(len(game.deck), cards_per_hand(game)) << 40 <= 1 << 32 * words_per_hand(game)
    assert words_per_hand(load_game("holdem-nolimit-2p")) == 3


@pytest.mark.parametrize("source", SOURCES)
def test_every_card_comes_equally_often_everywhere(source):
    """A shuffle with a wrong fill-in shows up as a card that one place never or too often sees."""
    game = load_game("leduc")
    counts = np.zeros((3, 52))
    for deal in islice(source.hands(game), 12_000):
        for place, card in enumerate((deal.hole[0][0], deal.hole[1][0], deal.board[0])):
            counts[place, card] += 1
    seen = counts[:, sorted(game.deck)]
    assert seen.sum() == 36_000
    assert np.abs(seen - 2000).max() < 5 * np.sqrt(2000 * 5 / 6)


@pytest.mark.parametrize("file", LOGS)
def test_the_cards_of_real_matches(data, file):
    path = data / "acpc" / "logs" / file
    text = lzma.decompress(path.read_bytes()).decode() if path.suffix == ".xz" else path.read_text()
    lines = text.splitlines()
    *_, game_file, hands, seed = next(line for line in lines if line.startswith("# name/game/hands/seed")).split()
    states = [line.split(":") for line in lines if line.startswith("STATE:")]
    game = load_game(game_file)
    assert len(states) == int(hands)
    for (_, hand, betting, cards, *_), deal in zip(states, deal_hands(game, int(seed)), strict=False):
        assert format_deal(game, deal, betting.count("/")) == cards, f"hand {hand}"


@pytest.mark.parametrize("name", ["leduc", "holdem-limit-3p"])
@pytest.mark.parametrize("passed_over", [0, 1, 20_000])
def test_hands_can_be_passed_over(name, passed_over):
    game, words = load_game(name), mersenne_twister(7)
    deals = deal_from(words, game)
    first = next(deals)
    pass_over(words, game, passed_over)
    rest = list(islice(deal_hands(game, 7), passed_over + 3))
    assert [first, *islice(deals, 2)] == [rest[0], *rest[passed_over + 1 :]]
