"""Random worlds and claims: what a scenario is made of, and how chance chooses it."""
