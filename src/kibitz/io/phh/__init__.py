"""Poker hand histories in the PHH format: `.phh` (one hand) and `.phhs` (many, as tables `[1]`, `[2]`, ...).

>>> text = '''variant = 'NT'
... antes = [0, 0]
... blinds_or_straddles = [50, 100]
... min_bet = 100
... starting_stacks = [20000, 20000]
... actions = ['d dh p1 AhKs', 'd dh p2 QcQd', 'p2 cbr 300', 'p1 cc', 'd db 2c3d4h', 'p1 cbr 400', 'p2 f']
... '''
>>> record = next(read_phh(text))
>>> record.history, record.game.blinds
('r300c/r700f', (100, 50))
>>> list(read_phh(write_phh(record))) == [record]
True
"""

from kibitz.io.phh.games import UnsupportedVariantError
from kibitz.io.phh.reading import read_phh
from kibitz.io.phh.writing import write_phh, write_phhs

__all__ = ["UnsupportedVariantError", "read_phh", "write_phh", "write_phhs"]
