"""The operation `allocate`: which devices claims get on a node."""
