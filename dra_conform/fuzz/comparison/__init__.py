"""Two answers to one scenario: whether they agree, and if not, what sort of difference it is."""
