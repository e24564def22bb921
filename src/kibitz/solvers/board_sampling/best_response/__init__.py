"""Walks of sampled boards against an opponent who sees real cards: kernels of `kibitz.responses.cfr_br`."""
