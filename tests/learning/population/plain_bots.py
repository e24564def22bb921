"""Hand strength, classes of hands and the decisions of hand-strength bots, written plainly."""

from itertools import combinations
from math import exp

import numpy as np

from kibitz.evaluator import evaluate
from kibitz.random import mix, unit

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
SAMPLES, TRIES, SLIP = 64, 12, 0.1


class Stream:
    """Words of a stream, one after the other."""

    def __init__(self, key: int) -> None:
        self.key, self.word = key, 0

    def next(self) -> int:
        self.word += 1
        return mix(self.key + self.word * GAMMA & MASK)

    def card(self, used: set[int]) -> int:
        while True:
            card = (self.next() >> 32) * 52 >> 32
            if card not in used:
                return card

    def hand(self, used: set[int], share: float, scores: np.ndarray) -> set[int]:
        for _ in range(TRIES):
            first = self.card(used)
            second = self.card(used | {first})
            if scores[first, second] >= 1 - share or unit(self.next()) < SLIP:
                break
        return {first, second}


def scatter(word: int) -> int:
    return mix(word - GAMMA & MASK)


def outcome(mine: int, theirs: int) -> float:
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def measure(hand: set[int], board: set[int], share: float, scores: np.ndarray, key: int) -> list[float]:
    """Strength, potential to get ahead and to fall behind, from the same sampled hands as the kernel."""
    stream, own, known = Stream(key), evaluate(hand | board), hand | board
    ahead = gained = lost = 0.0
    for _ in range(SAMPLES):
        other = stream.hand(known, share, scores)
        now = outcome(own, evaluate(other | board))
        ahead += now
        if len(board) < 5:
            card = {stream.card(known | other)}
            after = outcome(evaluate(known | card), evaluate(other | board | card))
            gained += (1 - now) * after
            lost += now * (1 - after)
    behind = SAMPLES - ahead
    river = len(board) == 5
    return [
        ahead / SAMPLES,
        gained / behind if behind and not river else 0.0,
        lost / ahead if ahead and not river else 0.0,
    ]


def exact_strength(hand: set[int], board: set[int]) -> float:
    """Strength against all hands."""
    own = evaluate(hand | board)
    left = [card for card in range(52) if card not in hand | board]
    return float(np.mean([outcome(own, evaluate({*other} | board)) for other in combinations(left, 2)]))


def class_of(hand: set[int], board: set[int]) -> int:
    """The class of a hand on a board of three to five cards."""
    value, common = evaluate(hand | board), evaluate(board)
    category, shared = value >> 26, common >> 26
    ranks, high = sorted(card >> 2 for card in hand), max(card >> 2 for card in board)
    is_top = ranks[0] > high if ranks[0] == ranks[1] else high in ranks
    if category >= 3 and category > shared:
        return 5
    if category == 2 and shared < 2:
        return 4 if shared == 0 else 3 if is_top else 2
    if category == 1 and shared == 0:
        return 3 if is_top else 2
    if category >= 3 and value != common:
        return 3
    return int(len(board) < 5 and is_draw(hand, board))


def is_draw(hand: set[int], board: set[int]) -> bool:
    for suit in range(4):
        held = [card for card in hand if card & 3 == suit]
        if held and len(held) + sum(card & 3 == suit for card in board) >= 4:
            return True
    rows = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    ranks, table = {card >> 2 for card in hand | board}, {card >> 2 for card in board}
    outs = [
        new
        for new in {*range(13)} - ranks
        if any(row <= ranks | {new} for row in rows) and not any(row <= table | {new} for row in rows)
    ]
    return len(outs) >= 2


def logistic(value: float) -> float:
    return 1 / (1 + exp(-min(max(value, -40), 40)))


def habit(seen: int, of: int, usual: float, adapt: float) -> float:
    return usual + adapt * of / (of + 20) * (seen / max(of, 1) - usual)


def chances(bot, memory, found, spent, seat, stage, players, bet, raises, active, score):
    """Chances to fold (where there is a bet) and to raise of a hand-strength bot, before and after the flop."""
    owed = bet - spent[seat]
    if stage == 0:
        score = score + bot["position"] * (seat / (players - 1) - 0.5)
        enter = bot["enter"] + bot["step"] * raises - bot["blind"] * spent[seat] / bet
        lift = logistic((score - bot["open"] - bot["raise_step"] * raises) / bot["soft"])
        return 1 - logistic((score - enter) / bot["soft"]), lift
    others = [p for p in range(players) if p != seat and active >> p & 1]
    chairs = [memory["chairs"][p] for p in others]
    folds = np.mean([habit(memory["folded"][c], memory["faced"][c], 0.4, bot["adapt"]) for c in chairs])
    leads = np.mean([habit(memory["led"][c], memory["free"][c], 0.35, bot["adapt"]) for c in chairs])
    faced = raises if owed else 0
    strength = found[0] ** len(others) - bot["fear"] * faced + (bot["fear"] * (leads - 0.35) if faced else 0)
    promise = strength + (1 - strength) * found[1]
    if not owed:
        lift = logistic((promise - bot["bet_at"]) / bot["soft"]) * (1 - bot["trap"])
        lift = max(lift, (bot["bluff"] + 0.5 * (folds - 0.4)) / len(others))
        return 0.0, max(lift, bot["draw"]) if found[1] >= 0.2 else lift
    lift = logistic((promise - bot["raise_at"] - bot["growth"] * (raises - 1)) / bot["soft"]) * (1 - bot["trap"])
    lift = max(lift, 0.3 * bot["draw"]) if found[1] >= 0.2 else lift
    price = bot["odds"] * owed / (sum(spent[:players]) + owed)
    return 1 - max(logistic((strength - bot["call_at"]) / bot["soft"]), logistic((promise - price) / bot["soft"])), lift
