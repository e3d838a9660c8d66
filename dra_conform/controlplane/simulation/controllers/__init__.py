"""The controllers of kube-controller-manager for claims, each a function run once a round."""
