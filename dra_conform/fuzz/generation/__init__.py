"""Generation of random worlds and claims."""
