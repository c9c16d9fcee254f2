"""Rules about the metadata of a filter: its name, description and targets."""
