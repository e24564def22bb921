"""The page: play, watch, solve and explore in a browser. Nothing here computes; it calls what commands call."""
