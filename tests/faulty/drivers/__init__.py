"""Faulty DRA drivers: the reference driver with one fault each, and drivers that try to harm a run."""
