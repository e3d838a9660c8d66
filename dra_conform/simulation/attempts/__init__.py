"""Scheduling attempts, phase by phase, in a cluster where nothing else happens."""

from dra_conform.simulation.attempts.running_attempts import attempts_in, run_attempts

__all__ = ["attempts_in", "run_attempts"]
