"""The type checker: names, types and literals that a release accepts."""
