"""From a story that shows a difference to the plainest one near it that still shows it."""
