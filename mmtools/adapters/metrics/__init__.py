"""Reads what the observers of this package stored, and shows it: as text, and as a page."""
