"""Boards up to the names of suits, and what hands are worth on them."""
