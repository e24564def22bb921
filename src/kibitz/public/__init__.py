"""What `import kibitz` offers: each question of a user as one call, and results that show themselves."""
