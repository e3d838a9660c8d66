"""Fuzzing of multi-step scenarios on clusters: generated, compared, shrunk, kept as golden cases."""
