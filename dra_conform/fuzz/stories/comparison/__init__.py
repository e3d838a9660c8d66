"""What two implementations observed in one story, and what they differ in."""
