"""A cache folder of the tests' own, and rivers of two flops instead of all of them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kibitz.abstraction.features.boards import CANONICAL, PAIRS, get_boards, get_extensions
from kibitz.abstraction.features.cache import cache_folder
from kibitz.abstraction.features.strength import pair_masks
from kibitz.cards import cards_to_mask, parse_cards
from kibitz.evaluator import evaluate_boards

FLOPS = ("Ks8s3d", "7h7d7c")  # no symmetry but the names of absent suits; three suits that can be exchanged
USER_CACHE = cache_folder()


@pytest.fixture(scope="session")
def cache_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True, scope="module")  # not for the session: other tests share the tables of the user's folder
def cache(cache_path: Path) -> Iterator[Path]:
    """Nothing is written where the user keeps their tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(cache_path))
        get_boards.cache_clear()
        yield cache_path


@pytest.fixture(scope="module")
def flops() -> list[int]:
    """The canonical flops whose rivers `rivers` has."""
    return [get_boards(3).place(parse_cards(flop))[0] for flop in FLOPS]


@pytest.fixture(scope="module")
def turns(flops) -> np.ndarray:
    """The canonical turn boards of `flops`."""
    codes = get_extensions(3)[flops]
    return np.unique(codes[codes >= 0] >> 5).astype(np.int64)


@pytest.fixture(scope="module")
def rivers(turns) -> np.ndarray:
    """River strengths, uint16[134459, 1326], of the rivers that follow `flops`; the other rows are never touched."""
    from kibitz.abstraction.features._kernels import river_strengths

    codes = get_extensions(4)[turns]
    rows = np.unique(codes[codes >= 0] >> 5)
    masks = np.array([cards_to_mask(board) for board in get_boards(5).cards[rows].tolist()], dtype=np.uint64)
    found = np.empty((len(rows), PAIRS), dtype=np.uint16)
    river_strengths(evaluate_boards(masks, pair_masks()), found)
    table = np.zeros((CANONICAL[5], PAIRS), dtype=np.uint16)
    table[rows] = found
    return table
