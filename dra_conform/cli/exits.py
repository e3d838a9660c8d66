"""The exit codes of the command line."""

OK = 0
FAILURES = 1
USAGE = 2
NOT_RUNNABLE = 3
SUITE_BROKEN = 4
INCOMPLETE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141
"""The reader of standard output is gone; shells use this code for a program that SIGPIPE ends."""
