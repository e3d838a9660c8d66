"""Fuzzing: random scenarios run on two implementations, and each difference is shrunk to a golden case."""
