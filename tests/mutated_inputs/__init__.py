"""Inputs that somebody broke, put to everything that reads."""
