"""The operation `usage`: the quota usage of the objects of a namespace."""
