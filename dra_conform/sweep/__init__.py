"""Sweeps: tables of combinations put to an implementation, with all expectations computed over columns."""
