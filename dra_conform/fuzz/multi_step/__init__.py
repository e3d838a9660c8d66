"""Fuzzing of multi-step scenarios on clusters: generation, comparison, shrinking, golden cases."""
