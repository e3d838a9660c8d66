"""Fuzzing: random scenarios for two implementations, and the smallest scenario of each difference."""
