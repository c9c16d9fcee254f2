"""The language of constructions: text to SQL, with an independent reference."""
