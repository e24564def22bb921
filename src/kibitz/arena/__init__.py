"""Matches, tournaments and what their results mean."""
