"""The scheduler: a queue of pods, and the phases of each attempt."""
