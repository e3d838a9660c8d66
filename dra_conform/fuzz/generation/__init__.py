"""Generation of random allocation scenarios: published devices and claims."""
