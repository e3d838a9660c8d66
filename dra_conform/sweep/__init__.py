"""Sweeps: millions of value combinations tested on an implementation, with expected results computed over
columns."""
