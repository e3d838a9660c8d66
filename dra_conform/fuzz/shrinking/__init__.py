"""From a scenario to the smallest one near it that shows the same difference."""
