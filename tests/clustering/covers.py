"""What partitions lose, and the covers that follow from them (Bard 2016, chapter 5)."""

import numpy as np

from kibitz.clustering import individual_utility, partition_utility
from kibitz.clustering.partitions import Floats, Ints, Oracle, cluster_sums


def partition_loss(oracle: Oracle, labels: Ints) -> float:
    """What is lost by responding to clusters and not to entities (equation 5.3); at least 0."""
    return individual_utility(oracle) - partition_utility(oracle, labels)


def cover_of(oracle: Oracle, labels: Ints) -> Floats:
    """The best responses to the clusters of a partition, those that are equal once (lemma 1).

    They cover the entities for no less than the utility of the partition.
    """
    responses = oracle.respond(cluster_sums(oracle.statistics, labels))
    _, first = np.unique(responses, axis=0, return_index=True)
    return responses[np.sort(first)]


def cover_utility(utilities: Floats) -> float:
    """What is won with the best of the responses against every entity, float64[m, k] (equation 5.2)."""
    return float(utilities.max(axis=1).sum())
