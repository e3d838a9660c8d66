"""The error of a command to the reference kubelet."""

from __future__ import annotations


class KubeletError(Exception):
    """A pod cannot be prepared, unprepared or started, or a command is malformed."""
