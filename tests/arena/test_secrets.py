"""What an agent is given tells it nothing of the other cards: an attack that has beaten a match finds nothing."""

from itertools import islice, product

import pytest
from tests.random.test_random import unmix

from kibitz.arena.chance import ACPC, KEYED, Chance
from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.arena.hosted import Hosting
from kibitz.errors import KibitzError
from kibitz.games import AcpcCards, KeyedCards, load_game
from kibitz.random import derive_seed, draw_seed, is_secret, secret, secret_seed

GAME = load_game("holdem-limit-2p")
SECRET = 0xF0E1D2C3B4A5968778695A4B3C2D1E0F
MATCH, HANDS = 3, 2


class Guest:
    """Notes all that it is given in every match: its seed, and the cards that it sees."""

    name = "guest"
    given: list

    def reset(self, game, seed):
        self.seen = []
        self.given.append((seed, self.seen))

    def act(self, state):
        return "c"

    def observe(self, state, position):
        self.seen.append((position, state.hole[position], state.board))


def attack(seed, seen, tried=1 << 8):
    """The seeds of a match that would explain what was seen, among all that the guest can think of."""
    places = product((0, MATCH), range(2), range(2))
    inverted = {unmix(unmix(unmix(unmix(seed) ^ seat) ^ seating) ^ match) for match, seating, seat in places}
    candidates = {seed, *inverted, *(unmix(unmix(seed) ^ seat) for seat in range(2))}
    found = set()
    for candidate in (*candidates, *range(tried)):
        keys = [secret(candidate, purpose, match) for purpose in ("cards", "seat") for match in (0, MATCH)]
        sources = [AcpcCards((candidate + MATCH) % 2**32), *map(KeyedCards, (*keys, candidate.to_bytes(32, "little")))]
        if any(explains(source, seen) for source in sources):
            found.add(candidate)
    return found


def explains(source, seen):
    deals = zip(islice(source.hands(GAME), len(seen)), seen, strict=True)
    return all(deal.hole[position] == hole and deal.board == board for deal, (position, hole, board) in deals)


def given(seed, cards):
    """What a guest is given in both seatings of a match."""
    Guest.given = []
    play_duplicate(DuplicateMatch(GAME, (Guest, "always-call"), HANDS, seed, MATCH, cards=cards))
    return Guest.given


def test_the_attack_finds_the_seed_of_the_acpc_dealers_cards_and_small_ones():
    assert all(77 in attack(*each) for each in given(77, ACPC))
    large = 3_000_000_019  # is not tried: the guest's own seed tells it
    assert any(large in attack(*each) for each in given(large, ACPC))
    assert all(attack(*each) == {77} for each in given(77, KEYED))


def test_it_finds_nothing_of_keyed_cards():
    for each in given(SECRET, KEYED):
        assert len(each[1]) == HANDS
        assert attack(*each, tried=1 << 12) == set()


def test_no_seed_that_can_be_found_by_trying_is_played_with_isolated_agents():
    for number in (0, 2**32 - 1, 2**64, 2**124 - 1):
        with pytest.raises(KibitzError, match="by trying") as error:
            DuplicateMatch(GAME, ("mine.py:Agent", "random"), 1, number, hosting=Hosting(isolate=True))
        assert error.value.settings == ("seed", "cards")
    for text in ("mine.py:Agent", "switch:random@3@mine.py:Agent", "meta:random@always-call@mine.py:Agent"):
        assert Hosting(isolate=True).isolates(text)
        with pytest.raises(KibitzError, match="by trying"):
            DuplicateMatch(GAME, (text, "random"), 1, 0, hosting=Hosting(time_limit=1.0))
    for seed, cards in ((SECRET, KEYED), (draw_seed(), KEYED), (5, ACPC)):
        DuplicateMatch(GAME, ("mine.py:Agent", "random"), 1, seed, hosting=Hosting(isolate=True), cards=cards)
    DuplicateMatch(GAME, ("random", "random"), 1, 0, hosting=Hosting(isolate=True))  # nobody is isolated


def test_drawn_seeds_are_secret():
    drawn = {draw_seed() for _ in range(200)}
    assert len(drawn) == 200
    assert all(is_secret(seed) and seed < 2**128 for seed in drawn)


def test_what_comes_from_a_seed_differs_by_purpose_and_place():
    places = [(purpose, *path) for purpose in ("cards", "seat", "order") for path in [(), (0,), (1,), (0, 0), (256,)]]
    assert len({secret(SECRET, *place) for place in places}) == len(places)
    assert secret(5, "cards") != secret(5 << 8, "cards") != secret(5 << 800, "cards")
    assert secret_seed(SECRET, "seat", 1) != derive_seed(SECRET, 1)


@pytest.mark.parametrize(
    ("seed", "kind", "message"), [(-1, KEYED, "at least 0"), (2**32, ACPC, "0 to"), (0, "dealt", "one of")]
)
def test_there_is_no_such_chance(seed, kind, message):
    with pytest.raises(KibitzError, match=message):
        Chance(seed, kind)
