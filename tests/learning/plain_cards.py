"""Card features in plain Python, from their definitions: ranks 2 to 14, sets of ranks, all hands enumerated.

Every function returns the features that are on, by name, scaled: flags 1, ranks (rank - 1) / 13, counts / 4, counts of
rank pairs / 16, places among cards, the highest first, / 3.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

RANKS = range(2, 15)
WINDOWS = [{14, 2, 3, 4, 5}, *({*range(top - 4, top + 1)} for top in range(6, 15))]
PAIRS = [frozenset(pair) for pair in combinations(RANKS, 2)]


class Found(dict):
    """Features by name; what is 0 is off."""

    def __init__(self, prefix=""):
        super().__init__()
        self.prefix = prefix

    def put(self, value, name):
        if value:
            self[self.prefix + name] = value

    def flag(self, name, on=True):
        self.put(float(bool(on)), name)

    def rank(self, name, rank):
        self.put((rank - 1) / 13, name)

    def count(self, name, number):
        self.put(number / 4, name)

    def many(self, name, number):
        self.put(number / 16, name)

    def which(self, name, rank, cards):
        self.put((sorted(cards, reverse=True).index(rank) + 1) / 3, name)


def rank_of(card):
    return int(card) // 4 + 2


def suit_of(card):
    return int(card) % 4


def times(cards):
    """Ranks by how often they come, each list with the highest first: {1: [...], 2: [...], 3: [...], 4: [...]}."""
    counts = Counter(map(rank_of, cards))
    return {n: sorted((rank for rank, count in counts.items() if count == n), reverse=True) for n in range(1, 5)}


def over(ranks, rank):
    return sum(each > rank for each in ranks)


def under(ranks, rank):
    return sum(each < rank for each in ranks)


# Straights


def missing(window, board):
    return len(window - board)


def gaps(board, count, above=-1):
    """The straights above number `above` that lack so many ranks on a board."""
    return sum(missing(window, board) == count for number, window in enumerate(WINDOWS) if number > above)


def straight_of(ranks):
    """The number of the best straight in a set of ranks, or None."""
    return max((number for number, window in enumerate(WINDOWS) if window <= ranks), default=None)


def completing(pair, board):
    """Ranks that complete a straight which uses both ranks of a pair."""
    return all_completing(frozenset(board))[pair]


@cache
def all_completing(board):
    """The same of every pair."""
    lacking = [window - board for window in WINDOWS if missing(window, board) == 3]
    return {pair: {q for three in lacking if pair < three for q in three - pair} for pair in PAIRS}


def state(pair, board):
    """S, D, G or N: a straight with both, two or more ranks to one, one rank to one, or nothing."""
    if any(window - board == pair for window in WINDOWS):
        return "S"
    return "NGD"[min(len(completing(pair, board)), 2)]


def states(board):
    return all_states(frozenset(board))


@cache
def all_states(board):
    return {pair: state(pair, board) for pair in PAIRS}


def one_card_draws(held, board):
    """Ranks that complete a straight of three board ranks and one of the hole cards."""
    lacking = [window - board for window in WINDOWS if missing(window, board) == 2]
    return {q for two in lacking for q in two - held if len(two & held) == 1}


def two_card_draws(held, board):
    return completing(frozenset(held), board) if len(held) == 2 else set()


def put_vulnerability(found, held, board, wanted):
    one = two = 0
    for q in wanted:
        mine = straight_of(board | {q} | held)
        one += gaps(board | {q}, 1, mine)
        two += gaps(board | {q}, 2, mine)
    found.many("higher 1gaps if completed", one)
    found.many("higher 2gaps if completed", two)


def sharing_one(held, board, wanted):
    """Other single ranks that draw to one of `wanted` with three board ranks."""
    return sum(bool(one_card_draws({x}, board) & wanted) for x in set(RANKS) - held)


def sharing(held, board, wanted):
    """Other pairs of ranks that draw to one of `wanted`."""
    return [pair for pair in PAIRS if pair != held and completing(pair, board) & wanted]


def put_flop_straights(found, held, board):
    made, now = straight_of(board | held), states(board)
    if made is not None:
        found.flag("straight")
        found.count("higher straights", gaps(board, 2, made))
        put_vulnerability(found, held, board, RANKS)
        return
    one, two = one_card_draws(held, board), two_card_draws(held, board)
    found.flag("1gap draw", one)
    found.flag("single draw", len(two) == 1)
    found.flag("double draw", len(two) > 1)
    if mine := one | two:
        put_vulnerability(found, held, board, mine)
        kinds = Counter(now[pair] for pair in sharing(held, board, mine))
        found.count("shared with 1gap draw", sharing_one(held, board, mine))
        found.many("shared with single draw", kinds["G"])
        found.many("shared with double draw", kinds["D"])
    else:
        kinds = Counter(now[pair] for pair in PAIRS if completing(pair, board) & held)
        found.many("single draws if I pair", kinds["G"])
        found.many("double draws if I pair", kinds["D"])
    doors = [
        (number, window - board - held)
        for number, window in enumerate(WINDOWS)
        if len(held) == 2 and held <= window - board and missing(window, board) == 4
    ]
    if doors:
        needed = set().union(*(lacking for _, lacking in doors))
        kinds = Counter(now[pair] for pair in sharing(held, board, needed))
        found.count("back-door straight draws", len(doors))
        found.many(
            "higher if they connect",
            sum(gaps(board | lacking, short, number) for number, lacking in doors for short in (1, 2)),
        )
        found.count("back door shared with 1gap", sharing_one(held, board, needed))
        found.many("back door shared with single", kinds["G"])
        found.many("back door shared with double", kinds["D"])


def put_turn_straights(found, held, flop, board, complete):
    made, before, now = straight_of(board | held), states(flop), states(board)
    one, two = one_card_draws(held, board), two_card_draws(held, board)
    if made is not None:
        put_vulnerability(found, held, board, RANKS)
        if complete:
            found.flag("1gap straight", missing(WINDOWS[made], board) == 1)
            found.flag("2gap straight", missing(WINDOWS[made], board) == 2)
            found.count("higher straights", gaps(board, 1, made) + gaps(board, 2, made))
        return
    found.flag("single draw", len(two) == 1)
    found.flag("double draw", len(two) > 1)
    found.flag("1gap draw", complete and one)
    if mine := one | two:
        put_vulnerability(found, held, board, mine)
        kinds = Counter(before[pair] + now[pair] for pair in sharing(held, board, mine))
        found.count("shared with 1gap draw", sharing_one(held, board, mine))
        for history, name in (
            ("GG", "flop single draw"), ("NG", "new single draw"), ("DD", "flop double draw"),
            ("GD", "double draw that was single"), ("ND", "new double draw"),
        ):  # fmt: skip
            found.many(f"shared with {name}", kinds[history])


def put_river_straights(found, held, board, complete):
    made = straight_of(board | held)
    if made is None or not missing(WINDOWS[made], board):
        return
    short = missing(WINDOWS[made], board)
    found.flag(f"{short}gap straight")
    if short == 2:
        found.count("higher 1gap straights", gaps(board, 1, made))
    if complete:
        found.count("higher 2gap straights", gaps(board, 2, made))


# Full houses


def full_house(cards_by_rank):
    """The best full house, (three, pair), of a count of ranks; None where there are four equal or no full house."""
    if max(cards_by_rank.values()) > 3:
        return None
    houses = [
        (three, pair)
        for three, many in cards_by_rank.items()
        if many == 3
        for pair, others in cards_by_rank.items()
        if others >= 2 and pair != three
    ]
    return max(houses, default=None)


def higher_full_houses(board, mine):
    """How many different full houses above `mine` two hole cards could make."""
    counts = Counter(map(rank_of, board))
    houses = set()
    for hole in [*combinations(RANKS, 2), *((rank, rank) for rank in RANKS)]:
        both = counts + Counter(hole)
        if max(both.values()) <= 3 and (house := full_house(both)):
            houses.add(house)
    return sum(house > mine for house in houses)


# Private features


def hand_features(hole, board, complete):
    """The private features of the stage that a board belongs to."""
    put = {0: preflop_hand, 3: flop_hand, 4: turn_hand, 5: river_hand}[len(board)]
    return put(hole, list(map(int, board)), complete)


def high_low(hole):
    return sorted(map(rank_of, hole), reverse=True)


def preflop_hand(hole, board, complete):
    found, (high, low) = Found(), high_low(hole)
    if high == low:
        found.flag("pocket pair")
        found.rank("rank of pair", high)
    else:
        found.rank("high rank", high)
        found.rank("low rank", low)
        found.flag("suited", suit_of(hole[0]) == suit_of(hole[1]))
        found.count("straights with both", sum({high, low} <= window for window in WINDOWS))
    return found


def suited(cards, suit):
    return [rank_of(card) for card in cards if suit_of(card) == suit]


def put_suit(found, name, higher_name, hole, board, suit):
    """A flush or a draw, and the ranks of the suit that are above one's own and not on the board."""
    found.flag(name)
    best = max(suited(hole, suit))
    found.count(higher_name, len({*range(best + 1, 15)} - {*suited(board, suit)}))


