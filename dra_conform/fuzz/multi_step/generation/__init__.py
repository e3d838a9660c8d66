"""Generation of multi-step scenarios from seed and number, for each kind, verb and gate."""
