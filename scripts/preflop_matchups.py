"""Count, over all boards, how the 169 classes of starting hands fare against each other, and write it down.

`kibitz.equity.matchups` reads the result, src/kibitz/equity/matchups.npz. Takes some minutes.
"""

from pathlib import Path

import numpy as np

import kibitz.equity
from kibitz.abstraction.features.boards import get_boards
from kibitz.abstraction.features.strength import pair_classes
from kibitz.deals.joint import Boards, count_meetings
from kibitz.progress import silent

CLASSES = 169


def main() -> None:
    classes = pair_classes().astype(np.int32)

    def look(boards):
        found = np.broadcast_to(classes, (len(boards), len(classes)))
        return np.ascontiguousarray(found), np.ascontiguousarray(found)

    rivers = get_boards(5)
    boards = Boards(rivers.cards, rivers.weights.astype(np.float64))
    weight, sign = count_meetings(boards, look, (CLASSES, CLASSES), True, 2, silent)
    pairs = weight / 1_712_304  # boards that are left beside two hands
    assert (pairs == pairs.round()).all()
    assert (sign == -sign.T).all()
    above = np.triu_indices(CLASSES)
    path = Path(kibitz.equity.__file__).with_name("matchups.npz")
    np.savez_compressed(path, pairs=pairs[above].astype(np.uint8), lead=sign[above].astype(np.int64))


if __name__ == "__main__":
    main()
