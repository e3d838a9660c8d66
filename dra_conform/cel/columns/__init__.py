"""Evaluation of one selector on many devices by columns. Polars is imported for the first column only."""
