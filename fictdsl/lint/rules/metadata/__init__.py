"""Rules about what a filter says of itself: its name, subject and targets."""
