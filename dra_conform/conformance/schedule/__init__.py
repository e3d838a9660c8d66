"""The operation `schedule`: attempts to schedule pods, phase by phase."""
