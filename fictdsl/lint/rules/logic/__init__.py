"""Rules about conditions that are always true, never true, or true more often than intended."""
