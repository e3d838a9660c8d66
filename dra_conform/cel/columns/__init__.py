"""Evaluation of one selector on many devices by columns. Polars is imported with the first column."""
