"""All operators and functions as overloads: the CEL standard and the libraries that Kubernetes adds."""
