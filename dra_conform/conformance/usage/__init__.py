"""The operation `usage`: what the objects of a namespace count against its quotas."""
