"""The values of CEL, their types, and the device as a value."""
