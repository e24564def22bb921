"""Percentile buckets: equal shares of deals, with or without recall."""
