"""Every operator and function as overloads: the standard ones and the libraries Kubernetes adds."""
