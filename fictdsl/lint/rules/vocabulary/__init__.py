"""Rules that compare tags, features and relations with Universal Dependencies."""
