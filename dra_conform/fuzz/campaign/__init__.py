"""Scenarios put to two implementations, and each difference written as a golden case."""
