"""Random scenarios put to two implementations: where they differ, the smallest scenario that shows it."""
