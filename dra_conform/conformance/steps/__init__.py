"""The step vocabulary: the type of a step, the given steps of all operations, and their lookup."""
