"""What a release accepts: names, types and literals of an expression."""