def flop_hand(hole, board, complete):
    high, low = high_low(hole)
    ranks, by = {*map(rank_of, board)}, times(board)
    pocket = high == low
    if by[3]:
        found = Found("trips flop: ")
        if by[3][0] in (high, low):
            found.flag("quads")
        elif pocket:
            found.flag("pocket pair")
            found.rank("rank of pair", high)
        else:
            found.rank("high rank", high)
            found.rank("low rank", low)
    elif by[2]:
        found = Found("pair flop: ")
        put_pair_flop(found, high, low, by[2][0], by[1][0], complete)
    else:
        found = Found("no-pair flop: ")
        put_no_pair(found, high, low, ranks, 1)
    found.prefix = ""
    spread = max(Counter(map(suit_of, board)).values())
    for suit in {*map(suit_of, hole)}:
        mine, there = len(suited(hole, suit)), len(suited(board, suit))
        told = {
            (3, 3, 2): ("one suit: flush", "one suit: higher ranks"),
            (3, 3, 1): ("one suit: draw with one card", "one suit: higher ranks of draw"),
            (2, 2, 2): ("two of a suit: flush draw", "two of a suit: higher ranks"),
            (2, 2, 1): ("two of a suit: back door with one card", "two of a suit: higher ranks of it"),
            (2, 1, 2): ("two of a suit: back door with two cards", "two of a suit: higher ranks of those"),
            (1, 1, 2): ("three suits: back-door flush draw", "three suits: higher ranks"),
        }.get((spread, there, mine))
        if told:
            put_suit(found, *told, hole, board, suit)
    put_flop_straights(found, {high, low}, ranks)
    return found


