"""Player types: the joint filter and the exp-product shortcut against plain formulas, and model files."""

import json
import shutil

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning import Model, ModelError, Structure, TableRules, save_model
from kibitz.learning.desk import Desk
from kibitz.learning.player_types import KINDS_SIZE, TypedModel, load_opponents, load_typed, save_typed
from learning.player_types.plain_types import PlainTyped


def make_typed(count, seed=0, public_observer=False):
    """A model that plays anything, with weights large enough to tell types and cards apart."""
    base = Model.random(Structure(public_observer=public_observer), seed, 0.4)
    noise = np.random.default_rng(seed)
    base.weights.initial[:] = noise.dirichlet(np.full(8, 4.0))
    base.weights.costs[:] = noise.uniform(0.2, 1.0, 4)
    base.weights.values[:] *= 2
    made = TypedModel.random(base, count, seed, 1.0)
    made.weights.opponents[:, :count] = noise.normal(0, 0.4, (4, count, 8))
    made.weights.initial[:count] = noise.dirichlet(np.full(count, 3.0))
    return made


class Table:
    """One match of simulated deals; nobody learns."""

    def __init__(self, model, players, rules=None):
        self.model, self.players, self.rules = model, players, rules or TableRules()
        self.desk = Desk(model.base, self.rules.table, match=model.begin_match())
        self.match, self.filters = self.desk.match.memory, self.desk.match.filters
        self.match["drawn"][0] = np.arange(10) % model.count
        self.work, self.kept = self.desk.memory.view(np.recarray)[0], self.match.view(np.recarray)[0]

    def sit(self, number):
        """Deal `number` is dealt."""
        cards = np.random.default_rng(number).permutation(52)
        held = np.zeros(25, dtype=np.uint8)
        held[: 2 * self.players], held[20:] = cards[: 2 * self.players], cards[-5:]
        self.desk.seat(self.players, held)
        self.match["player"][0, : self.players] = (np.arange(self.players) + number) % self.players

    def deal(self, number, forced=()):
        """Play it; the number of decisions."""
        self.sit(number)
        return self.desk.play(number, forced)

    @property
    def holes(self):
        return self.work.cards[: 2 * self.players].reshape(-1, 2).tolist()

    @property
    def board(self):
        return self.work.cards[20:].tolist()


@pytest.mark.parametrize(("count", "public"), [(1, False), (3, True), (8, False), (16, False)])
def test_a_match_follows_the_plain_formulas(count, public):
    """Probabilities, joint beliefs, corrections after showdowns, and what is carried, over several deals."""
    table = Table(make_typed(count, 3, public), 4)
    carried = np.tile(table.model.weights.initial[:count], (4, 1))
    shown_once = 0
    for number in range(6):
        decisions = table.deal(number)
        work, kept = table.work, table.kept
        seats = (np.arange(4) + number) % 4
        active = [p for p in range(4) if work.active >> p & 1]
        shown = active if len(active) > 1 else []
        shown_once += len(shown) > 0
        found = PlainTyped(table.model).walk(
            table.rules.game(4), table.holes, table.board, work.action[:decisions].copy(), carried[seats], shown
        )
        for d, decision in enumerate(found.decisions):
            drawn = kept.drawn[seats[decision.player]]
            np.testing.assert_allclose(work.chance[d], found.with_cards[d][:, drawn], atol=1e-12)
            np.testing.assert_allclose(work.opponents[d], decision.opponents, atol=1e-12)
            np.testing.assert_allclose(kept.summed[d, :count], found.summed[d], atol=1e-12)
        filters = table.filters[0]
        np.testing.assert_allclose(filters["joint"][:4, :count], found.joint, atol=1e-12)
        if count > 1:
            np.testing.assert_allclose(filters["kinds"][:4, :count], found.kinds, atol=1e-12)
            carried[seats] = found.kinds
            np.testing.assert_allclose(kept.carried[:4, :count], carried, atol=1e-12)
    assert shown_once > 0


def test_the_shortcut_gives_the_same_probabilities():
    """E_s exp(H_sc) exp(Y_sp) from stored exponentials, and one exponential for every (s, c, p): the last decision."""
    table = Table(make_typed(8, 7), 3)
    decisions = table.deal(1)
    walked = PlainTyped(table.model).walk(
        table.rules.game(3), table.holes, table.board, table.work.action[:decisions].copy(),
        np.tile(table.model.weights.initial[:8], (3, 1)),
    )  # fmt: skip
    np.testing.assert_allclose(table.filters[0]["chance"][:, :8], walked.chances[-1], atol=1e-13)


