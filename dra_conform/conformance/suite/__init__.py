"""The suite: loading and linting it, selecting from it, and what it covers."""
