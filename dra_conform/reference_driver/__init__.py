"""The reference DRA driver: an example that meets every requirement on drivers, and a driver to test with.

Its devices are imaginary. `python -m dra_conform.reference_driver` runs it; `settings.py` has its options.
It imports nothing that judges drivers.
"""
