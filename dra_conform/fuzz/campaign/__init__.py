"""Campaigns: scenarios are put to two implementations, and each difference becomes a golden case."""
