"""The meaning of a checked expression on one device, and what it costs."""
