"""Opponents to practise on: fixed pools of agents with styles of their own (tilted, noisy, timid, changing, ...).

Pool A is for training, pool B is held out. Members and seeds were fixed before any agent was measured against them; how
exploitable tilted players are in Kuhn and Leduc was known. Pool C has equilibria of card abstractions.

>>> from kibitz.pools.members import POOLS
>>> len(POOLS["A"]), len(POOLS["B"])
(10, 12)
"""

from kibitz.pools.plan import MemberPlan, PoolMember, PoolPlan, load_pool

__all__ = ["MemberPlan", "PoolMember", "PoolPlan", "load_pool"]
