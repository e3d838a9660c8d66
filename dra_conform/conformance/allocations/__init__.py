"""Allocated ResourceClaims: expected results, and the rules of each release for the judge."""
