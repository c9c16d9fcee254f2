"""Rules about the actions of rewrites."""
