// A file of assembly lets the package declare functions that are elsewhere.
