"""The areas of a sweep: for each, the rows, the questions, and what is right."""
