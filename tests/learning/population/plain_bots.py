"""Hand strength, classes of hands and the decisions of hand-strength bots, written plainly."""

from itertools import combinations
from math import exp

import numpy as np

from kibitz.evaluator import evaluate
from kibitz.learning.population.records import ENTERS, FOLDS, LEADS
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
    """Strength and potential to get ahead, from the same sampled hands as the kernel."""
    stream, own, known = Stream(key), evaluate(hand | board), hand | board
    ahead = gained = 0.0
    for _ in range(SAMPLES):
        other = stream.hand(known, share, scores)
        now = outcome(own, evaluate(other | board))
        ahead += now
        if len(board) < 5:
            card = {stream.card(known | other)}
            after = outcome(evaluate(known | card), evaluate(other | board | card))
            gained += (1 - now) * after
    behind = SAMPLES - ahead
    return [ahead / SAMPLES, gained / behind if behind and len(board) < 5 else 0.0]


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


def habit(memory, name: int, chair: int, usual: float, adapt: float) -> float:
    done, of = memory["done"][name, chair], memory["of"][name, chair]
    return usual + adapt * of / (of + 20) * (done / max(of, 1) - usual)


def share_of(bot, memory, chairs) -> float:
    """The part of the hands that a bot takes the players of these chairs to play."""
    return float(np.mean([habit(memory, ENTERS, chair, bot["share"], bot["adapt"]) for chair in chairs]))


def chances(bot, memory, found, play, score):
    """Chances to fold (where there is a bet) and to raise of a hand-strength bot, before and after the flop."""
    seat, raises = play.seat, play.raises
    owed = play.bet - play.spent[seat]
    if play.stage == 0:
        score = score + bot["position"] * (seat / (play.players - 1) - 0.5)
        enter = bot["enter"] + bot["step"] * raises - bot["blind"] * play.spent[seat] / play.bet
        lift = logistic((score - bot["open"] - bot["raise_step"] * raises) / bot["soft"])
        return 1 - logistic((score - enter) / bot["soft"]), lift
    chairs = memory["chairs"][play.others]
    folds = np.mean([habit(memory, FOLDS, chair, 0.4, bot["adapt"]) for chair in chairs])
    leads = np.mean([habit(memory, LEADS, chair, 0.35, bot["adapt"]) for chair in chairs])
    faced = raises if owed else 0
    strength = found[0] ** len(chairs) - bot["fear"] * faced + (bot["fear"] * (leads - 0.35) if faced else 0)
    promise = strength + (1 - strength) * found[1]
    if not owed:
        lift = logistic((promise - bot["bet_at"]) / bot["soft"]) * (1 - bot["trap"])
        lift = max(lift, (bot["bluff"] + 0.5 * (folds - 0.4)) / len(chairs))
        return 0.0, max(lift, bot["draw"]) if found[1] >= 0.2 else lift
    lift = logistic((promise - bot["raise_at"] - bot["growth"] * (raises - 1)) / bot["soft"]) * (1 - bot["trap"])
    lift = max(lift, 0.3 * bot["draw"]) if found[1] >= 0.2 else lift
    price = bot["odds"] * owed / (sum(play.spent) + owed)
    return 1 - max(logistic((strength - bot["call_at"]) / bot["soft"]), logistic((promise - price) / bot["soft"])), lift


def rule_of(bot, hand: set[int], play) -> tuple[float, float]:
    """The same of a rule bot after the flop."""
    faced = min(play.raises, 3) if play.bet > play.spent[play.seat] else 0
    return tuple(bot["rules"][int(play.stage == 3), class_of(hand, play.board), faced])


def simulated(bot, memory, play, scores, key: int) -> tuple[float, float]:
    """The same of a bot that simulates: it raises, calls or folds for sure."""
    shares = {
        other: bot["respect"] ** play.raises * share_of(bot, memory, [memory["chairs"][other]]) for other in play.others
    }
    means = np.zeros(2)
    raised = play.bet + (2 if play.stage < 2 else 4)
    for trial in range(int(bot["trials"])):
        stream = Stream(scatter(key + trial * GAMMA & MASK))
        hands, used = {play.seat: play.hand}, play.hand | play.board
        for other in play.others:
            hands[other] = stream.hand(used, shares[other], scores[1])
            used = used | hands[other]
        boards = {play.stage: play.board}
        for street in range(play.stage + 1, 4):
            card = stream.card(used)
            boards[street], used = boards[street - 1] | {card}, used | {card}
        values = {street: {p: evaluate(hands[p] | board) for p in hands} for street, board in boards.items()}
        for place, level in enumerate((play.bet, raised)):
            again = Stream(stream.key)
            again.word = stream.word
            means[place] += play_out(bot, play, values, level, again)
    call, lift = means / bot["trials"]
    return float(call < -bot["loose"]), float(lift > max(call, 0) + bot["margin"] + bot["caution"] * play.raises)


def play_out(bot, play, values, level: int, stream: Stream) -> float:
    """Chips that the player to act wins by putting in all but `level`, with these values by street and position."""
    me, spent, left = play.seat, list(play.spent), sorted([play.seat, *play.others])
    for other in play.others:
        if spent[other] < level:
            behind = values[play.stage][other] < values[play.stage][me]
            if unit(stream.next()) < bot["yields"] and behind:
                left.remove(other)
            else:
                spent[other] = level
    spent[me] = level
    for street in range(play.stage + 1, 4):
        if len(left) == 1:
            break
        leader = max(left, key=lambda p: (values[street][p], -p))
        if unit(stream.next()) >= bot["leads"]:
            continue
        for p in list(left):
            if unit(stream.next()) < bot["yields"] and p != leader:
                left.remove(p)
                if p == me:
                    return play.spent[me] - spent[me]
            else:
                spent[p] += 2 if street < 2 else 4
    best = max(values[3][p] for p in left)
    winners = [p for p in left if values[3][p] == best]
    return (sum(spent) / len(winners) if me in winners else 0) - (spent[me] - play.spent[me])


class Play:
    """The betting of one deal, with the cards of those who play."""

    def __init__(self, players: int, cards) -> None:
        self.players, self.cards, self.active, self.actions = players, cards, set(range(players)), []
        self.spent, self.bet, self.stage, self.raises = [1, 2] + [0] * (players - 2), 2, 0, 0
        self.waiting = [(2 + step) % players for step in range(players)]
        self.over = False

    @property
    def seat(self) -> int:
        return self.waiting[0]

    @property
    def others(self) -> list[int]:
        return sorted(self.active - {self.seat})

    @property
    def hand(self) -> set[int]:
        return {*self.cards[2 * self.seat : 2 * self.seat + 2].tolist()}

    @property
    def board(self) -> set[int]:
        return {*self.cards[20 : 22 + self.stage].tolist()} if self.stage else set()

    @property
    def can_raise(self) -> bool:
        return self.raises < (3 if self.stage == 0 else 4) or len(self.active) == 2

    def apply(self, action: int) -> None:
        seat = self.waiting.pop(0)
        self.actions.append(action)
        if action == 0:
            self.active -= {seat}
        elif action == 1:
            self.spent[seat] = self.bet
        else:
            self.bet += 2 if self.stage < 2 else 4
            self.spent[seat], self.raises = self.bet, self.raises + 1
            order = [(seat + step) % self.players for step in range(1, self.players)]
            self.waiting = [p for p in order if p in self.active]
        if len(self.active) == 1 or (not self.waiting and self.stage == 3):
            self.over = True
        elif not self.waiting:
            self.stage, self.raises = self.stage + 1, 0
            self.waiting = sorted(self.active)
