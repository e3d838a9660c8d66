"""Campaigns of multi-step scenarios on two implementations."""
