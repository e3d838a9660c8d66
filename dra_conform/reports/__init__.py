"""Reports of runs: each output format is a handler of the events of a run, and `handlers` has the table."""
