"""Runs and fuzzing on many processes and machines by dask.distributed, split into parts."""
