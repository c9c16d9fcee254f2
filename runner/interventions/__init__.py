"""The interventions of conditions: one object for each key of `[[condition]]` that changes the base corpus."""
