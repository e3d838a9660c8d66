"""What follows from the objects and components of a cluster, simulated or real."""
