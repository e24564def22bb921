"""Passes over games whose states all meet each other: leaves by BLAS, in batches that `compiled.leaves` lists."""
