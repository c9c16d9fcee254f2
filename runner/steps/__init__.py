"""The steps of a run: from a manifest to a graph of keyed steps, before anything is executed."""
