"""The operation `usage`: how the objects of a namespace count against its quotas."""
