"""How cards meet a betting tree."""

from kibitz.deals.matrix import MatrixDeal, RoundDeal, matrix_deal

__all__ = ["MatrixDeal", "RoundDeal", "matrix_deal"]
