"""A KEP in work: devices have a power class, and a request can ask for one."""
