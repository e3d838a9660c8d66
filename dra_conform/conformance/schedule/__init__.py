"""The operation `schedule`: how attempts to schedule pods go, phase by phase."""
