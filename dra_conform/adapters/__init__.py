"""Implementations under test: the built-in, Python objects, adapter processes, and clusters.

`specs` opens an implementation by its name on the command line.
"""
