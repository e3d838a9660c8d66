"""The areas of a sweep: for each, its rows, its requests, and the expected results."""
