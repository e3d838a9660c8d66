"""The scheduler: a queue of pods, and the phases that each attempt goes through."""
