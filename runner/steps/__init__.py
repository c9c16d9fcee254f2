"""The plan of a run: resolve a manifest and give every step a content key, before anything is executed."""
