"""The functions behind the endpoints. They run in worker processes and return plain values."""