def test_one_type_plays_as_a_model_without_types():
    model = make_typed(1).base
    table, plain = Table(TypedModel.plain(model), 5), Desk(model, TableRules().table)
    for number in range(4):
        count = table.deal(number)
        plain.seat(5, table.work.cards)
        assert plain.play(number) == count
        assert plain.work["action"][:count].tolist() == table.work.action[:count].tolist()
        np.testing.assert_allclose(plain.work["chance"][:count], table.work.chance[:count], atol=1e-12)
        np.testing.assert_allclose(plain.work["net"][:5], table.work.net[:5])


def test_recorded_deals_give_the_same_beliefs():
    """Followed with forced actions, and stopped before the last decision to ask a player without a type of his own."""
    table, again = (Table(make_typed(4, 5), 3) for _ in range(2))
    for number in range(3):
        count = table.deal(number)
        forced = table.work.action[:count].copy()
        carried = again.match["carried"].copy()
        again.sit(number)
        chances = again.desk.ask(forced[:-1], np.array([[0, 1], [2, 3]], dtype=np.uint8))
        np.testing.assert_allclose(chances.sum(axis=0), 1.0)
        assert again.work.decisions == count - 1
        assert (again.match["carried"] == carried).all()  # nothing is learned from a deal that is not over
        assert again.deal(number, forced) == count
        np.testing.assert_allclose(again.filters["joint"][0, :3], table.filters["joint"][0, :3], atol=1e-13)
        np.testing.assert_allclose(again.kept.carried, table.kept.carried, atol=1e-13)
        # Where no cards are seen, nothing is corrected.
        again.match["carried"], again.match["shown"] = carried, 0
        again.deal(number, forced)
        by_player = again.filters["joint"][0, :3].sum(axis=2)
        np.testing.assert_allclose(again.kept.carried[again.kept.player[:3]], by_player, atol=1e-13)
        again.match["carried"], again.match["shown"] = table.match["carried"], -1


def test_planted_types_are_recognised():
    """After sixty deals between two very different types most is believed of the right one."""
    model = make_typed(2, 9)
    model.weights.opponents[:] = 0.0
    model.weights.own[:, 0] = 3.0 * model.base.weights.values.mean(axis=1)  # seeks what is worth most
    model.weights.own[:, 1] = -model.weights.own[:, 0]
    table = Table(model, 3)
    table.match["drawn"][0, :3] = [0, 1, 1]
    for number in range(60):
        table.deal(number)
    right = table.kept.carried[np.arange(3), table.kept.drawn[:3]]
    assert right.min() > 0.9


def test_files(tmp_path):
    model = make_typed(5)
    model.made["fitted"] = "by hand"
    save_typed(model, tmp_path / "model")
    again = load_typed(tmp_path / "model")
    assert (again.flat == model.flat).all()
    assert (again.base.flat == model.base.flat).all()
    assert (again.count, again.made) == (5, model.made)
    save_typed(again, tmp_path / "model")  # an older one is replaced
    save_model(model.base, tmp_path / "plain")
    plain = load_opponents(tmp_path / "plain")
    assert plain.count == 1
    with pytest.raises(KibitzError, match="holds a learned model: it is not replaced"):
        save_typed(model, tmp_path / "plain")
    with pytest.raises(KibitzError, match="is a learned model: a model of player types is needed"):
        load_typed(tmp_path / "plain")


def test_damaged_files_are_refused(tmp_path):
    save_typed(make_typed(5), tmp_path / "model")

    def damaged(name):
        shutil.copytree(tmp_path / "model", tmp_path / name)
        return tmp_path / name

    folder = damaged("base")
    save_model(Model.random(Structure(), 1), folder / "base")
    with pytest.raises(KibitzError, match="base is another than the one that it was made with"):
        load_typed(folder)
    for value, message in ((17, "17 player types: 1 to 16"), ("8", "is damaged: its types is '8'")):
        folder = damaged(f"types-{value}")
        manifest = json.loads((folder / "manifest.json").read_text()) | {"about": {"types": value}}
        del manifest["crc32"]
        (folder / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(ModelError, match=message):
            load_typed(folder)


def test_what_is_no_model_with_types_is_refused():
    base = Model.random(Structure(), 1)
    with pytest.raises(ModelError, match="0 player types"):
        TypedModel.random(base, 0)
    with pytest.raises(ModelError, match="use one that does not look ahead"):
        TypedModel.random(Model.random(Structure(self_aware=True)))
    with pytest.raises(ModelError, match="an initial distribution of types"):
        TypedModel(base, 2, np.zeros(KINDS_SIZE))
    with pytest.raises(ModelError, match=r"weights .3,. of types"):
        TypedModel(base, 2, np.zeros(3))
