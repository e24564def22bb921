"""Whole runs: a solver stepped, measured, checkpointed and saved; blueprints by name."""
