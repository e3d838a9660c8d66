"""Random stories on clusters: put to two implementations, compared, made small, kept as golden stories."""
