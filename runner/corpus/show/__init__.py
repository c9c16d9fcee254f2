"""What `fictc show` and `fictc diff` compute: groups of matching sentences, and their formats."""
