"""Faulty kubelets: the reference kubelet with one fault each."""
