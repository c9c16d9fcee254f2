"""Replication packs: a published table of results, and the numbers of its paper."""
