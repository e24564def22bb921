"""Kernels over vectors of private states, and the form of a game they work on."""
