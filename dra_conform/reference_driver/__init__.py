"""A DRA driver that follows every rule for drivers, as an example and as the built-in driver under test.

Its devices are imaginary. `python -m dra_conform.reference_driver` runs it; `settings.py` has its options.
It imports nothing that judges drivers.
"""
