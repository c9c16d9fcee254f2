"""Rules about redundant and repeated parts."""
