"""The operation `admit`: one write to the API server."""
