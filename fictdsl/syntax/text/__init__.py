"""Reading files: paths, decoding, caching and tolerant scanning."""
