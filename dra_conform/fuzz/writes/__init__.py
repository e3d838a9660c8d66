"""Random writes to the API server, generated from tables of the published API fields."""
