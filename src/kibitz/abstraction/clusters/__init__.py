"""Buckets of hands that are alike: k-medians and k-means."""
