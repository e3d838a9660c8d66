"""Allocated ResourceClaims: expected results, and how answers are compared with them."""
