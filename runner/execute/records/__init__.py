"""Records of a run on disk: result cache, events, status of cells."""
