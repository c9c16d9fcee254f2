"""The interventions: each module is one, with its keys, checks, content, description and application."""
