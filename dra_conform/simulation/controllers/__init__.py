"""The controllers of kube-controller-manager; each is a function or a `run` method called in each round."""