def put_pair_flop(found, high, low, pair, kicker, complete):
    if high == low == pair:
        found.flag("quads")
    elif high == low == kicker:
        found.flag("full house, pocket pair")
    elif {high, low} == {pair, kicker}:
        found.flag("full house, unpaired")
    elif pair in (high, low):
        side = low if high == pair else high
        found.flag("trips")
        found.flag("kicker above pair", side > pair)
        found.flag("kicker above board kicker", side > kicker)
        if complete:
            found.rank("rank of trips kicker", side)
    elif high == low:
        found.flag("pocket pair")
        found.rank("rank of pocket pair", high)
        found.flag("pocket pair above pair", high > pair)
        found.flag("pocket pair above kicker", high > kicker)
    elif kicker in (high, low):
        side = low if high == kicker else high
        found.flag("paired kicker")
        found.rank("rank of side card", side)
        found.flag("side card above pair", side > pair)
        found.flag("side card above kicker", side > kicker)
    else:
        found.rank("high rank", high)
        found.rank("low rank", low)
        found.count("hole cards above pair", over((high, low), pair))
        found.count("hole cards above kicker", over((high, low), kicker))


def put_no_pair(found, high, low, ranks, stage):
    """Ranks on a board without a pair."""
    if high == low and high in ranks:
        found.flag("set")
        found.rank("rank of set", high)
        if stage == 3:
            found.count("board cards above set", over(ranks, high))
        else:
            found.which({1: "flop card matched", 2: "board card matched"}[stage], high, ranks)
    elif {high, low} <= ranks:
        found.flag("two pair")
        found.rank("higher rank", high)
        found.rank("lower rank", low)
        if stage == 1:
            (out,) = ranks - {high, low}
            found.which("flop card missing", out, ranks)
        else:
            found.count("board cards below higher", under(ranks, high))
            found.count("board cards below lower", under(ranks, low))
    elif high == low:
        found.flag("pocket pair")
        found.rank("rank of pocket pair", high)
        found.count("board cards above", over(ranks, high))
    elif {high, low} & ranks:
        matched, side = (high, low) if high in ranks else (low, high)
        found.flag("pair")
        found.rank("rank of matched card", matched)
        found.count("board cards above it", over(ranks, matched))
        found.rank("rank of kicker", side)
        found.count("board cards above kicker", over(ranks, side))
    else:
        found.flag("no pair")
        for name, rank in (("high", high), ("low", low)):
            found.rank(f"{name} rank", rank)
            found.count(f"board cards above {name}", over(ranks, rank))


