"""Vectors of a few numbers that kernels hold in one register, lane by lane: see `kibitz.lanes._kernels`."""
