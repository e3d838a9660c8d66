"""The parser: an expression becomes a syntax tree."""