def turn_hand(hole, board, complete):
    high, low = high_low(hole)
    ranks, by = {*map(rank_of, board)}, times(board)
    if by[4]:
        found = Found("quads board: ")
        found.rank("high rank", high)
    elif by[3]:
        found = Found("trips board: ")
        put_turn_trips(found, high, low, by[3][0], by[1][0])
    elif len(by[2]) == 2:
        found = Found("two-pair board: ")
        put_turn_two_pair(found, high, low, by[2])
    elif by[2]:
        found = Found("pair board: ")
        put_pair_board(found, high, low, by[2][0], by[1], complete)
        if not {high, low} & ranks and high != low:
            found.count("hole cards above kickers", sum(over((high, low), kicker) for kicker in by[1]))
    else:
        found = Found("no-pair board: ")
        put_no_pair(found, high, low, ranks, 2)
    found.prefix = ""
    spread = sorted(Counter(map(suit_of, board)).values(), reverse=True)
    for suit in {*map(suit_of, hole)}:
        mine, there = len(suited(hole, suit)), len(suited(board, suit))
        if there == 4:
            put_suit(found, "four of a suit: flush", "four of a suit: higher ranks", hole, board, suit)
        elif there == 3 and mine == 2:
            put_suit(found, "three of a suit: flush", "three of a suit: higher ranks", hole, board, suit)
        elif there == 3:
            put_suit(
                found, "three of a suit: draw with one card", "three of a suit: higher ranks of draw", hole, board, suit
            )
        elif there == 2 and mine == 2 and spread == [2, 2]:
            front = len(suited(board[:3], suit)) == 2
            name, higher = ("front-door draw", "higher ranks") if front else ("back-door draw", "higher ranks of it")
            put_suit(
                found, f"two and two of a suit: {name}", f"two and two of a suit: {higher}", hole, board, suit
            )  # fmt: skip
        elif there == 2 and mine == 2:
            put_suit(found, "two of a suit: flush draw", "two of a suit: higher ranks", hole, board, suit)
    put_turn_straights(found, {high, low}, {*map(rank_of, board[:3])}, ranks, complete)
    return found


def put_turn_trips(found, high, low, trips, kicker):
    if trips in (high, low):
        found.flag("quads")
    elif high == low:
        found.flag("pocket pair")
        found.flag("higher full house", high == kicker > trips)
        found.rank("rank of pocket pair", high)
    elif kicker in (high, low):
        side = low if high == kicker else high
        found.flag("full house")
        found.flag("hand kicker above board kicker", side > kicker)
        found.rank("rank of hand kicker", side)
    else:
        found.rank("high rank", high)
        found.rank("low rank", low)
        found.count("hole cards above kicker", over((high, low), kicker))


def put_turn_two_pair(found, high, low, pairs):
    if high == low and high in pairs:
        found.flag("quads")
        found.count("higher quads", over(pairs, high))
    elif {high, low} & {*pairs}:
        found.flag("full house")
        found.count("higher full houses", over(pairs, max({high, low} & {*pairs})))
    elif high == low and high > pairs[1]:
        found.flag("pocket pair in play")
        found.rank("rank of pocket pair", high)
        found.count("board pairs below", under(pairs, high))
    elif high == low:
        found.flag("pocket pair out of play")
    else:
        found.rank("high rank", high)
        found.count("board pairs below high", under(pairs, high))
        found.count("board pairs below low", under(pairs, low))


