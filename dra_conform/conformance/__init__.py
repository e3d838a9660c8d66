"""The suite and its judge: the requirements of the specification, and whether an implementation meets them.

Modules: `case`, `operation` and `operations` (the table of operations), `implementation` (requests and
replies), `runner`, `verdict` and `events`. Packages: `suite` (loading and lint), `steps` (the step
vocabulary), and one for each operation, such as `allocate`, `admit` and `cluster`.
"""
