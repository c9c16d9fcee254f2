"""Replication packs: a published table of results beside the figures of its paper."""
