"""Evaluation of a checked expression on one device, and its cost."""
