"""Interventions: what a key of `[[condition]]` does to the base corpus, an object each."""
