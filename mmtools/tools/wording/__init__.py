"""Values turned into text for the model, by theme; what all dialects share, in none of their words."""
