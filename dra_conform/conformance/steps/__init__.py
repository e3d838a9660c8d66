"""The words of cases: what a step is, the given steps of all operations, and how words are looked up."""
