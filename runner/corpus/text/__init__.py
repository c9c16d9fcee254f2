"""Raw text: units to parse, and how words map to the text."""
