"""Random writes to the API server, made from tables of the fields that Kubernetes publishes."""