def put_pair_board(found, high, low, pair, kickers, complete):
    """Ranks on a turn or river with one pair, as far as both stages agree."""
    pocket, matched = high == low, {high, low} & {*kickers}
    if pocket and high == pair:
        found.flag("quads")
    elif (pocket and matched) or (pair in (high, low) and matched):
        (kicker,) = matched
        mine = (kicker, pair) if pocket else (pair, kicker)
        found.flag("full house, pocket pair" if pocket else "full house, unpaired")
        found.count("higher full houses, pocket pair", sum((each, pair) > mine for each in kickers))
        found.count("higher full houses, unpaired", sum((pair, each) > mine for each in kickers))
    elif pair in (high, low):
        side = low if high == pair else high
        found.flag("trips")
        found.flag("kicker above pair", side > pair)
        found.count("board kickers below", under(kickers, side))
        if complete:
            found.rank("rank of trips kicker", side)
    elif pocket:
        found.flag("pocket pair")
        found.rank("rank of pocket pair", high)
        found.flag("pocket pair above pair", high > pair)
        found.count("kickers below pocket pair", under(kickers, high))
    elif matched:
        best = max(matched)
        side = low if best == high else high
        found.flag("paired kicker")
        found.flag("board pair below", pair < best)
        found.count("kickers below it", under(kickers, best))
        found.rank("rank of side card", side)
        found.flag("side card above pair", side > pair)
        found.count("kickers below side card", under(kickers, side))
    else:
        found.rank("high rank", high)
        found.rank("low rank", low)
        found.count("hole cards above pair", over((high, low), pair))


def river_hand(hole, board, complete):
    high, low = high_low(hole)
    ranks, by = {*map(rank_of, board)}, times(board)
    if by[4]:
        found = Found("quads board: ")
        found.rank("highest kicker", max(high, by[1][0]))
    elif by[3] and by[2]:
        found = Found("full-house board: ")
        put_full_house_board(found, hole, board, complete)
    elif by[3]:
        found = Found("trips board: ")
        if by[3][0] in (high, low):
            found.flag("quads")
        elif mine := full_house(Counter(map(rank_of, [*hole, *board]))):
            found.flag("full house")
            found.count("higher full houses", higher_full_houses(board, mine))
        else:
            found.rank("high rank", high)
            found.rank("low rank", low)
    elif len(by[2]) == 2:
        found = Found("two-pair board: ")
        put_river_two_pair(found, hole, board, complete)
    elif by[2]:
        found = Found("pair board: ")
        put_pair_board(found, high, low, by[2][0], by[1], complete)
        if not {high, low} & ranks and high != low:
            found.count("board cards below high", under(ranks, high))
            found.count("board cards below low", under(ranks, low))
    else:
        found = Found("no-pair board: ")
        put_no_pair(found, high, low, ranks, 3)
    found.prefix = ""
    for suit in {*map(suit_of, hole)}:
        mine, there = suited(hole, suit), suited(board, suit)
        if len(there) == 5 and max(mine) > min(there):
            put_suit(found, "flush board: hole card in play", "flush board: higher ranks", hole, board, suit)
        elif len(there) == 4:
            put_suit(found, "four of a suit: flush", "four of a suit: higher ranks", hole, board, suit)
        elif len(there) == 3 and len(mine) == 2:
            put_suit(found, "three of a suit: flush", "three of a suit: higher ranks", hole, board, suit)
    put_river_straights(found, {high, low}, ranks, complete)
    return found


def put_full_house_board(found, hole, board, complete):
    theirs, mine = Counter(map(rank_of, board)), Counter(map(rank_of, [*hole, *board]))
    (trips,), (pair,) = times(board)[3], times(board)[2]
    four = [rank for rank, count in mine.items() if count == 4]
    if four:
        found.flag("quads")
        found.count("higher quads", over((trips, pair), max(four)))
    elif (house := full_house(mine)) > full_house(theirs):
        found.flag("higher full house")
        if complete:
            found.rank("rank of higher full house", house[0] if house[0] != trips else house[1])


