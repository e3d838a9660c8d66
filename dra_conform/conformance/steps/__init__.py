"""The step vocabulary: the type of a step, the Given steps of all operations, and their lookup."""
