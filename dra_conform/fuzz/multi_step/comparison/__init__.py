"""Comparison of the observations of two implementations in one scenario."""
