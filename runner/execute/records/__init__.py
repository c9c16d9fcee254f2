"""The records of a run on disk: result cache, events, cell status."""
