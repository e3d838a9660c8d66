"""A KEP in work: the power class of devices, which a request can ask for."""
