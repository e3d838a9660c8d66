"""The operation `schedule`: scheduling attempts of pods, phase by phase."""
