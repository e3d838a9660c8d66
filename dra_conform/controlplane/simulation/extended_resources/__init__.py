"""Extended resources that device classes serve (KEP-5004): who serves a name, and the claim made for it."""
