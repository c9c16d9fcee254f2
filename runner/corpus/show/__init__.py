"""Groups of matching sentences and their formats, for `fictc show` and `fictc diff`."""
