"""Maintain stores: split, merge, upgrade, copy, add a layer."""
