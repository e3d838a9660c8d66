"""Writes to the API server: their steps, expectations and judge, for each operation that has writes."""
