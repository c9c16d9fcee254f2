"""Parse raw text with Stanza in resumable shards."""
