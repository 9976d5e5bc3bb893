"""Sentences for the model that the dialects share, by theme."""
