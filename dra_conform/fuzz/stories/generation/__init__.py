"""Stories by chance, each from a seed and its number, that reach every kind, verb and gate in turn."""
