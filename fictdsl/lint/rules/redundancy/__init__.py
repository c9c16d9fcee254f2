"""Rules about what is written twice."""
