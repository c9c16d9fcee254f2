"""`fictc apply`: its options, the corpora that it writes, and the table of its changes."""
