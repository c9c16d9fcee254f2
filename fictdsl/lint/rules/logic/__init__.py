"""Rules about conditions that hold always, never, or more often than intended."""
