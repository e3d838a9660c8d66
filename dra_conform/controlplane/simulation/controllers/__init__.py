"""The controllers of kube-controller-manager for claims, each a function that runs once per round."""
