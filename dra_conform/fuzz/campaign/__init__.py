"""Campaigns: scenarios run on two implementations, and each difference becomes a golden case."""
