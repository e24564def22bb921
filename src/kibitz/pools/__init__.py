"""Opponents to practise on: fixed pools of agents with styles of their own (tilted, noisy, timid, changing, ...).

Pool A is for training, pool B is held out. Members and seeds were fixed before any agent was measured against them; how
exploitable tilted players are in Kuhn and Leduc was known. Pool C has equilibria of card abstractions.

>>> from kibitz.pools import POOLS
>>> len(POOLS["A"]), len(POOLS["B"])
(10, 12)
"""

from kibitz.pools.make import PoolPlan, load_pool, make_pool
from kibitz.pools.members import POOLS, Member

__all__ = ["POOLS", "Member", "PoolPlan", "load_pool", "make_pool"]
