"""Tests of all readers with mutated inputs."""
