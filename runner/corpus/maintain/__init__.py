"""Maintain stores: split, merge, copy, add a layer."""