def put_river_two_pair(found, hole, board, complete):
    (high, low), pairs, (kicker,) = high_low(hole), times(board)[2], times(board)[1]
    mine = Counter(map(rank_of, [*hole, *board]))
    if high == low and high in pairs:
        found.flag("quads")
        found.count("higher quads", over(pairs, high))
    elif house := full_house(mine):
        found.flag("full house")
        found.count("higher full houses", higher_full_houses(board, house))
    elif high == low and high > pairs[1]:
        found.flag("pocket pair in play")
        found.rank("rank of pocket pair", high)
        found.flag("pocket pair above kicker", high > kicker)
    elif kicker in (high, low) and kicker > pairs[1]:
        found.flag("paired kicker")
        side = low if high == kicker else high
        found.rank("high rank", side if complete else high)
    else:
        found.rank("high rank", high)


# Public features


def board_features(board, complete):
    """The public features of the stage that a board belongs to."""
    put = {3: flop_board, 4: turn_board, 5: river_board}[len(board)]
    return put(list(map(int, board)), complete)


def flop_board(board, complete):
    found, by, ranks = Found(), times(board), {*map(rank_of, board)}
    if by[3]:
        found.flag("trips flop")
        found.rank("rank of trips", by[3][0])
    elif by[2]:
        found.flag("pair flop")
        found.rank("rank of pair", by[2][0])
        found.rank("rank of kicker", by[1][0])
        found.flag("pair above kicker", by[2] > by[1])
    else:
        found.flag("no-pair flop")
        for name, rank in zip(("highest", "middle", "lowest"), by[1], strict=True):
            found.rank(f"{name} rank", rank)
    found.flag({1: "one suit", 2: "two of a suit", 3: "three suits"}[len({*map(suit_of, board)})])
    kinds = Counter(states(ranks).values())
    found.count("2gaps", gaps(ranks, 2))
    found.many("single draws possible", kinds["G"])
    found.many("double draws possible", kinds["D"])
    return found


def turn_board(board, complete):
    found, flop, turn = Found(), times(board[:3]), rank_of(board[3])
    ranks = {*map(rank_of, board[:3])}
    if flop[3] == [turn]:
        found.flag("quads board")
    elif flop[3]:
        found.rank("rank of kicker", turn)
        found.flag("kicker above trips", turn > flop[3][0])
    elif flop[2] == [turn]:
        found.flag("turn matches flop pair")
    elif flop[2] and flop[1] == [turn]:
        found.flag("turn makes two pair")
    elif flop[2]:
        found.rank("rank of turn beside a pair", turn)
        found.flag("turn above pair", turn > flop[2][0])
        found.flag("turn above kicker", turn > flop[1][0])
    elif turn in ranks:
        found.flag("turn matches flop card")
        found.which("flop card matched", turn, ranks)
    else:
        found.rank("rank of turn", turn)
        found.count("flop cards below turn", under(ranks, turn))
    suits = Counter(map(suit_of, board[:3]))
    found.flag(
        {
            (3, 3): "fourth of the suit", (3, 0): "other suit after one suit", (2, 2): "third of the suit",
            (2, 1): "matches single suit", (2, 0): "other suit after two of a suit",
            (1, 1): "matches one of three suits", (1, 0): "fourth suit",
        }[max(suits.values()), suits[suit_of(board[3])]]
    )  # fmt: skip
    before, now = states(ranks), states(ranks | {turn})
    kinds = Counter(before[pair] + now[pair] for pair in PAIRS)
    found.count("1gaps", gaps(ranks | {turn}, 1))
    for history, name in (
        ("GS", "single draws completed"), ("DS", "double draws completed"), ("NG", "new single draws"),
        ("ND", "new double draws"), ("GD", "double draws that were single"),
    ):  # fmt: skip
        found.many(name, kinds[history])
    return found


