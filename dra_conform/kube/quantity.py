"""placeholder: written by the kube work"""
