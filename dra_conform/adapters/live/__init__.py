"""Stories told to a real cluster through its API server. Needs the extra `live`."""
