"""The operation `allocate`: the devices allocated to ResourceClaims on a node."""
