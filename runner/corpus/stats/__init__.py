"""What a corpus and its parts are made of: counts of annotations, and measures on them."""
