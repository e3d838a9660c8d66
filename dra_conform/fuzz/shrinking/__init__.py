"""Shrinking: the smallest scenario that still shows the same difference."""
