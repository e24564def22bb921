"""What beats a strategy, and by how much: exact, in the real game, and by looking one bet ahead."""
