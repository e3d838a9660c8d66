"""The values of CEL, their types, and the device as a value; every other room builds on this one."""
