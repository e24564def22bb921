"""Compiled games: a betting tree and a deal in the flat arrays that the kernels of one family take.

`VectorGame` (all hands at once), `SampledGame` (one deal at a time), `PublicGame` (one board of a small game),
`BoardGame` (one board of hold'em), `Enumeration` (every deal, any number of players), `SequenceForm` (linear programs),
`GpuGame` (a `VectorGame` on a GPU).
"""
