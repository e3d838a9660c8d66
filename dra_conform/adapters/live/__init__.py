"""Multi-step scenarios on a real cluster, through its API server. Needs the extra `live`."""
