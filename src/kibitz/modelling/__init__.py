"""Models of players, learnt from what they did."""
