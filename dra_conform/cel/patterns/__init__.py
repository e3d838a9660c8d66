"""Regular expressions in the syntax of RE2, for `matches` and the functions of the regex library."""
