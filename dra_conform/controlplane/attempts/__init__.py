"""Attempts to schedule pods, one phase after the other, in a cluster in which nothing else happens."""

from dra_conform.controlplane.attempts.told_attempts import attempts_in, tell_attempts

__all__ = ["attempts_in", "tell_attempts"]