def river_board(board, complete):
    found, by, river = Found(), times(board[:4]), rank_of(board[4])
    flop, turn = {*map(rank_of, board[:3])}, rank_of(board[3])
    ranks = flop | {turn}
    if by[4]:
        found.rank("rank of river beside quads", river)
    elif by[3] == [river]:
        found.flag("river matches trips")
    elif by[3] and by[1] == [river]:
        found.flag("river matches kicker of trips")
    elif by[3]:
        found.rank("rank of river beside trips", river)
        found.flag("river above trips", river > by[3][0])
        found.flag("river above kicker", river > by[1][0])
    elif len(by[2]) == 2 and river in by[2]:
        found.flag("river matches one of two pair")
        found.flag("higher pair matched", river == by[2][0])
    elif len(by[2]) == 2:
        found.rank("rank of river beside two pair", river)
    elif by[2] == [river]:
        found.flag("river matches pair")
    elif by[2] and river == turn:
        found.flag("second pair from the turn")
    elif by[2] and river in by[1]:
        found.flag("second pair from the flop")
    elif by[2]:
        found.rank("rank of river beside a pair", river)
        found.flag("pair above river", by[2][0] > river)
        found.count("kickers below river", under(by[1], river))
    elif river in flop:
        found.flag("river pairs flop card")
        found.which("flop card paired", river, flop)
    elif river == turn:
        found.flag("river pairs turn card")
    else:
        found.rank("rank of river", river)
        found.count("board cards above river", over(ranks, river))
    put_river_suits(found, board)
    put_river_histories(found, flop, ranks, river)
    if complete:
        found.count("1gaps", gaps(ranks | {river}, 1))
        found.count("2gaps", gaps(ranks | {river}, 2))
    return found


def put_river_suits(found, board):
    suit = suit_of(board[4])
    count = len(suited(board, suit))
    if count == 5:
        found.flag("flush board")
        found.rank("lowest rank of flush", min(map(rank_of, board)))
    elif count == 4:
        found.flag("river makes four of a suit")
    elif count == 3:
        two_draws = sorted(Counter(map(suit_of, board[:4])).values()) == [2, 2]
        front = len(suited(board[:3], suit)) == 2
        name = "front-door flush connects" if front else "back-door flush connects"
        found.flag(name if two_draws else "river makes three of a suit")


def put_river_histories(found, flop, ranks, river):
    found.flag("straight board", straight_of(ranks | {river}) is not None)
    first, then = states(flop), states(ranks)
    ready = Counter(first[pair] + then[pair] for pair in PAIRS if then[pair] == "S" and river in pair)
    done = Counter(first[pair] + then[pair] for pair in PAIRS if river in completing(pair, ranks))
    found.many("1gaps from single draws", ready["GS"])
    found.many("1gaps from double draws", ready["DS"])
    for history, name in (
        ("GG", "single draws"), ("DD", "double draws"), ("NG", "new single draws"), ("ND", "new double draws"),
        ("GD", "double draws that were single"),
    ):  # fmt: skip
        found.many(f"{name} completed", done[history])


def short_features(board):
    """The thirty public features of the river that the action function sees."""
    found, by, ranks = Found(), times(board), {*map(rank_of, board)}
    if by[4]:
        found.flag("quads board")
        found.rank("rank of kicker", by[1][0])
    elif by[3] and by[2]:
        found.flag("full-house board")
        found.flag("trips above pair", by[3] > by[2])
    elif by[3]:
        names = ("rank of trips", "higher kicker", "lower kicker")
        put_ranks(found, "trips board", names, by[3] + by[1])
    elif len(by[2]) == 2:
        put_ranks(found, "two-pair board", ("higher pair", "lower pair", "kicker of two pair"), by[2] + by[1])
    elif by[2]:
        names = ("rank of pair", "first kicker", "second kicker", "third kicker")
        put_ranks(found, "pair board", names, by[2] + by[1])
    else:
        names = [f"{place} rank" for place in ("first", "second", "third", "fourth", "fifth")]
        put_ranks(found, "no-pair board", names, by[1])
    most = max(Counter(map(suit_of, board)).values())
    found.flag("four of a suit", most == 4)
    found.flag("three of a suit", most == 3)
    if most == 5:
        found.flag("flush board")
        found.rank("lowest rank of flush", min(ranks))
    found.flag("straight board", straight_of(ranks) is not None)
    found.count("1gaps", gaps(ranks, 1))
    found.count("2gaps", gaps(ranks, 2))
    return found


def put_ranks(found, board, names, ranks):
    found.flag(board)
    for name, rank in zip(names, ranks, strict=True):
        found.rank(name, rank)
