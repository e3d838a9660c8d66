"""Random scenarios, each from a seed and its number, that cover every kind, verb and gate."""
