"""Shrinking of multi-step scenarios."""
