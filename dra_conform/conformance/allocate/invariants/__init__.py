"""The invariants of every allocation, regardless of the chosen devices; `table` lists all invariants."""
