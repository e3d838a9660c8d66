"""Campaigns on many processes and machines: workers of dask.distributed do parts of runs and of fuzzing."""
