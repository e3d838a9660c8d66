"""Comparison of two answers to one scenario."""
