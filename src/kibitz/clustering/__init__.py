"""Decision-theoretic clustering: entities belong together that one response suits (Bard 2016, chapter 5).

Nothing here knows poker. `TreeOracle` holds the entities; `cluster_greedily` clusters them.
"""

from kibitz.clustering.greedy import Hierarchy, cluster_greedily, hard_example
from kibitz.clustering.methods import (
    METHODS,
    KMeans,
    Partitions,
    by_coverage,
    by_distance,
    by_merging,
    inner_products,
    k_means,
)
from kibitz.clustering.oracle import DecisionTree, Oracle, TreeOracle
from kibitz.clustering.partitions import (
    cluster_sums,
    individual_utility,
    numbered,
    partition_of,
    partition_utility,
)

__all__ = [
    "METHODS",
    "DecisionTree",
    "Hierarchy",
    "KMeans",
    "Oracle",
    "Partitions",
    "TreeOracle",
    "by_coverage",
    "by_distance",
    "by_merging",
    "cluster_greedily",
    "cluster_sums",
    "hard_example",
    "individual_utility",
    "inner_products",
    "k_means",
    "numbered",
    "partition_of",
    "partition_utility",
]
