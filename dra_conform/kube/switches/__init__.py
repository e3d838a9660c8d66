"""The table of release switches: every point on which Kubernetes releases and the specification differ.

Each module is an area with one or more dataclasses of switches, such as `CounterSwitches`. A switch is
declared once, with its words, its profiles and its source. A component asks for the values of an area in a
profile: `SchedulerSwitches.of(profile).nodes_scored`. `table.py` lists all areas; docs/switches.md is made
from it. Nothing else compares the release of a profile.
"""
